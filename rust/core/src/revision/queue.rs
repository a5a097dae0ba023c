//! Shares tasks that make further tasks between threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// At most so many tasks are taken from the shared pile at once.
const BATCH: usize = 64;

struct Shared<T> {
    pile: Mutex<Pile<T>>,
    more: Condvar,
    /// A copy of `Pile::idle` that is read without the lock.
    idle: AtomicUsize,
    threads: usize,
}

struct Pile<T> {
    tasks: Vec<T>,
    idle: usize,
    done: bool,
}

/// Runs `first` and all tasks that come of it on `threads` threads, the caller's included. Each thread has
/// a worker of its own; they are given back. `None` where a thread panicked.
pub(super) fn drive<T: Send, W: Send>(
    first: T,
    threads: usize,
    new_worker: impl Fn() -> W + Sync,
    run: impl Fn(&mut W, T, &mut Vec<T>) + Sync,
) -> Option<Vec<W>> {
    let pile = Mutex::new(Pile { tasks: vec![first], idle: 0, done: false });
    let shared = Shared { pile, more: Condvar::new(), idle: AtomicUsize::new(0), threads };
    let work = || {
        let _guard = EndOnPanic(&shared);
        let mut worker = new_worker();
        let mut tasks = Vec::new();
        while let Some(task) = tasks.pop().or_else(|| shared.take(&mut tasks)) {
            run(&mut worker, task, &mut tasks);
            shared.offer(&mut tasks);
        }
        worker
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        let mut workers = vec![work()];
        for other in others {
            workers.push(other.join().ok()?);
        }
        Some(workers)
    })
}

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, Pile<T>> {
        self.pile.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a fair share into `tasks` and gives one of it; `None` when all work is done.
    fn take(&self, tasks: &mut Vec<T>) -> Option<T> {
        let mut pile = self.lock();
        loop {
            if pile.done {
                return None;
            }
            if !pile.tasks.is_empty() {
                let share = (pile.tasks.len() / self.threads).clamp(1, BATCH);
                let rest = pile.tasks.len() - share;
                tasks.extend(pile.tasks.drain(rest..));
                return tasks.pop();
            }
            pile.idle += 1;
            self.idle.store(pile.idle, Ordering::Relaxed);
            if pile.idle == self.threads {
                pile.done = true;
                self.more.notify_all();
                return None;
            }
            pile = self.more.wait(pile).unwrap_or_else(PoisonError::into_inner);
            pile.idle -= 1;
            self.idle.store(pile.idle, Ordering::Relaxed);
        }
    }

    /// Gives half of `tasks` away where another thread has nothing to do.
    fn offer(&self, tasks: &mut Vec<T>) {
        if tasks.len() > 1 && self.idle.load(Ordering::Relaxed) > 0 {
            let half = tasks.len() / 2;
            self.lock().tasks.extend(tasks.drain(..half));
            self.more.notify_all();
        }
    }
}

/// Without it, the other threads would wait for ever for the work of one that panicked.
struct EndOnPanic<'a, T>(&'a Shared<T>);

impl<T> Drop for EndOnPanic<'_, T> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.lock().done = true;
            self.0.more.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_every_task_once_on_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let split = |sum: &mut u64, task: u64, more: &mut Vec<u64>| {
                *sum += task;
                if task > 1 {
                    more.extend([task / 2, task / 2]);
                }
            };
            let sums = drive(1024, threads, || 0, split).unwrap();
            assert_eq!(sums.iter().sum::<u64>(), 1024 * 11);
        }
    }

    #[test]
    fn a_panic_in_another_thread_ends_the_work() {
        let caller = std::thread::current().id();
        let run = |(): &mut (), task: u32, more: &mut Vec<u32>| {
            assert!(std::thread::current().id() == caller || task == 0, "a task of another thread");
            std::thread::sleep(std::time::Duration::from_millis(1));
            if task < 6 {
                more.extend([task + 1, task + 1]);
            }
        };
        assert!(drive(0, 2, || (), run).is_none());
    }
}

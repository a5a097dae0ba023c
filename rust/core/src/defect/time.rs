//! Points in time, in the notations that loggers and tools write.

use super::words::{self, DAY, MONTH, ZONE};

fn at(text: &str, i: usize) -> u8 {
    text.as_bytes().get(i).copied().unwrap_or(0)
}

fn digits(text: &str, from: usize) -> usize {
    text.as_bytes().iter().skip(from).take_while(|b| b.is_ascii_digit()).count()
}

fn letters(text: &str, from: usize) -> usize {
    text.as_bytes().iter().skip(from).take_while(|b| b.is_ascii_alphabetic()).count()
}

fn word_is(text: &str, from: usize, flag: u32) -> usize {
    let len = letters(text, from);
    if len > 0 && words::flags(text.get(from..from + len).unwrap_or_default()) & flag != 0 { len } else { 0 }
}

/// Length of the point in time that `text` starts with; 0 when it starts with none.
pub(super) fn timestamp(text: &str) -> usize {
    let date = date(text);
    if date > 0 {
        let gap = gap(text, date);
        let clock = text.get(date + gap..).map_or(0, clock);
        if clock > 0 && gap > 0 {
            let end = date + gap + clock;
            return end + year_after(text, end);
        }
        return if date >= 8 { date } else { 0 };
    }
    let compact = compact(text);
    if compact > 0 { compact } else { clock(text) }
}

/// Between a date and its clock: `T`, `:`, `_`, spaces or a comma and spaces.
fn gap(text: &str, from: usize) -> usize {
    let mut len = usize::from(at(text, from) == b',');
    while at(text, from + len) == b' ' && len < 3 {
        len += 1;
    }
    if len == 0 { usize::from(matches!(at(text, from), b'T' | b't' | b':' | b'_' | b'-')) } else { len }
}

/// `2024-05-01`, `2024/05/01`, `01/05/2024`, `1 May 2024`, `01/May/2024`, `Wed, 1 May 2024`, `Wed May  1`, `May 1, 2024`.
fn date(text: &str) -> usize {
    let mut from = word_is(text, 0, DAY);
    if from > 0 {
        from += usize::from(at(text, from) == b',');
        if at(text, from) != b' ' {
            return 0;
        }
        from += 1;
    }
    let first = digits(text, from);
    if first == 0 {
        return month_first(text, from);
    }
    let sep = at(text, from + first);
    let second = from + first + 1;
    if (first == 4 || first == 2 || first == 1) && matches!(sep, b'-' | b'/' | b'.') {
        let month = digits(text, second);
        let third = second + month + 1;
        if (1..=2).contains(&month) && at(text, second + month) == sep {
            let day = digits(text, third);
            let fits = if first == 4 { (1..=2).contains(&day) } else { day == 4 && sep != b'.' };
            let next = at(text, third + day);
            let ends = !next.is_ascii_alphanumeric() || matches!(next, b'T' | b't');
            return if fits && ends { third + day } else { 0 };
        }
    }
    let month =
        if first <= 2 && matches!(sep, b'-' | b'/' | b' ') { word_is(text, second, MONTH) } else { 0 };
    let year = second + month + 1;
    if month > 0 && digits(text, year) == 4 { year + 4 } else { 0 }
}

fn month_first(text: &str, from: usize) -> usize {
    let month = word_is(text, from, MONTH);
    let mut end = from + month;
    while month > 0 && at(text, end) == b' ' && end < from + month + 2 {
        end += 1;
    }
    let day = digits(text, end);
    if month == 0 || end == from + month || !(1..=2).contains(&day) {
        return 0;
    }
    end += day;
    let comma = usize::from(at(text, end) == b',');
    if at(text, end + comma) == b' '
        && digits(text, end + comma + 1) == 4
        && at(text, end + comma + 5) != b':'
    {
        return end + comma + 5;
    }
    end
}

/// `20240501T101500Z`, `20240501T101500.123Z`.
fn compact(text: &str) -> usize {
    if digits(text, 0) != 8 || at(text, 8) != b'T' || digits(text, 9) != 6 {
        return 0;
    }
    let end = 15 + fraction(text, 15);
    end + zone(text, end)
}

/// `10:15:00`, `10:15:00.123456Z`, `9:15:00 PM`, `9:15 am`; not `10:15` alone, which may be anything.
fn clock(text: &str) -> usize {
    let hour = digits(text, 0);
    if !(1..=2).contains(&hour) || at(text, hour) != b':' || digits(text, hour + 1) != 2 {
        return 0;
    }
    let minute = hour + 3;
    let seconds = at(text, minute) == b':' && digits(text, minute + 1) == 2;
    let mut end = if seconds { minute + 3 } else { minute };
    if seconds {
        end += fraction(text, end);
    }
    let half = if at(text, end) == b' ' { end + 1 } else { end };
    let noon = matches!((at(text, half), at(text, half + 1)), (b'A' | b'a' | b'P' | b'p', b'M' | b'm'))
        && !at(text, half + 2).is_ascii_alphanumeric();
    if noon {
        end = half + 2;
    } else if !seconds {
        return 0;
    }
    if at(text, end) == b':' && at(text, end + 1).is_ascii_alphanumeric() {
        return 0;
    }
    end + zone(text, end)
}

fn fraction(text: &str, from: usize) -> usize {
    let len = digits(text, from + 1);
    if matches!(at(text, from), b'.' | b',') && len > 0 { len + 1 } else { 0 }
}

/// `Z`, `+02:00`, `+0200`, ` UTC`, ` +0200`, and ` 2024` after a clock of the `ctime` kind.
fn zone(text: &str, from: usize) -> usize {
    let space = usize::from(at(text, from) == b' ');
    let start = from + space;
    let name = word_is(text, start, ZONE);
    if name > 0 && !at(text, start + name).is_ascii_alphanumeric() {
        return space + name;
    }
    if matches!(at(text, start), b'+' | b'-') {
        let hours = digits(text, start + 1);
        if hours == 4 {
            return space + 5;
        }
        if hours == 2 && at(text, start + 3) == b':' && digits(text, start + 4) == 2 {
            return space + 6;
        }
        if hours == 2 && space == 0 {
            return 3;
        }
    }
    0
}

fn year_after(text: &str, from: usize) -> usize {
    let year = at(text, from) == b' '
        && matches!((at(text, from + 1), at(text, from + 2)), (b'1', b'9') | (b'2', b'0'))
        && digits(text, from + 1) == 4
        && matches!(at(text, from + 5), 0 | b' ' | b']' | b')' | b':' | b',');
    if year { 5 } else { 0 }
}

/// Length of a Unix time as loggers write it, seconds with a fraction or milliseconds; 0 for other numbers.
pub(super) fn epoch(text: &str) -> usize {
    let whole = digits(text, 0);
    if at(text, 0) != b'1' {
        return 0;
    }
    let fraction = if whole == 10 { fraction(text, 10) } else { 0 };
    let ends = matches!(at(text, whole + fraction), 0 | b' ' | b']' | b':' | b'\t');
    if ends && (fraction > 0 || whole == 10 || whole == 13) { whole + fraction } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_timestamps() {
        for text in [
            "2031-02-03T04:05:06.789Z",
            "2031-02-03 04:05:06,789",
            "2031/02/03 04:05:06",
            "2031-02-03T04:05:06+02:00",
            "2031-02-03 04:05:06+0200",
            "2031-02-03",
            "03 Feb 2031 04:05:06.789",
            "03/Feb/2031:04:05:06 +0000",
            "Feb  3 04:05:06",
            "Feb 03 04:05:06",
            "Mon Feb  3 04:05:06 2031",
            "Mon, 03 Feb 2031 04:05:06 GMT",
            "02/03/2031 4:05:06 PM",
            "20310203T040506Z",
            "04:05:06.789",
            "9:05 pm",
            "0:38:29",
            "2031-02-03 04:05:06 UTC",
            "03-Feb-2031 04:05:06 UTC",
        ] {
            assert_eq!(timestamp(text), text.len(), "{text}");
            assert_eq!(timestamp(&format!("{text}] x")), text.len(), "{text}");
        }
    }

    #[test]
    fn other_numbers() {
        for text in
            ["1.2.3", "12:34", "192.168.10.12", "2031", "Feb", "Mon", "May be", "12:34:56:78", "10.0.0.1:80"]
        {
            assert_eq!(timestamp(text), 0, "{text}");
        }
        assert_eq!(epoch("1734072352.400873 E x"), 17);
        assert_eq!(epoch("1734072352400 x"), 13);
        assert_eq!(epoch("1734072352 bytes read").max(epoch("17340 x")), 10);
    }
}

//! Readers of the machine: users, processes, devices, services, network.

use super::table::{ANY, Operands, Program, Reader};
use crate::shell::options::Scanned;

/// Programs with sub-commands.
pub(super) const PROGRAMS: &[Program] = &[
    Program {
        names: "systemctl",
        options: "-a -l -q -r -t: -p: -n: -o: --user --system --no-pager --all --type: --state: --failed --no-legend --full --lines: \
                  --quiet --property: --value --plain --output: --recursive",
    },
    Program {
        names: "loginctl|timedatectl|hostnamectl|localectl|networkctl|resolvectl",
        options: "--no-pager --no-legend -l",
    },
    Program { names: "launchctl|tmux|diskutil", options: "" },
    Program { names: "openssl", options: "" },
];

/// The machine.
pub(super) const READERS: &[Reader] = &[
    Reader {
        commands: "whoami|id|groups|users|who|w|last|lastb|uptime|free|nproc|uname|tty|logname|hostid|lscpu|lsblk|lsmem|lsmod|lsns|\
                   lsipc|lslocks|ps|pgrep|pstree|pidof|vmstat|iostat|mpstat|getconf|locale|printenv|which|whereis|getent|cal|ncal|sleep|\
                   uuidgen|findmnt|pwdx|pmap|sw_vers|machine|lsb_release|modinfo",
        options: ANY,
        operands: Operands::Any,
        yes: &["ps aux --sort=-%mem", "which -a python3", "last -5", "id -u", "uname -a"],
        no: &["pkill x", "killall x", "renice 1 2"],
    },
    Reader {
        commands: "date|gdate",
        options: "-u -d: -R -I? -r: -j --date: --iso-8601? --rfc-3339: --rfc-email --utc --universal --reference: --debug",
        operands: Operands::Check(|scanned| {
            scanned.operands.iter().all(|word| word.prefix().starts_with('+') && !word.splits())
        }),
        yes: &["date", "date -u +%F", "date -d '1 day ago' +%s", "date -Iseconds", "date \"+%Y\""],
        no: &["date -s 12:00", "date --set=x", "date 010101012026", "date $x"],
    },
    Reader {
        commands: "arch|sensors",
        options: "",
        operands: Operands::AtMost(0),
        yes: &["arch", "sensors"],
        no: &["arch -x86_64 touch x", "arch touch x", "sensors -s"],
    },
    Reader {
        commands: "hostname",
        options: "-f -s -i -I -d -A --fqdn --short --long --domain --ip-address --all-ip-addresses",
        operands: Operands::AtMost(0),
        yes: &["hostname", "hostname -I"],
        no: &["hostname x", "hostname -F a", "hostname -b x"],
    },
    Reader {
        commands: "top",
        options: "-b -n: -o: -p: -u: -d: -H -c -w? -i -l: -1",
        operands: Operands::With("-b -l"),
        yes: &["top -b -n1", "top -bn1", "top -l 1"],
        no: &["top", "top -n 1"],
    },
    Reader {
        commands: "lsof",
        options: "-i? -p: -n -P -u: -t -a -c: -l -d: -F? -s? -U -R -V -w -g? -h -v -b -O -X",
        operands: Operands::Any,
        yes: &["lsof -i :80", "lsof +D src", "lsof -nP -iTCP"],
        no: &["lsof -Db", "lsof -D b"],
    },
    Reader {
        commands: "lsusb|lspci",
        options: "-t -v -n -k -s: -d: -m -D -b -x",
        operands: Operands::AtMost(0),
        yes: &["lspci -nnk", "lsusb -t"],
        no: &["lspci -Q", "lspci -A x"],
    },
    Reader {
        commands: "dmesg",
        options: "-T -w -W -l: -k -u -x -t -P -r -f: -d -e -L? --level: --facility: --ctime --follow --since: --until: --nopager \
                  --color? --decode --kernel --reltime --raw --json",
        operands: Operands::AtMost(0),
        yes: &["dmesg -T", "dmesg --level=err"],
        no: &["dmesg -c", "dmesg --clear", "dmesg -C", "dmesg -n 1", "dmesg -D"],
    },
    Reader {
        commands: "journalctl",
        options: "-a -b? -e -f -k -m -n: -N -o: -p: -q -r -S: -t: -u: -U: -x -g: -F: -l --all --boot? --catalog --disk-usage --dmesg --follow \
                  --grep: --identifier: --lines? --lines: --list-boots --no-hostname --no-pager --no-tail --output: --priority: --quiet \
                  --reverse --since: --unit: --until: --user --user-unit: --system --utc --full --no-full --output-fields: --field: --fields \
                  --verify --case-sensitive? --merge --pager-end",
        operands: Operands::Any,
        yes: &["journalctl -u x -n 50 --no-pager", "journalctl --since today"],
        no: &[
            "journalctl --vacuum-size=1M",
            "journalctl --rotate",
            "journalctl --flush",
            "journalctl --cursor-file=x",
        ],
    },
    Reader {
        commands: "systemctl status|systemctl list-units|systemctl list-unit-files|systemctl list-timers|systemctl list-sockets|\
                   systemctl list-dependencies|systemctl list-jobs|systemctl list-paths|systemctl show|systemctl cat|systemctl is-active|\
                   systemctl is-enabled|systemctl is-failed|systemctl is-system-running|systemctl get-default|\
                   systemctl show-environment",
        options: "-a -l -q -r -t: -p: -n: -o: --user --system --no-pager --all --type: --state: --failed --no-legend --full --lines: \
                  --quiet --property: --value --plain --output: --recursive --reverse --after --before",
        operands: Operands::Any,
        yes: &["systemctl status x", "systemctl --user list-units --type=service", "systemctl is-active x"],
        no: &[
            "systemctl --user stop x",
            "systemctl restart x",
            "systemctl edit x",
            "systemctl -H h status",
            "systemctl daemon-reload",
            "systemctl --reverse stop x",
        ],
    },
    Reader {
        commands: "loginctl list-sessions|loginctl list-users|loginctl show-session|loginctl show-user|loginctl session-status|\
                   timedatectl|timedatectl status|timedatectl show|hostnamectl|hostnamectl status|localectl|localectl status|\
                   localectl list-locales|networkctl|networkctl list|networkctl status|resolvectl|resolvectl status|resolvectl query|\
                   launchctl list|launchctl print|diskutil list|diskutil info",
        options: "--no-pager --no-legend -l -p: --property: --value -a --all",
        operands: Operands::Any,
        yes: &["timedatectl", "hostnamectl status", "loginctl list-sessions"],
        no: &[
            "hostnamectl set-hostname x",
            "timedatectl set-time 0",
            "loginctl terminate-session 1",
            "launchctl load x",
        ],
    },
    Reader {
        commands: "tmux ls|tmux list-sessions|tmux list-windows|tmux list-panes",
        options: "-a -s -t:",
        operands: Operands::AtMost(0),
        yes: &["tmux ls"],
        no: &["tmux new -d x", "tmux ls -F '#(touch x)'", "tmux send-keys x"],
    },
    Reader {
        commands: "sysctl",
        options: "-a -n -e -N -b -A -r: --all --values --names --pattern:",
        operands: Operands::Check(|scanned| {
            scanned.operands.iter().all(|word| word.literal().is_some_and(|name| !name.contains('=')))
        }),
        yes: &["sysctl -a", "sysctl -n kernel.ostype"],
        no: &["sysctl -w a=b", "sysctl a=b", "sysctl -p", "sysctl --system"],
    },
    Reader {
        commands: "nvidia-smi",
        options: "-L -q -i: -d: -l: --query-gpu: --query-compute-apps: --format: --list-gpus --query --display: --id:",
        operands: Operands::AtMost(0),
        yes: &["nvidia-smi", "nvidia-smi -q -d MEMORY"],
        no: &["nvidia-smi -pl 200", "nvidia-smi -q -f out", "nvidia-smi -r"],
    },
    Reader {
        commands: "smartctl",
        options: "-a -i -H -x -A -c --all --info --health --xall --attributes --scan --json? -d:",
        operands: Operands::Any,
        yes: &["smartctl -a /dev/sda", "smartctl --scan"],
        no: &["smartctl -t long /dev/sda", "smartctl -s on /dev/sda", "smartctl -X /dev/sda"],
    },
    Reader {
        commands: "mount|atq",
        options: "-l",
        operands: Operands::AtMost(0),
        yes: &["mount", "mount -l"],
        no: &["mount /dev/sda /mnt", "mount -a", "mount -o remount x"],
    },
    Reader {
        commands: "crontab|fdisk|gdisk|swapon|ldconfig",
        options: "-l -p -u: --show? --list --print-cache",
        operands: Operands::Check(only_lists),
        yes: &["crontab -l", "swapon --show", "fdisk -l", "ldconfig -p"],
        no: &[
            "crontab f", "crontab", "crontab -r", "fdisk /dev/sda", "ldconfig", "ldconfig -l x", "swapon -a",
        ],
    },
    Reader {
        commands: "mktemp",
        options: "-u -d -q -t -p: --dry-run --suffix: --tmpdir? --directory",
        operands: Operands::With("-u --dry-run"),
        yes: &["mktemp -u", "mktemp -u -d"],
        no: &["mktemp", "mktemp -d", "mktemp x.XXXX"],
    },
    Reader {
        commands: "getfattr|lvs|vgs|pvs|blockdev",
        options: "-d -n: -m: -a -o: --noheadings --units: --getsize64 --getsz --getro --report",
        operands: Operands::Any,
        yes: &["lvs -o lv_name", "getfattr -d a"],
        no: &["blockdev --setro /dev/sda", "lvs --config x"],
    },
    Reader {
        commands: "ipcs|lastlog|quota|runlevel|ioreg|system_profiler|vm_stat",
        options: "-a -l -A -s -u: -t: -m -q -p -n: -c: -w:",
        operands: Operands::Any,
        yes: &["ipcs -m", "system_profiler SPHardwareDataType"],
        no: &["ipcrm -m 1"],
    },
    Reader {
        commands: "kill|gkill",
        options: "-l -L --list --table",
        operands: Operands::Check(|scanned| {
            scanned.has("-l -L --list --table") && scanned.operands.iter().all(|word| word.is_operand())
        }),
        yes: &["kill -l"],
        no: &["kill 1", "kill -9 1", "kill -l $x"],
    },
];

/// The network, from this machine's side.
pub(super) const NETWORK: &[Reader] = &[
    Reader {
        commands: "netstat",
        options: ANY,
        operands: Operands::Any,
        yes: &["netstat -an", "netstat -tulpn"],
        no: &["netstat > a"],
    },
    Reader {
        commands: "ss",
        options: "-t -u -l -n -p -a -s -e -m -o -i -4 -6 -x -w -r -H -O -Z -h -V --tcp --udp --listening --numeric --processes --all --summary \
                  --extended --memory --options --info --ipv4 --ipv6 --unix --no-header --oneline --resolve",
        operands: Operands::Any,
        yes: &["ss -tulpn", "ss -s", "ss -tn state established"],
        no: &["ss -K dst x", "ss --kill", "ss -D dump", "ss --diag=dump", "ss -tK"],
    },
    Reader {
        commands: "ip",
        options: "nobundle -4 -6 -br -brief -c -color? -d -details -h -human -j -json -o -oneline -p -pretty -s -stats -statistics -t -r -resolve",
        operands: Operands::Check(shows_ip_object),
        yes: &[
            "ip addr",
            "ip -br link",
            "ip route show table all",
            "ip -4 a show eth0",
            "ip route get 192.0.2.1",
        ],
        no: &[
            "ip link set x up",
            "ip addr add 1 dev x",
            "ip netns exec x rm a",
            "ip -batch f",
            "ip -all netns exec x",
            "ip route flush x",
            "ip link s x up",
        ],
    },
    Reader {
        commands: "ifconfig|arp|iwconfig",
        options: "-a -n -e -v -s",
        operands: Operands::AtMost(1),
        yes: &["ifconfig", "ifconfig eth0", "arp -an"],
        no: &["ifconfig x down", "arp -d h", "arp -s a b", "arp -f a"],
    },
    Reader {
        commands: "route",
        options: "-n -e",
        operands: Operands::AtMost(0),
        yes: &["route -n"],
        no: &["route add default x", "route flush", "route -n flush"],
    },
    Reader {
        commands: "iptables|ip6tables",
        options: "-L -S -n -v -x -t: --list --list-rules --numeric --verbose --line-numbers --exact",
        operands: Operands::With("-L -S --list --list-rules"),
        yes: &["iptables -L -n -v", "iptables -t nat -S"],
        no: &[
            "iptables -L -Z",
            "iptables -F",
            "iptables -A INPUT -j DROP",
            "ufw enable",
            "nft flush ruleset",
        ],
    },
    Reader {
        commands: "dig|host|nslookup|drill",
        options: "-t: -x: -4 -6 -p: -a -v -c: -q: -type? -query? -C -l -r -R:",
        operands: Operands::Any,
        yes: &["dig +short example.com", "host -t mx example.com", "nslookup -type=mx example.com"],
        no: &["dig -k key example.com", "dig -f list > a"],
    },
];

fn only_lists(scanned: &Scanned) -> bool {
    scanned.has("-l -p --show --list --print-cache") && scanned.operands.is_empty()
}

/// `ip OBJECT [show …]`.
fn shows_ip_object(scanned: &Scanned) -> bool {
    const OBJECTS: &[&str] = &[
        "a", "addr", "address", "l", "link", "r", "route", "n", "neigh", "neighbor", "neighbour", "rule",
        "maddr", "maddress", "netns", "tunnel", "tuntap", "mroute", "netconf", "ntable",
    ];
    let Some(object) = scanned.operand(0) else { return false };
    let shows = match scanned.operands.get(1).map(|word| word.literal()) {
        None => true,
        Some(verb) => matches!(verb, Some("show" | "list" | "ls" | "lst" | "sh" | "get")),
    };
    OBJECTS.contains(&object) && shows
}

//! What processes have used, as `/proc` counts it (proc_pid_stat(5), proc_pid_io(5)). A process that ended counts with the one
//! that waited for it.

use std::{fs, str::FromStr};

use rustix::param::{clock_ticks_per_second, page_size};

use super::sys;

/// What is counted from the beginning of a process.
#[derive(Clone, Copy)]
pub(super) enum Usage {
    /// Time of processors, in milliseconds.
    CpuMillis,
    /// Written to disks.
    DiskBytes,
}

/// What these processes have used, and those that the calling one waited for: orphans, too.
pub(super) fn sum(processes: &[i32], usage: Usage) -> u64 {
    let ended = sys::ended_descendants().map_or(0, |ended| match usage {
        Usage::CpuMillis => ended.cpu_millis,
        Usage::DiskBytes => ended.disk_bytes,
    });
    let running = processes.iter().map(|process| match usage {
        Usage::CpuMillis => {
            let ticks = ticks(&read(*process, "stat"));
            ticks.saturating_mul(1_000) / clock_ticks_per_second().max(1)
        }
        Usage::DiskBytes => written_bytes(&read(*process, "io")),
    });
    running.fold(ended, u64::saturating_add)
}

/// What is resident of a process and not shared with others; nothing if it has just ended.
pub(super) fn private_bytes(process: i32) -> u64 {
    let text = read(process, "statm");
    let mut pages = text.split_whitespace().skip(1).map(u64::from_str);
    match (pages.next(), pages.next()) {
        (Some(Ok(resident)), Some(Ok(shared))) => {
            resident.saturating_sub(shared) * page_size() as u64
        }
        _ => 0,
    }
}

/// Empty if it has just ended, or the kernel does not count this.
fn read(process: i32, file: &str) -> String {
    fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default()
}

/// `utime`, `stime`, `cutime` and `cstime`, the 14th to 17th word; the second, the name, may have blanks in it.
fn ticks(stat: &str) -> u64 {
    let Some((_, behind_name)) = stat.rsplit_once(')') else {
        return 0;
    };
    let ticks = behind_name.split_whitespace().skip(11).take(4);
    ticks.filter_map(|word| u64::from_str(word).ok()).sum()
}

fn written_bytes(io: &str) -> u64 {
    let number = |line: &str| line.strip_prefix("write_bytes: ")?.parse().ok();
    io.lines().find_map(number).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_bytes_are_read() {
        let stat = "7 (a ) b) S 1 7 7 0 -1 4194560 95 12 0 0 3 4 50 600 20 0 1 0 10 8192 5 18446744073709551615";
        assert_eq!(ticks(stat), 657);
        assert_eq!(ticks(""), 0);
        let io = "rchar: 9\nwchar: 8\nread_bytes: 7\nwrite_bytes: 4096\ncancelled_write_bytes: 1\n";
        assert_eq!(written_bytes(io), 4096);
        assert_eq!(written_bytes(""), 0);
    }
}

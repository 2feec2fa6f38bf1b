//! What runs of an agent: every process whose environment names the home that it was given, or what is below it.

use std::{
    fs,
    os::unix::ffi::OsStrExt as _,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use crate::doors::place::Place;

/// How long what ends by itself may take: the team's process, when its work is done.
const ENDS_WITHIN: Duration = Duration::from_secs(15);

/// The processes that are still there after a while, in words. They are ended.
pub(in crate::doors) fn behind(place: &Place) -> Vec<String> {
    let begun = Instant::now();
    loop {
        let there = processes(place);
        if there.is_empty() {
            return Vec::new();
        }
        if begun.elapsed() > ENDS_WITHIN {
            for (pid, _) in &there {
                let _ = kill_process(*pid, Signal::KILL);
            }
            return there.into_iter().map(|(_, name)| name).collect();
        }
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The processes that run now, with their command lines.
pub(in crate::doors) fn processes(place: &Place) -> Vec<(Pid, String)> {
    let home = place.home();
    let home = home.as_os_str().as_bytes();
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let ours = all.filter_map(|process| {
        let number: i32 = process.file_name().to_str()?.parse().ok()?;
        let environment = fs::read(process.path().join("environ")).ok()?;
        let is_ours = environment.windows(home.len()).any(|part| part == home);
        let command = fs::read(process.path().join("cmdline")).ok()?;
        let words: Vec<_> = command
            .split(|byte| *byte == 0)
            .map(String::from_utf8_lossy)
            .collect();
        (is_ours && !command.is_empty())
            .then_some((Pid::from_raw(number)?, words.join(" ").trim().to_owned()))
    });
    ours.collect()
}

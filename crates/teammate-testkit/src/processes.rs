//! Processes that a test has started, by a word of their command line.

use std::{
    fs,
    time::{Duration, Instant},
};

/// Whether a process runs whose command line holds this word.
pub fn is_running(mark: &str) -> bool {
    let processes = fs::read_dir("/proc").expect("tests of processes run on Linux");
    processes
        .filter_map(|entry| fs::read(entry.ok()?.path().join("cmdline")).ok())
        .any(|line| {
            String::from_utf8_lossy(&line)
                .replace('\0', " ")
                .contains(mark)
        })
}

/// A duration for `sleep` that nobody else uses: the word of its command line.
pub fn sleep_mark(number: u32) -> String {
    format!("{}.{number}", 100_000 + std::process::id())
}

/// Waits until something holds.
///
/// # Panics
///
/// It does not hold for 20 seconds.
pub async fn until(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(20), "waited in vain");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

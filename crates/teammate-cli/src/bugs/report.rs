//! The report of a bug: what somebody needs who mends it, without secrets and without what members said.

use std::{
    backtrace::Backtrace,
    fs::{self, DirBuilder, OpenOptions},
    io::Write as _,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    sync::atomic::{AtomicUsize, Ordering},
};

use teammate::{hiding::SecretHider, platform::now, project::UserDirs};

/// The directory below the state directory.
const KIND: &str = "bugs";

/// So many reports are kept; the oldest go.
const KEPT_MAX: usize = 50;

/// Tells reports of one process and moment apart.
static NUMBER: AtomicUsize = AtomicUsize::new(0);

/// A report of one bug.
pub(super) struct Report(String);

impl Report {
    /// Of the bug that the calling thread has now.
    pub(super) fn of(part: Option<&str>, said: &str, place: &str, hider: &mut SecretHider) -> Self {
        let thread = std::thread::current();
        let text = format!(
            "program: teammate {} ({}, {})\n\
             ended: {}\n\
             said: {said}\n\
             at: {place}\n\
             thread: {}\n\
             moment: {} ms since 1970\n\
             backtrace:\n{}\n",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH,
            part.unwrap_or("no part of its own"),
            thread.name().unwrap_or("without a name"),
            now().0,
            Backtrace::force_capture(),
        );
        Self(hider.hide("report", &text).into_owned())
    }

    /// Writes it for the user alone.
    ///
    /// Errors: why there is none, in a few words.
    pub(super) fn write(&self, user: &UserDirs) -> Result<PathBuf, String> {
        let state = user.state.as_deref();
        let dir = state.ok_or("there is no state directory")?.join(KIND);
        let made = DirBuilder::new().recursive(true).mode(0o700).create(&dir);
        made.map_err(|error| error.to_string())?;
        make_room(&dir);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        // Their order by name is that of their moments.
        let name = format!("{:015}-{}-{number}.txt", now().0, std::process::id());
        let path = dir.join(name);
        let mut options = OpenOptions::new();
        let file = options.write(true).create_new(true).mode(0o600).open(&path);
        let written = file.and_then(|mut file| file.write_all(self.0.as_bytes()));
        written.map_err(|error| error.to_string())?;
        Ok(path)
    }
}

fn make_room(dir: &Path) {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut reports: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    reports.sort();
    let surplus = (reports.len() + 1).saturating_sub(KEPT_MAX);
    for old in reports.iter().take(surplus) {
        // Another process may have been first.
        let _ = fs::remove_file(old);
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn only_the_user_can_read_a_report_and_the_oldest_go() {
        let state = tempfile::tempdir().unwrap();
        let user = UserDirs {
            config: None,
            state: Some(state.path().to_owned()),
        };
        let mut hider = teammate::Providers::new().hider();
        let report = Report::of(Some("a screen"), "no cell", "x.rs:1:2", &mut hider);
        let mut paths = Vec::new();
        for _ in 0..KEPT_MAX + 3 {
            paths.push(report.write(&user).unwrap());
        }
        let kept: Vec<_> = paths.iter().filter(|path| path.exists()).collect();
        assert_eq!(kept.len(), KEPT_MAX);
        assert!(paths.last().unwrap().exists());
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(kept[0]), 0o600);
        assert_eq!(mode(&state.path().join(KIND)), 0o700);
        let text = fs::read_to_string(kept[0]).unwrap();
        for part in [
            "said: no cell",
            "at: x.rs:1:2",
            "ended: a screen",
            "backtrace:\n",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}

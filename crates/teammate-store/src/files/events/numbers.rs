//! Where the numbers of events go on: after the highest in the log.

use std::path::Path;

use serde::Deserialize;
use teammate_core::port::Disk;

use crate::files::{FileLines, TeamDir};

/// How much of a file's end is read first: a line has far less.
const TAIL_BYTES: u64 = 1 << 20;

/// The numbers of a line that count.
#[derive(Deserialize)]
struct Numbered {
    n: Option<u64>,
}

/// The number for the first event of a run: one more than the highest in the log, 0 if no line of it has one. Lines of older
/// versions have none, and a torn line does not count: its number is given anew, so whole lines have no hole.
///
/// A log that cannot be read begins at 0 again: nothing but what people see depends on it.
pub(super) fn next_number(disk: &dyn Disk, dir: &TeamDir) -> u64 {
    let files = [dir.events(), dir.old_events()];
    let last = files.iter().find_map(|path| highest(disk, path));
    last.map_or(0, |last| last.saturating_add(1))
}

/// The highest number in the file: as they grow, that of its end, or of all of it where the end has none.
fn highest(disk: &dyn Disk, path: &Path) -> Option<u64> {
    if !disk.exists(path) {
        return None;
    }
    let length = disk.open_read(path).ok()?.len().ok()?;
    let tail = length.saturating_sub(TAIL_BYTES);
    highest_from(disk, path, tail).or_else(|| match tail {
        0 => None,
        _ => highest_from(disk, path, 0),
    })
}

/// The highest number in the whole lines from an offset on, which may be within a line.
fn highest_from(disk: &dyn Disk, path: &Path, from: u64) -> Option<u64> {
    let mut file = disk.open_read(path).ok()?;
    let (mut lines, mut highest) = (FileLines::from(&mut *file, from), None);
    while let Ok(Some(line)) = lines.next() {
        let numbered = line.text.filter(|_| line.is_whole);
        let numbered = numbered.and_then(|text| serde_json::from_slice::<Numbered>(text).ok());
        highest = highest.max(numbered.and_then(|line| line.n));
    }
    highest
}

#[cfg(test)]
mod tests {
    use teammate_testkit::sim::SimDisk;

    use super::*;

    fn next(old: Option<&str>, new: Option<&str>) -> u64 {
        let disk = SimDisk::new();
        let dir = TeamDir::create(&disk, Path::new("/team")).unwrap();
        for (path, text) in [(dir.old_events(), old), (dir.events(), new)] {
            if let Some(text) = text {
                disk.write(&path, text.as_bytes()).unwrap();
            }
        }
        next_number(&disk, &dir)
    }

    #[test]
    fn numbers_go_on_after_the_last_whole_line_also_over_a_rotation() {
        assert_eq!(next(None, None), 0);
        let (six, seven) = ("{\"n\":6}\n", "{\"n\":7}\n");
        assert_eq!(
            next(None, Some("{\"at\":1}\n{\"at\":2}\n")),
            0,
            "an old log"
        );
        assert_eq!(next(None, Some("{\"n\":6}\n{\"n\":7}\n{\"n\":8,\"te")), 8);
        assert_eq!(next(Some(six), Some("")), 7);
        assert_eq!(next(Some(six), None), 7);
        assert_eq!(next(Some(six), Some(seven)), 8);
        let mixed = "{\"n\":3}\nnonsense\n{\"at\":1}\n";
        assert_eq!(next(None, Some(mixed)), 4, "an older version ran last");
        let long = "{\"at\":1}\n".repeat(200_000);
        let long = format!("{{\"n\":3}}\n{long}");
        assert_eq!(
            next(None, Some(&long)),
            4,
            "before the end that is read first"
        );
    }
}

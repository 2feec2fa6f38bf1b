//! The numbers of a transcript's entries. Turns, calls and what was spent are known by them for ever, so a lost line keeps
//! its number: nothing new may be taken for something old.

/// Lines that are lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// They stood before this one of the entries that are left.
    pub before: usize,
    /// How many are known of.
    pub lines: u64,
}

/// The entries with their numbers, and the number of the next one. The gaps are in ascending order.
pub fn numbered<T>(entries: Vec<T>, gaps: &[Gap]) -> (Vec<(u64, T)>, u64) {
    let mut gaps = gaps.iter().peekable();
    let mut lost = 0;
    let mut skip = |at: usize| {
        while let Some(gap) = gaps.next_if(|gap| gap.before <= at) {
            lost += gap.lines;
        }
        at as u64 + lost
    };
    let count = entries.len();
    let entries = entries.into_iter().enumerate();
    let entries = entries.map(|(at, entry)| (skip(at), entry)).collect();
    (entries, skip(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_line_keeps_its_number() {
        let gap = |before, lines| Gap { before, lines };
        for (gaps, numbers, next) in [
            (vec![], [0, 1, 2], 3),
            (vec![gap(0, 2)], [2, 3, 4], 5),
            (vec![gap(1, 1), gap(1, 1), gap(2, 3)], [0, 3, 7], 8),
            (vec![gap(3, 1), gap(9, 1)], [0, 1, 2], 4),
        ] {
            let (entries, end) = numbered(vec!['a', 'b', 'c'], &gaps);
            let (found, letters): (Vec<u64>, String) = entries.into_iter().unzip();
            assert_eq!((found.as_slice(), end), (&numbers[..], next), "{gaps:?}");
            assert_eq!(letters, "abc");
        }
    }
}

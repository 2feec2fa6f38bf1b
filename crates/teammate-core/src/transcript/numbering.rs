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

/// The numbers of a transcript's entries, from the first on, without end. The gaps are in ascending order.
pub fn numbers(gaps: &[Gap]) -> impl Iterator<Item = u64> {
    let mut gaps = gaps.iter().peekable();
    let mut lost = 0;
    (0..).map(move |at: usize| {
        while let Some(gap) = gaps.next_if(|gap| gap.before <= at) {
            lost += gap.lines;
        }
        at as u64 + lost
    })
}

/// The number of the entry that comes after so many, which is the length of the transcript.
pub fn length(entries: usize, gaps: &[Gap]) -> u64 {
    let known = gaps.iter().filter(|gap| gap.before <= entries);
    entries as u64 + known.map(|gap| gap.lines).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lost_line_keeps_its_number() {
        let gap = |before, lines| Gap { before, lines };
        for (gaps, expected, next) in [
            (vec![], [0, 1, 2], 3),
            (vec![gap(0, 2)], [2, 3, 4], 5),
            (vec![gap(1, 1), gap(1, 1), gap(2, 3)], [0, 3, 7], 8),
            (vec![gap(3, 1), gap(9, 1)], [0, 1, 2], 4),
        ] {
            let found: Vec<u64> = numbers(&gaps).take(3).collect();
            assert_eq!(
                (found.as_slice(), length(3, &gaps)),
                (&expected[..], next),
                "{gaps:?}"
            );
        }
    }
}

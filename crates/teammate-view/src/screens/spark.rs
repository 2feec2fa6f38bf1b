//! Counts over time: as numbers for who draws them, and as small bars of characters.

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::{MemberName, Timestamp};

use crate::{TeamView, short};

/// Eighths of a cell, from the bottom.
const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Tokens in steps of time.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SparkScreen {
    /// When the first step begins, in milliseconds; nothing before anything was used.
    #[schemars(with = "Option<u64>")]
    pub begin: Option<Timestamp>,
    /// The length of a step, in milliseconds.
    pub step: u64,
    /// The tokens of all members in each step.
    pub all: Vec<u64>,
    /// The most that one member used in a step: the height that all of their lines share.
    pub most: u64,
}

/// A line of bars, one for each step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SparkLine {
    /// The count of each step.
    pub counts: Vec<u64>,
}

impl SparkScreen {
    pub const TITLE: &str = "Tokens over time";

    /// What the view has seen of all members.
    pub fn of(view: &TeamView) -> Self {
        let time = view.costs().over_time();
        Self {
            begin: time.begin(),
            step: time.step_ms(),
            all: time.of_all(),
            most: time.most(),
        }
    }

    /// The heading: the length of a step, and the most in one.
    pub fn title(&self) -> String {
        let seconds = self.step / 1_000;
        let step = match (seconds / 60, seconds % 60) {
            (0, seconds) => format!("{seconds} s"),
            (minutes, 0) => format!("{minutes} min"),
            (minutes, seconds) => format!("{minutes} min {seconds} s"),
        };
        let most = self.all.iter().max().copied().unwrap_or(0);
        format!("{}: up to {} in {step}", Self::TITLE, short(most))
    }
}

impl SparkLine {
    /// What a member used in each step.
    pub fn of(view: &TeamView, member: &MemberName) -> Self {
        Self {
            counts: view.costs().over_time().of_member(member),
        }
    }

    /// A bar in each of at most so many columns, `most` the highest. What was used at all is seen.
    pub fn cells(&self, columns: usize, most: u64) -> String {
        let bars = bars(&self.counts, columns, 1, most);
        bars.into_iter().next().unwrap_or_default()
    }
}

/// Bars in at most so many columns and exactly so many rows, the highest row first. Where there are more counts than columns, each
/// column is the highest of several.
pub fn bars(counts: &[u64], columns: usize, rows: usize, most: u64) -> Vec<String> {
    let each = counts.len().div_ceil(columns.max(1)).max(1);
    let heights: Vec<u64> = counts
        .chunks(each)
        .map(|counts| {
            let count = counts.iter().copied().max().unwrap_or(0);
            let eighths = u128::from(count) * 8 * rows as u128;
            u64::try_from(eighths.div_ceil(u128::from(most.max(1)))).unwrap_or(u64::MAX)
        })
        .collect();
    let row = |row: usize| {
        let below = (rows - 1 - row) as u64 * 8;
        let cell = |height: &u64| {
            let eighths = height.saturating_sub(below).min(8);
            EIGHTHS[usize::try_from(eighths).unwrap_or(0)]
        };
        heights.iter().map(cell).collect()
    };
    (0..rows).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_high_as_their_counts_and_nothing_that_was_used_is_hidden() {
        let line = SparkLine {
            counts: vec![0, 1, 50, 100, 1_000],
        };
        assert_eq!(line.cells(10, 1_000), " ▁▁▁█");
        assert_eq!(line.cells(10, 100), " ▁▄██");
        assert_eq!(line.cells(3, 1_000), "▁▁█", "the highest of two");
        assert_eq!(bars(&[4, 8, 16], 9, 2, 16), ["  █", "▄██"]);
        assert_eq!(SparkLine::default().cells(10, 0), "");
    }
}

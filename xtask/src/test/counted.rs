//! What test programs say at their ends, added up.

use xtask::command::{Ended, Gathered};

/// How many tests have passed, how many have not, and which programs failed why.
#[derive(Default)]
pub(super) struct Counted {
    pub(super) passed: usize,
    failed: usize,
    wrong: Vec<String>,
}

impl Counted {
    /// Adds what a run has printed; returns whether all its tests have passed.
    pub(super) fn add(&mut self, run: Gathered) -> bool {
        for line in &run.lines {
            if let Some(closing) = line.strip_prefix("test result: ") {
                self.passed += count(closing, " passed");
                self.failed += count(closing, " failed");
            }
        }
        match run.ended {
            Ended::Passed(_) => true,
            Ended::Failed(why) | Ended::Skipped(why) => {
                self.wrong.push(why);
                false
            }
        }
    }

    /// Something is wrong that no test has said.
    pub(super) fn wrong(&mut self, why: String) {
        self.wrong.push(why);
    }

    /// The end of the step.
    pub(super) fn ended(self) -> Ended {
        let Self {
            passed,
            failed,
            wrong,
        } = self;
        println!("all tests together: {passed} passed, {failed} failed");
        if wrong.is_empty() {
            return Ended::Passed(format!("{passed} tests"));
        }
        Ended::Failed(format!(
            "{failed} of {} tests; {}",
            passed + failed,
            wrong.join("; ")
        ))
    }
}

/// The number that stands before `word`.
fn count(closing: &str, word: &str) -> usize {
    closing
        .split(['.', ';'])
        .find_map(|part| part.trim().strip_suffix(word)?.parse().ok())
        .unwrap_or(0)
}

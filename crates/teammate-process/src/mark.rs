//! Marks: a word in the environment of everything a command starts, by which it is found wherever it went. A process
//! group is left by `setsid`; an environment is inherited by all descendants.
//!
//! Found are processes of this user on Linux; elsewhere none. A program that throws its environment
//! away is not found either: that takes namespaces.

use std::path::Path;

use rustix::process::{Pid, Signal, kill_process};
use uuid::Uuid;

use crate::table;

/// Marks the processes of one command.
const RUN: &str = "TEAMMATE_RUN";
/// Marks the processes of one team.
const TEAM: &str = "TEAMMATE_TEAM";

/// A mark.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Mark {
    variable: &'static str,
    word: String,
}

impl Mark {
    /// A mark that nobody else has.
    pub fn of_run() -> Self {
        Self {
            variable: RUN,
            word: Uuid::now_v7().to_string(),
        }
    }

    /// The mark of all that the team in this directory starts, today and tomorrow.
    pub fn of_team(team_dir: &Path) -> Self {
        use std::os::unix::fs::MetadataExt as _;
        // The path alone could be that of a team in another container.
        let place = std::fs::metadata(team_dir).map_or((0, 0), |found| (found.dev(), found.ino()));
        let name = format!("{} {place:?}", team_dir.display());
        Self {
            variable: TEAM,
            word: Uuid::new_v5(&Uuid::NAMESPACE_URL, name.as_bytes()).to_string(),
        }
    }

    /// Whether this process was started with the mark of any team.
    pub fn is_any_in_environment() -> bool {
        std::env::var_os(TEAM).is_some_and(|marks| !marks.is_empty())
    }

    /// The variable and its value. A team within a team's command keeps the outer mark beside its own.
    pub fn in_environment(&self, environment: &[(String, String)]) -> (String, String) {
        let outer = environment.iter().find(|(name, _)| name == self.variable);
        let value = match outer {
            Some((_, outer)) => format!("{outer} {}", self.word),
            None => self.word.clone(),
        };
        (self.variable.to_owned(), value)
    }

    /// Whether this process bears it, or one that it comes from, as far as the table tells. `value` reads its environment.
    pub(crate) fn is_ours(&self, value: impl Fn(&str) -> Option<String>) -> bool {
        let own = value(self.variable).unwrap_or_default();
        own.split(' ').any(|word| word == self.word)
            || table::come_from().any(|above| table::bears(above, self.variable, &self.word))
    }

    /// Asks everything that is marked to stop, but for what lives in namespaces of its own, whose first process asks. Twice
    /// might be taken for haste.
    pub(crate) fn ask_to_stop(&self) {
        for process in self.processes() {
            if table::is_in_our_namespace(process) {
                // A stopped program hears nothing until it goes on. It may have ended by itself, which is what is wanted.
                let _ = kill_process(process, Signal::TERM);
                let _ = kill_process(process, Signal::CONT);
            }
        }
    }

    /// Kills everything that is marked; says how many there were.
    pub(crate) fn kill(&self) -> usize {
        let found = self.processes();
        for process in &found {
            let _ = kill_process(*process, Signal::KILL);
        }
        found.len()
    }

    /// Whether anything that is marked still runs.
    pub(crate) fn is_alive(&self) -> bool {
        !self.processes().is_empty()
    }

    pub(crate) fn processes(&self) -> Vec<Pid> {
        table::marked(self.variable, &self.word)
    }
}

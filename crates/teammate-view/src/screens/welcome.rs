//! What a person sees first of a team that nobody has talked with: whom one talks with, what one could say here, what
//! members may do, and the keys that lead to everything else.

use crate::t;
use teammate_core::{mode::Mode, team::TeamState};

use crate::{
    TeamView,
    keys::{KeyAction, KeyTable},
    text::{TextLine, TextRole},
};

/// What the workspace is before anybody has worked there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum WorkspaceKind {
    /// A repository with files in it.
    Repository,
    /// Files without a repository.
    #[default]
    Files,
    /// Nothing yet.
    Empty,
}

/// The first words to a person. The rows are whole sentences, which a screen wraps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Welcome {
    /// Whom one talks with.
    pub who: String,
    /// Three things that one could say here.
    pub examples: [&'static str; 3],
    /// The model that answers.
    pub model: String,
    /// The permission mode, and what it means.
    pub mode: String,
}

impl Welcome {
    /// The words above the examples.
    pub const SAY: &'static str = "Say what to do, for example:";

    /// The heading of all of it.
    pub const TITLE: &'static str = "Welcome";

    /// The words for a team that nobody has talked with; nothing if somebody has.
    pub fn of(view: &TeamView, workspace: WorkspaceKind, model: &str, mode: &str) -> Option<Self> {
        let begins = || Self::to_begin(view.team(), workspace, model, mode);
        view.is_new().then(begins)
    }

    /// The words, where it is known otherwise that nobody has talked with the team.
    pub fn to_begin(team: &TeamState, workspace: WorkspaceKind, model: &str, mode: &str) -> Self {
        let tasks = team.board().tasks().count();
        Self {
            who: t("You talk with the lead. It works alone, or spawns teammates that work side by side: as many as \
                  you ask for.")
                .to_owned(),
            examples: match tasks {
                0 => examples(workspace),
                _ => ON_THE_BOARD,
            }
            .map(t),
            model: match model {
                "" => t("none").to_owned(),
                model => model.to_owned(),
            },
            mode: match Mode::parse(mode) {
                Some(known) => format!("{mode}: {}", mode_words(known)),
                None => mode.to_owned(),
            },
        }
    }

    /// The keys that lead to everything else, in a line.
    pub fn keys(keys: &KeyTable) -> TextLine {
        let mut line = TextLine::default();
        for (action, does) in [
            (KeyAction::Send, t("sends")),
            (KeyAction::Palette, t("finds every command")),
            (KeyAction::NextNeed, t("what needs you")),
            (KeyAction::Help, t("all keys")),
        ] {
            if !line.spans.is_empty() {
                line.push("   ", TextRole::Plain);
            }
            line.push(&keys.name(action), TextRole::Strong);
            line.push(&format!(" {does}"), TextRole::Dim);
        }
        line
    }
}

impl TeamView {
    /// Whether nobody has said or done anything yet.
    pub fn is_new(&self) -> bool {
        !self.has_worked() && self.mail().iter().len() == 0
    }
}

/// The calls that a mode allows without a question, where no rule says otherwise.
pub fn mode_words(mode: Mode) -> &'static str {
    match mode {
        Mode::Ask => t("looking is free; writing files and running commands is asked"),
        Mode::AcceptEdits => t("writing files in the workspace is free, too"),
        Mode::Bypass => t("nothing is asked; deny rules still hold"),
    }
}

const ON_THE_BOARD: [&str; 3] = [
    "Have two teammates do the tasks on the board.",
    "Look at the tasks: which are unclear, and which comes first?",
    "Do the first task yourself, and show me the change.",
];

fn examples(workspace: WorkspaceKind) -> [&'static str; 3] {
    match workspace {
        WorkspaceKind::Repository => [
            "What is this, how is it built, and where would you begin to read?",
            "Have one teammate fix the failing test and another review the change.",
            "Look for three small bugs; each teammate mends one in its own worktree.",
        ],
        WorkspaceKind::Files => [
            "What is in this directory?",
            "Have two teammates check these files for mistakes, half of them each.",
            "Put what belongs together into directories; ask me first.",
        ],
        WorkspaceKind::Empty => [
            "Build a small web page with a to-do list; another teammate tests it.",
            "Plan a program that sorts photos by date, and ask me what is unclear.",
            "Have three teammates each draft a design, then tell me which is best.",
        ],
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use teammate_core::{Timestamp, port::Record, team::TeamEvent};

    use super::*;
    use crate::Fact;

    fn record(number: u64, events: &str) -> Fact {
        let events: Vec<TeamEvent> = serde_json::from_str(events).unwrap();
        Fact::Record(Arc::new(Record::of(number, Timestamp(1), events)))
    }

    fn welcome(facts: &[Fact], workspace: WorkspaceKind) -> Option<Welcome> {
        Welcome::of(&TeamView::of(facts), workspace, "local:qwen", "ask")
    }

    #[test]
    fn each_beginning_has_examples_of_its_own_that_fit_a_terminal() {
        let of = |workspace| welcome(&[], workspace).unwrap().examples;
        assert!(of(WorkspaceKind::Repository)[0].contains("how is it built"));
        assert!(of(WorkspaceKind::Files)[0].contains("in this directory"));
        assert!(of(WorkspaceKind::Empty)[0].starts_with("Build"));
        let welcome = welcome(&[], WorkspaceKind::Empty).unwrap();
        assert_eq!(welcome.model, "local:qwen");
        assert!(welcome.mode.starts_with("ask: looking is free"));
        for workspace in [
            WorkspaceKind::Repository,
            WorkspaceKind::Files,
            WorkspaceKind::Empty,
        ] {
            let rows = examples(workspace).into_iter().chain(ON_THE_BOARD);
            rows.for_each(|row| assert!(row.len() <= 74, "{row}"));
        }
    }

    #[test]
    fn tasks_on_the_board_come_first_and_work_ends_the_welcome() {
        let begun = r#"[{"event":"created","id":"01a20e2c-8fe1-74bb-922a-4ec3958d012e","name":"default"},
            {"event":"spawned","member":"lead","role":"lead","prompt":"","incarnation":1,"by":"lead","call":"create"}]"#;
        let task = r#"[{"event":"task","task":1,"change":"created","by":"lead","call":"lead/1/1/c",
            "subject":"Fix the limiter","description":"cap it"}]"#;
        let works = r#"[{"event":"working","member":"lead","incarnation":1}]"#;
        let mut facts = vec![record(0, begun)];
        let of = |facts: &[Fact]| welcome(facts, WorkspaceKind::Repository).map(|all| all.examples);
        assert_eq!(of(&facts), Some(examples(WorkspaceKind::Repository)));
        facts.push(record(1, task));
        assert_eq!(of(&facts), Some(ON_THE_BOARD));
        facts.push(record(2, works));
        assert_eq!(of(&facts), None);
    }

    #[test]
    fn the_keys_are_those_that_the_person_has() {
        let wishes = serde_json::from_str(r#"{"palette": "F9"}"#).unwrap();
        let keys = KeyTable::new(&wishes).unwrap();
        assert_eq!(
            Welcome::keys(&keys).plain(),
            "Enter sends   F9 finds every command   Ctrl-N what needs you   ? all keys"
        );
    }
}

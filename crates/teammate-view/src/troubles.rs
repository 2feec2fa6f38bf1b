//! Troubles that the user should look at and nobody answers: a trouble waits for nothing, so it is no [`crate::Need`], and
//! calls nobody.

use crate::t;
use std::{collections::BTreeMap, time::Duration};

use teammate_core::{
    MemberName, Timestamp,
    event::{Event, EventKind, MergeEnd, NoteAbout},
    tool::CallId,
};

use crate::{DoingKind, Story};

/// A call of which nothing was heard for so long is silent.
const SILENT_AFTER: Duration = Duration::from_mins(10);

/// Something to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    pub kind: TroubleKind,
    /// Whose logs or call it is, or who tried to merge.
    pub member: MemberName,
    /// The subject, in one line, not cleaned for a terminal.
    pub about: String,
    pub since: Timestamp,
}

/// The kinds of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TroubleKind {
    /// Lines that could not be read, or are missing, in this run.
    DamagedLines,
    /// A worktree that could not be merged in this run, and was not since.
    MergeConflict {
        /// Its name.
        worktree: String,
    },
    /// A call that runs, with nothing heard of its member for ten minutes.
    SilentCall(CallId),
}

impl TroubleKind {
    /// The word for other programs.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::DamagedLines => "damaged_lines",
            Self::MergeConflict { .. } => "merge_conflict",
            Self::SilentCall(_) => "silent_call",
        }
    }
}

impl Trouble {
    /// The trouble, in a sentence.
    pub fn in_a_sentence(&self, now: Timestamp) -> String {
        let Self { member, about, .. } = self;
        match &self.kind {
            TroubleKind::DamagedLines => t!("{member} has damaged lines: {about}", member, about),
            TroubleKind::MergeConflict { worktree } => {
                t!(
                    "{member} could not merge the worktree {worktree}: conflicts in {about}",
                    member,
                    worktree,
                    about
                )
            }
            TroubleKind::SilentCall(_) => {
                let minutes = now.millis_since(self.since) / 60_000;
                t!(
                    "{member} has said nothing for {minutes} min, in {about}",
                    member,
                    minutes,
                    about
                )
            }
        }
    }
}

/// The troubles that events of this run have told of.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct RunTroubles {
    damage: BTreeMap<MemberName, (Timestamp, String)>,
    conflicts: BTreeMap<String, (Timestamp, MemberName, Vec<String>)>,
}

impl RunTroubles {
    /// Takes an event; each run begins without any.
    pub(crate) fn take(&mut self, event: &Event) {
        match &event.what {
            EventKind::TeamOpened { worker: None, .. } => *self = Self::default(),
            EventKind::Note {
                text,
                about: Some(NoteAbout::Damage),
            } => {
                let damage = (event.at, text.clone());
                self.damage.insert(event.member.clone(), damage);
            }
            EventKind::ToolFinished {
                merge: Some(merge), ..
            } => self.merged(event, merge),
            _ => {}
        }
    }

    fn merged(&mut self, event: &Event, merge: &MergeEnd) {
        if merge.conflicts.is_empty() {
            self.conflicts.remove(&merge.worktree);
        } else {
            let conflict = (event.at, event.member.clone(), merge.conflicts.clone());
            self.conflicts.insert(merge.worktree.clone(), conflict);
        }
    }

    /// All that there is to look at now, the oldest first.
    pub(crate) fn and_silent(
        &self,
        stories: &BTreeMap<MemberName, Story>,
        now: Timestamp,
    ) -> Vec<Trouble> {
        let stories = stories.iter();
        let silent = stories.filter_map(|(member, story)| silent(member, story, now));
        let mut all: Vec<Trouble> = self.of_run().chain(silent).collect();
        all.sort_by_key(|trouble| trouble.since);
        all
    }

    fn of_run(&self) -> impl Iterator<Item = Trouble> {
        let damage = self.damage.iter().map(|(member, (since, text))| Trouble {
            kind: TroubleKind::DamagedLines,
            member: member.clone(),
            about: text.clone(),
            since: *since,
        });
        let conflicts = self.conflicts.iter();
        let conflicts = conflicts.map(|(worktree, (since, member, files))| Trouble {
            kind: TroubleKind::MergeConflict {
                worktree: worktree.clone(),
            },
            member: member.clone(),
            about: files.join(", "),
            since: *since,
        });
        damage.chain(conflicts)
    }
}

/// The call of a member that is silent now.
fn silent(member: &MemberName, story: &Story, now: Timestamp) -> Option<Trouble> {
    let DoingKind::Runs {
        call,
        tool,
        summary,
    } = &story.doing()?.what
    else {
        return None;
    };
    let heard = story.last_event()?;
    // Who waits for something says so.
    let is_silent = story.waits().is_none() && now >= heard.after(SILENT_AFTER);
    is_silent.then(|| Trouble {
        kind: TroubleKind::SilentCall(call.clone()),
        member: member.clone(),
        about: format!("{tool} {summary}"),
        since: heard,
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Fact, TeamView};

    const MINUTE: u64 = 60_000;

    /// The view after these events, each at its minute, at this minute.
    fn view(events: &[(u64, &str, &str)], now: u64) -> TeamView {
        let mut view = TeamView::default();
        for (at, member, what) in events {
            let at = at * MINUTE;
            let line = format!(r#"{{"at":{at},"member":"{member}",{what}}}"#);
            let event = serde_json::from_str::<Event>(&line).unwrap();
            view.apply(&Fact::Event(Arc::new(event)));
        }
        view.apply(&Fact::Clock(Timestamp(now * MINUTE)));
        view
    }

    fn sentences(events: &[(u64, &str, &str)], now: u64) -> Vec<String> {
        let view = view(events, now);
        assert!(view.needs().is_empty(), "none of it waits for the user");
        let troubles = view.troubles().into_iter();
        troubles
            .map(|trouble| trouble.in_a_sentence(view.now()))
            .collect()
    }

    const OPENED: &str =
        r#""event":"team_opened","team":"default","members":["lead"],"resumed":false"#;
    const BEGUN: &str =
        r#""event":"tool_started","call":"c1","tool":"bash","summary":"cargo test""#;

    fn merged(conflicts: &str) -> String {
        format!(
            r#""event":"tool_finished","call":"c2","tool":"finish_worktree","ok":false,"summary":"","took_ms":1,"merge":{{"worktree":"carol"{conflicts}}}"#
        )
    }

    #[test]
    fn a_call_is_silent_after_ten_minutes_without_a_word_of_its_member() {
        let begun = [(0, "lead", OPENED), (1, "alice", BEGUN)];
        assert_eq!(sentences(&begun, 10), [""; 0]);
        let silent = ["alice has said nothing for 11 min, in bash cargo test"];
        assert_eq!(sentences(&begun, 12), silent);
        // A subagent's call is a word of its member, and so is an answer.
        let subagent = r#""event":"tool_started","call":"c2","tool":"grep","summary":"x","subagent":"explore""#;
        let heard = [begun[0], begun[1], (9, "alice", subagent)];
        assert_eq!(sentences(&heard, 12), [""; 0]);
        let ended = r#""event":"tool_finished","call":"c1","tool":"bash","ok":true,"summary":"","took_ms":1"#;
        let ended = [begun[0], begun[1], (2, "alice", ended)];
        assert_eq!(sentences(&ended, 60), [""; 0]);
        // Who waits is not silent.
        let waits = r#""event":"status","status":"working","phase":"waits","waits":{"on":"mail","id":"bob","since":60000}"#;
        let waiting = [begun[0], begun[1], (1, "alice", waits)];
        assert_eq!(sentences(&waiting, 60), [""; 0]);
    }

    #[test]
    fn a_conflict_stays_until_the_worktree_is_merged() {
        let conflict = merged(r#","conflicts":["src/lex.rs","b.rs"]"#);
        let told = [(0, "lead", OPENED), (1, "lead", conflict.as_str())];
        let shown = ["lead could not merge the worktree carol: conflicts in src/lex.rs, b.rs"];
        assert_eq!(sentences(&told, 3), shown);
        let merged = merged("");
        let settled = [told[0], told[1], (2, "bob", merged.as_str())];
        assert_eq!(sentences(&settled, 3), [""; 0]);
    }

    #[test]
    fn damage_is_known_by_what_a_note_is_about_and_a_new_run_tells_it_again() {
        let note = r#""event":"notice","text":"a line in the inbox could not be read""#;
        let damage = format!(r#"{note},"about":"damage""#);
        let told = [
            (0, "lead", OPENED),
            (1, "alice", damage.as_str()),
            (2, "bob", note),
        ];
        let shown = ["alice has damaged lines: a line in the inbox could not be read"];
        assert_eq!(sentences(&told, 3), shown);
        let anew = [told[0], told[1], (4, "lead", OPENED)];
        assert_eq!(sentences(&anew, 5), [""; 0]);
    }
}

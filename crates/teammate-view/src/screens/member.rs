//! One member: what it heard, said and did, newest at the end, and what it writes now.

use crate::t;
use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::{Incarnation, MemberName, Timestamp, team::TodoList, transcript::EndReason};

use super::room::{Room, beginning, ending, line};
use crate::{
    Call, CallState, Item, ItemKind, Story, TeamView,
    money::context_text,
    sender_name,
    text::{Span, TextRole},
};

/// The most bytes of a text that are shown, and of the answer that is on its way.
const TEXT_BYTES_MAX: usize = 32 << 10;

/// Lines of a change that are sent before it is opened whole.
const DIFF_LINES: usize = 12;

/// The line in the place of a picture in an output.
const PICTURE: &str = "[image]";

/// So many pictures of one call are shown.
const PICTURES_MAX: usize = 8;

/// A piece of the story of a member.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MemberScreen {
    pub name: String,
    /// Role, model, life, task.
    pub about: String,
    pub todos: Vec<(&'static str, String)>,
    pub entries: Vec<StoryEntry>,
    /// The value of `before` that gives the next older ones.
    pub older: Option<u64>,
    /// How many still older ones are not kept, where these are the oldest.
    pub dropped: u64,
    /// The text of the answer that is on its way.
    pub writing: String,
    pub doing: Option<String>,
    pub doing_since: Option<u64>,
    /// Whether these are the newest entries.
    pub is_end: bool,
}

/// An entry of a story.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StoryEntry {
    /// Its number over the whole story.
    pub number: u64,
    pub at: u64,
    pub kind: EntryKind,
    /// Of what was heard: from whom.
    pub from: Option<String>,
    /// Markdown, where something was heard or said; otherwise a line.
    pub text: String,
    pub call: Option<EntryCall>,
}

/// How an entry is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EntryKind {
    Heard,
    Said,
    Call,
    Sent,
    Subagent,
    /// Its turn failed, or reached a limit.
    Failed,
    Request,
    Task,
    Note,
}

/// The words of an entry.
#[derive(Debug)]
pub struct EntryWords {
    pub kind: EntryKind,
    /// Of what was heard: from whom.
    pub from: Option<String>,
    /// Markdown, where something was heard or said; otherwise a line.
    pub text: String,
    /// How it ended, of a subagent.
    pub end: Option<Span>,
}

/// A tool call.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EntryCall {
    pub tool: String,
    pub summary: String,
    pub subagent: Option<String>,
    /// Whether it worked, once it has ended.
    pub ok: Option<bool>,
    #[serde(skip)]
    pub state: CallState,
    /// How it ended, in short, how long it ran, and how long it waited for the user.
    pub ended: String,
    /// How much of its time it waited for answers, once it has ended.
    pub waited_ms: u64,
    /// Questions to the user that it waited for.
    pub asked: Vec<EntryQuestion>,
    /// The beginning of what it changed: a unified diff.
    pub diff: Option<String>,
    /// Lines of the diff that are left out here.
    pub more: usize,
    /// How many pictures it seems to have given its member; the member's transcript has them.
    pub pictures: usize,
}

/// A question about a call.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EntryQuestion {
    pub is_open: bool,
    /// Question and answer in a line.
    pub text: String,
}

impl EntryWords {
    /// Without words where another entry says it.
    pub fn of(what: &ItemKind) -> Self {
        let (mut from, mut end) = (None, None);
        let line = || what.line().unwrap_or_default();
        let (kind, text) = match what {
            ItemKind::Heard {
                from: sender, text, ..
            } => {
                from = Some(sender_name(sender, t("you")));
                (EntryKind::Heard, text.clone())
            }
            ItemKind::Said { text } => (EntryKind::Said, text.clone()),
            ItemKind::Called(call) => (EntryKind::Call, call.line()),
            ItemKind::Sent { to, text, .. } => {
                (EntryKind::Sent, format!("-> {}: {text}", to.join(", ")))
            }
            ItemKind::Subagent { kind, title, ended } => {
                end = Some(match ended {
                    Some((true, summary)) => {
                        Span::new(t!("done: {summary}", summary), TextRole::Good)
                    }
                    Some((false, summary)) => {
                        Span::new(t!("failed: {summary}", summary), TextRole::Bad)
                    }
                    None => Span::new(t("works"), TextRole::Dim),
                });
                (
                    EntryKind::Subagent,
                    t!("subagent {kind} \"{title}\"", kind, title),
                )
            }
            ItemKind::Rested {
                why: EndReason::Failed { .. } | EndReason::Limit { .. },
            } => (EntryKind::Failed, line()),
            // It stands with its call.
            ItemKind::Request { call: Some(_), .. } => (EntryKind::Request, String::new()),
            ItemKind::Request { .. } => (EntryKind::Request, line()),
            ItemKind::Task { .. } => (EntryKind::Task, line()),
            ItemKind::Began { .. }
            | ItemKind::Rested { .. }
            | ItemKind::Stopped { .. }
            | ItemKind::Compacted { .. }
            | ItemKind::Model { .. }
            | ItemKind::Note { .. } => (EntryKind::Note, line()),
        };
        Self {
            kind,
            from,
            text,
            end,
        }
    }
}

impl StoryEntry {
    fn of(number: u64, item: &Item) -> Self {
        let EntryWords {
            kind,
            from,
            mut text,
            end,
        } = EntryWords::of(&item.what);
        if let Some(end) = end {
            text = format!("{text} {}", end.text);
        }
        Self {
            number,
            at: item.at.0,
            kind,
            from,
            text: beginning(&text, TEXT_BYTES_MAX, t("the log has all of it")),
            call: item.call().map(|call| EntryCall::of(item.at, call)),
        }
    }

    /// How long its text is.
    fn bytes(&self) -> usize {
        let diff = self.call.as_ref().and_then(|call| call.diff.as_ref());
        self.text.len() + diff.map_or(0, String::len)
    }
}

impl EntryCall {
    fn of(at: Timestamp, call: &Call) -> Self {
        let diff = call.change().map(|change| change.diff.as_str());
        let lines = diff.map_or(0, |diff| diff.lines().count());
        let asked = call.asked.iter().filter(|question| !question.is_within);
        let beginning: Option<Vec<&str>> = diff.map(|diff| diff.lines().take(DIFF_LINES).collect());
        Self {
            tool: call.tool.clone(),
            summary: line(&call.summary),
            subagent: call.subagent.clone(),
            ok: call.ended.as_ref().map(|end| end.ok),
            state: call.state(),
            waited_ms: match call.ended {
                Some(_) => call.waited_ms(at),
                None => 0,
            },
            ended: line(&call.outcome(at, t("you"))),
            asked: asked
                .map(|question| EntryQuestion {
                    is_open: question.ended.is_none(),
                    text: question.line(t("you")),
                })
                .collect(),
            diff: beginning
                .map(|lines| lines.join("\n"))
                .filter(|diff| !diff.is_empty()),
            more: lines.saturating_sub(DIFF_LINES),
            pictures: pictures(call),
        }
    }
}

/// The pictures of a call, as its output names each in a line of its own.
fn pictures(call: &Call) -> usize {
    let output = call.ended.as_ref().and_then(|end| end.output.as_ref());
    let lines = output.map(|output| output.head.lines().chain(output.tail.lines()));
    let named = lines.into_iter().flatten().filter(|line| *line == PICTURE);
    named.count().min(PICTURES_MAX)
}

impl MemberScreen {
    pub const TODOS: &str = "Its list";

    /// The newest entries, or those before this one.
    pub fn of(view: &TeamView, name: &MemberName, before: Option<u64>) -> Self {
        let story = view.story(name);
        let newest = story.into_iter().flat_map(Story::numbered).rev();
        let shown = newest.skip_while(|(number, _)| before.is_some_and(|before| *number >= before));
        let mut room = Room::default();
        let mut entries: Vec<StoryEntry> = shown
            .map(|(number, item)| StoryEntry::of(number, item))
            .filter(|entry| !entry.text.is_empty() || entry.call.is_some())
            .take_while(|entry| room.takes(entry.bytes()))
            .collect();
        entries.reverse();
        let first = story.map_or(0, Story::dropped);
        let older = entries
            .first()
            .map(|entry| entry.number)
            .filter(|number| *number > first);
        let working = view.at_work(name);
        let todos = view.team().member(name).map(|member| &member.todos);
        let todos = todos
            .into_iter()
            .flat_map(TodoList::items)
            .map(|todo| (todo.status.mark(), todo.content.clone()));
        Self {
            name: name.to_string(),
            about: Self::about(view, name, story.and_then(Story::model)),
            todos: todos.collect(),
            dropped: if older.is_none() { first } else { 0 },
            entries,
            older,
            writing: story
                .map(|story| ending(story.writing(), TEXT_BYTES_MAX))
                .unwrap_or_default(),
            doing: working.as_ref().map(|working| line(&working.text)),
            doing_since: working.and_then(|working| working.since).map(|at| at.0),
            is_end: before.is_none(),
        }
    }

    /// A member in a line: its role, life, worktree, model and task, and how full its context is.
    pub fn about(view: &TeamView, name: &MemberName, model: Option<&str>) -> String {
        let Some(member) = view.team().member(name) else {
            return t("not in the team").to_owned();
        };
        let life = Some(member.incarnation).filter(|life| *life != Incarnation::FIRST);
        let task = view.team().board().task_of(name);
        let parts = [
            Some(member.role_and_engine()),
            life.map(|life| t!("life {life}", life)),
            member.options.worktree.then(|| t!("worktree {name}", name)),
            model.map(str::to_owned),
            task.map(|task| format!("{} {}", task.id, task.subject)),
            view.context(name).map(context_text),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        parts.join(", ")
    }
}

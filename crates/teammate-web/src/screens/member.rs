//! One member: what it heard, said and did, newest at the end, and what it writes now.

use schemars::JsonSchema;
use serde::Serialize;
use teammate_core::{MemberName, Timestamp, transcript::EndReason};
use teammate_view::{
    Call, CallState, Item, ItemKind, Story, TeamView, counted,
    diff::read_diff,
    markdown::{parse, parse_unfinished},
    sender_name,
};

use super::{
    part::{Part, moment, more, since},
    room::{Room, beginning, ending, line},
};
use crate::{html::Html, markup};

/// The most bytes of a text that are shown, and of the answer that is on its way.
const TEXT_BYTES_MAX: usize = 32 << 10;

/// Lines of a change that are in the page before it is opened whole.
const DIFF_LINES: usize = 12;

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct MemberScreen {
    name: String,
    /// Role, model, life, task.
    about: String,
    todos: Vec<(&'static str, String)>,
    entries: Vec<Entry>,
    /// What `before` has to be for the next older ones.
    older: Option<u64>,
    /// How many still older ones are not kept, where these are the oldest.
    dropped: u64,
    /// The text of the answer that is on its way.
    writing: String,
    doing: Option<String>,
    doing_since: Option<u64>,
    /// Whether these are the newest entries.
    is_end: bool,
}

/// An entry of a story.
#[derive(Debug, Serialize, JsonSchema)]
struct Entry {
    /// Its number over the whole story.
    number: u64,
    at: u64,
    kind: &'static str,
    /// Of what was heard: from whom.
    from: Option<String>,
    /// Markdown, where something was heard or said; otherwise a line.
    text: String,
    call: Option<EntryCall>,
}

/// A tool call.
#[derive(Debug, Serialize, JsonSchema)]
struct EntryCall {
    tool: String,
    summary: String,
    subagent: Option<String>,
    /// Whether it worked, once it has ended.
    ok: Option<bool>,
    #[serde(skip)]
    state: CallState,
    /// How it ended, in short, how long it ran, and how long it waited for the user.
    ended: String,
    /// How much of its time it waited for answers, once it has ended.
    waited_ms: u64,
    /// What the user was asked before it could go on.
    asked: Vec<Asked>,
    /// The beginning of what it changed: a unified diff.
    diff: Option<String>,
    /// Lines of the diff that are left out here.
    more: usize,
}

/// A question about a call.
#[derive(Debug, Serialize, JsonSchema)]
struct Asked {
    is_open: bool,
    /// Question and answer in a line.
    text: String,
}

impl Entry {
    fn of(number: u64, item: &Item) -> Self {
        let mut from = None;
        let mut call = None;
        let (kind, text) = match &item.what {
            ItemKind::Heard {
                from: sender, text, ..
            } => {
                from = Some(sender_name(sender, "you"));
                ("heard", text.clone())
            }
            ItemKind::Said { text } => ("said", text.clone()),
            ItemKind::Called(called) => {
                call = Some(EntryCall::of(item.at, called));
                ("call", called.line())
            }
            ItemKind::Sent { to, text, .. } => ("sent", format!("to {}: {text}", to.join(", "))),
            ItemKind::Subagent { kind, title, ended } => {
                let end = match ended {
                    Some((true, summary)) => format!("done: {summary}"),
                    Some((false, summary)) => format!("failed: {summary}"),
                    None => "works".to_owned(),
                };
                ("subagent", format!("subagent {kind} \"{title}\" {end}"))
            }
            ItemKind::Rested {
                why: EndReason::Failed { .. } | EndReason::Limit { .. },
            } => ("failed", item.what.line().unwrap_or_default()),
            // It stands with its call.
            ItemKind::Request { call: Some(_), .. } => ("request", String::new()),
            ItemKind::Request { .. } => ("request", item.what.line().unwrap_or_default()),
            ItemKind::Task { .. } => ("task", item.what.line().unwrap_or_default()),
            ItemKind::Began { .. }
            | ItemKind::Rested { .. }
            | ItemKind::Stopped { .. }
            | ItemKind::Compacted { .. }
            | ItemKind::Model { .. }
            | ItemKind::Note { .. } => ("note", item.what.line().unwrap_or_default()),
        };
        Self {
            number,
            at: item.at.0,
            kind,
            from,
            text: beginning(&text, TEXT_BYTES_MAX, "the log has all of it"),
            call,
        }
    }

    /// How long its text is.
    fn bytes(&self) -> usize {
        let diff = self.call.as_ref().and_then(|call| call.diff.as_ref());
        self.text.len() + diff.map_or(0, String::len)
    }

    fn part(&self, member: &str) -> Part {
        let class = match self.kind {
            "heard" => "entry heard",
            "said" => "entry said",
            "failed" => "entry bad",
            "request" => "entry need",
            "call" => "entry call",
            _ => "entry dim",
        };
        Part::new(
            "div",
            format!("entry-{member}-{}", self.number),
            class,
            |html| match (&self.call, &self.from) {
                (Some(call), _) => call.show(html, member, self.number),
                (None, Some(from)) => {
                    html.element("p", &[("class", "head")], |html| {
                        moment(html, Timestamp(self.at));
                        html.line("b", &[], &format!(" heard from {from}"));
                    });
                    markup::blocks(html, &parse(&self.text));
                }
                (None, None) if self.kind == "said" => markup::blocks(html, &parse(&self.text)),
                (None, None) => {
                    moment(html, Timestamp(self.at));
                    html.text(" ").text(&self.text);
                }
            },
        )
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
            ended: line(&call.outcome(at, "you")),
            asked: asked
                .map(|question| Asked {
                    is_open: question.ended.is_none(),
                    text: question.line("you"),
                })
                .collect(),
            diff: beginning
                .map(|lines| lines.join("\n"))
                .filter(|diff| !diff.is_empty()),
            more: lines.saturating_sub(DIFF_LINES),
        }
    }

    fn show(&self, html: &mut Html, member: &str, number: u64) {
        let address = format!("/h/call/{member}/{number}");
        html.element("details", &[("data-inside", &address)], |html| {
            html.element("summary", &[], |html| {
                let class = match self.state {
                    CallState::Done | CallState::Runs => "good",
                    CallState::Failed => "bad",
                    CallState::Refused => "refused",
                    CallState::Waits => "need",
                    CallState::Cut => "dim",
                };
                let hidden = [("class", class), ("aria-hidden", "true")];
                html.line("span", &hidden, self.state.sign());
                let by = self.subagent.as_ref().map(|kind| format!("({kind}) "));
                html.text(" ").text(&by.unwrap_or_default());
                html.line("b", &[], &self.tool)
                    .text(" ")
                    .text(&self.summary)
                    .text("  ");
                html.line("span", &[("class", class)], &self.ended);
            });
        });
        for question in &self.asked {
            let class = if question.is_open { "need" } else { "dim" };
            html.line("p", &[("class", class)], &question.text);
        }
        if let Some(beginning) = &self.diff {
            markup::diff(html, &read_diff(beginning));
            if self.more > 0 {
                html.line(
                    "p",
                    &[("class", "dim")],
                    &format!(
                        "{}: open the call",
                        counted(self.more as u64, "line more", "lines more")
                    ),
                );
            }
        }
    }
}

/// What a call was given, printed and changed, as far as its events hold it; nothing if there is no such call.
pub(crate) fn call(story: &Story, number: u64) -> Option<Html> {
    let mut entries = story.numbered();
    let (_, item) = entries.find(|(known, _)| *known == number)?;
    let ItemKind::Called(call) = &item.what else {
        return None;
    };
    let mut html = Html::default();
    html.element("div", &[("class", "inside")], |html| {
        if let Some(input) = &call.input {
            html.line("p", &[("class", "dim")], "given");
            html.line("pre", &[("tabindex", "0")], input);
        }
        let Some(end) = &call.ended else { return };
        match (&end.change, &end.output) {
            (Some(change), _) => markup::diff(html, &read_diff(&change.diff)),
            (None, Some(output)) => {
                html.line("p", &[("class", "dim")], "came of it");
                html.line("pre", &[("tabindex", "0")], &output.head);
                if !output.tail.is_empty() {
                    html.line(
                        "p",
                        &[("class", "dim")],
                        "… what is between is not in the event",
                    );
                    html.line("pre", &[("tabindex", "0")], &output.tail);
                }
            }
            (None, None) => {
                html.line("p", &[], &end.summary);
            }
        }
        if let Some(file) = &end.file {
            html.line("p", &[("class", "dim")], &format!("all of it is in {file}"));
        }
    });
    Some(html)
}

impl MemberScreen {
    pub(super) fn of(view: &TeamView, name: &MemberName, before: Option<u64>) -> Self {
        let story = view.story(name);
        let newest = story.into_iter().flat_map(Story::numbered).rev();
        let shown = newest.skip_while(|(number, _)| before.is_some_and(|before| *number >= before));
        let mut room = Room::default();
        let mut entries: Vec<Entry> = shown
            .map(|(number, item)| Entry::of(number, item))
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
            .flat_map(teammate_core::team::TodoList::items)
            .map(|todo| (todo.status.mark(), todo.content.clone()));
        Self {
            name: name.to_string(),
            about: about(view, name),
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

    pub(super) fn parts(&self) -> Vec<Part> {
        let name = &self.name;
        let mut parts = Vec::new();
        if self.is_end {
            parts.push(Part::new("h2", format!("head-{name}"), "", |html| {
                html.text(name)
                    .line("span", &[("class", "dim")], &format!(" {}", self.about));
            }));
        }
        parts.extend(
            self.older
                .map(|before| more(&format!("older-{name}"), before, "Older")),
        );
        if self.dropped > 0 {
            parts.push(Part::new("p", format!("older-{name}"), "dim", |html| {
                html.text(&format!(
                    "{} earlier entries are not kept here: the log has them",
                    self.dropped
                ));
            }));
        }
        parts.extend(self.entries.iter().map(|entry| entry.part(name)));
        if self.is_end {
            parts.push(Part::new("div", writing_id(name), "writing", |html| {
                markup::blocks(html, &parse_unfinished(&self.writing));
            }));
            parts.push(Part::new("p", format!("doing-{name}"), "dim", |html| {
                html.text(self.doing.as_deref().unwrap_or_default())
                    .text(" ");
                if let Some(at) = self.doing_since {
                    since(html, Timestamp(at));
                }
            }));
            if !self.todos.is_empty() {
                parts.push(Part::new("div", format!("todos-{name}"), "", |html| {
                    html.line("h2", &[], "Its list");
                    for (sign, text) in &self.todos {
                        html.line("div", &[("class", "row")], &format!("{sign} {text}"));
                    }
                }));
            }
        }
        parts
    }
}

/// The element that pieces of an answer are added to.
pub(crate) fn writing_id(name: &str) -> String {
    format!("writing-{name}")
}

fn about(view: &TeamView, name: &MemberName) -> String {
    let mut about = view.about_member(name, view.story(name).and_then(Story::model));
    if about.is_empty() {
        return "not in the team".to_owned();
    }
    about.extend(view.context(name).map(|percent| format!("ctx {percent} %")));
    about.join(", ")
}

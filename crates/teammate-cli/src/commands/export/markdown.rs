//! The run as Markdown: for people, and for whatever shows Markdown. Texts of members stand in it as they wrote them.

use std::fmt::Write as _;

use teammate::{MemberName, board::Task, request::Request};
use teammate_view::{BoardLists, ItemKind, Mail, Receipt, Story};

use super::WholeRun;
use crate::screen::{Local, cost_lines};

pub(super) fn of(run: &WholeRun) -> String {
    let view = &run.view;
    let team = view.team();
    let state = if run.is_running {
        "running"
    } else {
        "not running"
    };
    let until = Local::at(view.now());
    let mut text = format!(
        "# Team {}\n\nAs of {} {until}, {state}.\n\n## Members\n\n",
        team.name(),
        until.day()
    );
    for line in view.roster() {
        let _ = writeln!(text, "- {} ({}): {}", line.name, line.role, line.text);
    }
    text += "\n## The lead's conversations\n\n";
    for (line, state) in &run.conversations {
        let prompt = in_a_line(line.prompt.as_deref().unwrap_or("(no prompt)"));
        let _ = writeln!(text, "- {} ({state}): {prompt}", line.id);
    }
    text += "\n## Board\n\n";
    let lists = BoardLists::of(team);
    for task in lists.in_order() {
        self::task(&mut text, task, &team.status_text(task));
    }
    text += "\n## Requests\n\n";
    let requests = team.requests();
    let requests = requests.past().chain(requests.pending());
    requests.for_each(|asked| request(&mut text, asked));
    text += "\n## Cost\n\n```\n";
    for line in cost_lines(&run.spending, &run.prices) {
        let _ = writeln!(text, "{line}");
    }
    text += "```\n\n## Mail\n";
    if view.unknown_events() > 0 {
        let _ = write!(
            text,
            "\n(The event log begins with event {}: what was said before is in the transcripts only.)\n",
            view.unknown_events()
        );
    }
    left_out(&mut text, view.mail().dropped(), "messages");
    view.mail().iter().for_each(|one| mail(&mut text, one));
    for (name, story) in view.stories() {
        let _ = write!(text, "\n## What {name} heard, said and did\n");
        entries(&mut text, story, "###");
    }
    text
}

/// One member's conversation as a document of its own.
pub(in crate::commands) fn conversation(member: &MemberName, story: &Story) -> String {
    let mut text = format!("# {member}\n");
    entries(&mut text, story, "##");
    text
}

fn entries(text: &mut String, story: &Story, heading: &str) {
    left_out(text, story.dropped(), "entries");
    for item in story.items() {
        let entry = entry(&item.what, heading);
        if !entry.is_empty() {
            let _ = write!(text, "\n{entry}\n");
        }
    }
}

fn left_out(text: &mut String, count: u64, what: &str) {
    if count > 0 {
        let _ = write!(text, "\n({count} older {what} are left out.)\n");
    }
}

fn task(text: &mut String, task: &Task, status: &str) {
    let (subject, status) = (in_a_line(&task.subject), in_a_line(status));
    let _ = writeln!(text, "- {} {subject} ({status})", task.id);
    if let Some(run) = task.status.evidence() {
        let _ = writeln!(text, "  `{}`: {}", in_a_line(&run.check), run.describe());
    }
    if !task.description.is_empty() {
        let _ = writeln!(text, "{}", indented(&task.description));
    }
}

fn request(text: &mut String, request: &Request) {
    let from = request.from.sender();
    let how = in_a_line(&request.state.describe());
    let id = request.id;
    let kind = request.request_kind();
    let _ = writeln!(text, "- {id} {kind} of {from}: {how}");
    let _ = writeln!(text, "{}", fenced(&request.shows()));
}

fn mail(text: &mut String, mail: &Mail) {
    let receipt = match &mail.receipt {
        Receipt::Queued | Receipt::TakenBack | Receipt::Heard { .. } => mail.receipt.word().into(),
        Receipt::Acted { what, .. } => format!("acted: {}", in_a_line(what)),
    };
    let at = Local::at(mail.at);
    let _ = write!(
        text,
        "\n**{} to {}**, {at}, {receipt}\n\n{}\n",
        mail.from,
        mail.to,
        indented(mail.text.trim_end())
    );
}

fn entry(what: &ItemKind, heading: &str) -> String {
    match what {
        ItemKind::Heard { from, text, .. } => format!("{heading} {from}\n\n{}", text.trim_end()),
        ItemKind::Said { text } => format!("{heading} answer\n\n{}", text.trim_end()),
        ItemKind::Sent { to, text, .. } => format!("**to {}:** {text}", to.join(", ")),
        ItemKind::Called(call) => {
            let diff = call
                .change()
                .map(|change| format!("\n\n```diff\n{}\n```", change.diff.trim_end()));
            format!(
                "- `{}`{}",
                call.line().replace('`', "'"),
                diff.unwrap_or_default()
            )
        }
        ItemKind::Subagent { kind, title, .. } => format!("- subagent {kind}: {title}"),
        ItemKind::Stopped { how } => format!("- stopped: {how}"),
        ItemKind::Request { text, .. }
        | ItemKind::Task { text }
        | ItemKind::Model { text, .. }
        | ItemKind::Note { text } => format!("- {text}"),
        ItemKind::Began { .. } | ItemKind::Rested { .. } | ItemKind::Compacted { .. } => {
            String::new()
        }
    }
}

fn in_a_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// As part of the list entry above it.
fn indented(text: &str) -> String {
    let lines = text
        .lines()
        .map(|line| format!("  {line}").trim_end().to_owned());
    lines.collect::<Vec<_>>().join("\n")
}

/// Code, in a fence that is longer than any in it.
fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    indented(&format!("{fence}\n{}\n{fence}", text.trim_end()))
}

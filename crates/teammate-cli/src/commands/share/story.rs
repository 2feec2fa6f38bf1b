//! The stories of members and their mail: each entry with its moment, as it was then and as it is since it ended.

use serde::Serialize;
use teammate::{MemberName, Timestamp};
use teammate_view::{
    Call, CallEnd, CallState, Item, ItemKind, Mail, Receipt,
    diff::{DiffKind, read_diff},
    duration_text, sender_name,
};

use super::{
    markdown,
    node::{Node, NodeMaker},
};

#[derive(Debug, Serialize)]
pub(super) struct SharedEntry {
    pub(super) at: u64,
    /// The node from then on.
    pub(super) shows: Node,
    /// The later nodes, each since a moment of its own, in their order.
    pub(super) later: Vec<(u64, Node)>,
}

impl SharedEntry {
    /// All that it ever shows.
    pub(super) fn nodes(&self) -> Vec<&Node> {
        let later = self.later.iter().map(|(_, node)| node);
        std::iter::once(&self.shows).chain(later).collect()
    }
}

/// The entry of an item; nothing of one that another entry says.
pub(super) fn entry(
    member: &MemberName,
    number: u64,
    item: &Item,
    words: &mut NodeMaker<'_>,
) -> Option<SharedEntry> {
    words.enter(&format!("{member}'s conversation, entry {}", number + 1));
    let at = item.at.0;
    let (shows, later) = match &item.what {
        ItemKind::Heard { from, text, .. } => {
            let head = [
                Node::moment(item.at),
                Node::word(" heard from "),
                words.line("b", &sender_name(from, "the user")),
            ];
            let head = Node::element("p.dim", head);
            let inside = std::iter::once(head).chain(markdown::of_message(text, words));
            (Node::element("div.entry.heard", inside), Vec::new())
        }
        ItemKind::Said { text } => {
            let inside = markdown::of(text, words);
            (Node::element("div.entry", inside), Vec::new())
        }
        ItemKind::Called(call) => {
            let end = call.ended.as_ref().map(|end| {
                let ended = at.saturating_add(end.took_ms);
                (ended, called(call, Some(end), item.at, words))
            });
            (
                called(call, None, item.at, words),
                end.into_iter().collect(),
            )
        }
        ItemKind::Sent { to, text, .. } => {
            let to = format!(" to {}: {text}", to.join(", "));
            let inside = [Node::moment(item.at), words.line("span.words", &to)];
            (Node::element("div.entry.dim", inside), Vec::new())
        }
        ItemKind::Subagent { .. }
        | ItemKind::Began { .. }
        | ItemKind::Rested { .. }
        | ItemKind::Stopped { .. }
        | ItemKind::Compacted { .. }
        | ItemKind::Request { .. }
        | ItemKind::Task { .. }
        | ItemKind::Model { .. }
        | ItemKind::Note { .. } => {
            let inside = [
                Node::moment(item.at),
                Node::word(" "),
                words.text(&item.what.line()?),
            ];
            (Node::element("div.entry.dim", inside), Vec::new())
        }
    };
    Some(SharedEntry { at, shows, later })
}

fn called(call: &Call, end: Option<&CallEnd>, at: Timestamp, words: &mut NodeMaker<'_>) -> Node {
    let sign = match (end.is_some(), call.state()) {
        (false, _) => Node::element("span.good", [Node::word(" runs ")]),
        (true, CallState::Failed) => Node::element("span.bad", [Node::word(" failed ")]),
        (true, CallState::Refused) => Node::element("span.need", [Node::word(" refused ")]),
        (true, CallState::Runs | CallState::Waits | CallState::Cut | CallState::Done) => {
            Node::element("span.good", [Node::word(" did ")])
        }
    };
    let line = format!(" {}", call.summary);
    let mut head = vec![
        Node::moment(at),
        sign,
        words.line("b", &call.tool),
        words.text(&line),
    ];
    if let Some(end) = end
        && let waited = call.waited_ms(at).min(end.took_ms)
        && waited > 0
    {
        let times = format!(
            " {} (waited {} for the user)",
            duration_text(end.took_ms - waited),
            duration_text(waited)
        );
        head.push(words.line("span.dim", &times));
    }
    let mut inside = vec![Node::element("summary", head)];
    if let Some(input) = &call.input {
        inside.push(words.line("pre", input));
    }
    if let Some(end) = end {
        inside.extend(outcome(end, words));
    }
    Node::element("details.entry", inside)
}

fn outcome(end: &CallEnd, words: &mut NodeMaker<'_>) -> Vec<Node> {
    let mut all = Vec::new();
    if let Some(exit) = end.exit {
        all.push(words.line("p.dim", &format!("exit {exit}")));
    }
    match (&end.change, &end.output) {
        (Some(change), _) => {
            all.push(words.line("p.dim", &change.path));
            all.push(diff(&words.plain(&change.diff), words));
        }
        (None, Some(output)) => {
            all.push(words.line("pre", &output.head));
            if !output.tail.is_empty() {
                all.push(Node::element("p.dim", [Node::word("… and at the end")]));
                all.push(words.line("pre", &output.tail));
            }
        }
        (None, None) => all.push(words.line("p", &end.summary)),
    }
    if let Some(file) = &end.file {
        all.push(words.line("p.dim", &format!("all of it was in {file}")));
    }
    all
}

fn diff(diff: &str, words: &mut NodeMaker<'_>) -> Node {
    let lines = read_diff(diff).into_iter().map(|line| {
        let name = match line.kind {
            DiffKind::Hunk | DiffKind::Note | DiffKind::File => "span.dim",
            DiffKind::Context => "span",
            DiffKind::Added => "span.good",
            DiffKind::Removed => "span.bad",
        };
        words.line(name, &format!("{}\n", line.text))
    });
    let lines: Vec<Node> = lines.collect();
    Node::element("pre.diff", lines)
}

/// A message, and how far it came.
pub(super) fn mail(mail: &Mail, words: &mut NodeMaker<'_>) -> SharedEntry {
    words.enter(&format!("mail {}", mail.id));
    let mut later = Vec::new();
    if let Some(at) = mail.receipt.heard() {
        later.push((at.0, message(mail, Node::word(" heard"), words)));
    }
    if let Some((at, what)) = mail.receipt.acted() {
        let receipt = words.text(&format!(" acted: {what}"));
        later.push((at.0, message(mail, receipt, words)));
    }
    let first = match mail.receipt {
        Receipt::TakenBack => Node::word(" taken back"),
        Receipt::Queued | Receipt::Heard { .. } | Receipt::Acted { .. } => Node::word(" queued"),
    };
    SharedEntry {
        at: mail.at.0,
        shows: message(mail, first, words),
        later,
    }
}

fn message(mail: &Mail, receipt: Node, words: &mut NodeMaker<'_>) -> Node {
    let head = format!(" {} to {}", sender_name(&mail.from, "the user"), mail.to);
    let head = [
        Node::moment(mail.at),
        words.line("b", &head),
        Node::element("span.dim", [receipt]),
    ];
    let inside = [
        Node::element("p", head),
        words.line("div.words", &mail.text),
    ];
    Node::element("div.mail", inside)
}

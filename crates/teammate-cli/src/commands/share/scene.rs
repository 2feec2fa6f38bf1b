//! The page at one moment besides conversations and mail: the team in a line, its members, what waits for the user, the columns
//! of the board and the spending. And what came of all of it.

use std::sync::Arc;

use teammate::{MemberName, Prices, board::Task, request::Request};
use teammate_view::{BoardLists, Need, Sign, TeamView, check_run, counted, screens::TeamFacts};

use super::{
    markdown,
    node::{Node, NodeMaker},
};
use crate::screen::cost_lines;

/// The parts of it, by the name of the place that the page has for each.
pub(super) type SceneParts = [(&'static str, Vec<Node>); 8];

pub(super) fn of(view: &TeamView, prices: &Prices, words: &mut NodeMaker<'_>) -> SceneParts {
    let lists = BoardLists::of(view.team());
    let in_hand = lists.in_progress.iter().chain(&lists.failed);
    [
        ("state", vec![state(view, words)]),
        ("members", members(view, words)),
        ("needs", needs(view, words)),
        ("ready", cards(view, lists.ready.iter(), words)),
        ("hand", cards(view, in_hand, words)),
        (
            "waits",
            cards(view, lists.waiting.iter().map(|(task, _)| task), words),
        ),
        ("done", cards(view, lists.done.iter(), words)),
        ("cost", cost(view, prices, words)),
    ]
}

/// What came of the run: members, tasks and cost in a line, and the last words of the lead.
pub(super) fn summary(view: &TeamView, prices: &Prices, words: &mut NodeMaker<'_>) -> Vec<Node> {
    words.enter("what came of the run");
    let facts = TeamFacts {
        prices: prices.clone(),
        ..TeamFacts::default()
    };
    let lists = BoardLists::of(view.team());
    let tasks = lists.in_order().count();
    let line = format!(
        "{}, {} of {} done, {}",
        counted(view.team().members().count() as u64, "member", "members"),
        lists.done.len(),
        counted(tasks as u64, "task", "tasks"),
        view.spent(&facts)
    );
    let mut all = vec![words.line("p.facts", &line)];
    let said = view
        .story(&MemberName::lead())
        .and_then(|story| story.last_said());
    if let Some(said) = said {
        // What is too long is counted where the lead says it.
        let cut = words.cut;
        all.push(Node::element("div.result", markdown::of(said, words)));
        words.cut = cut;
    }
    all
}

fn state(view: &TeamView, words: &mut NodeMaker<'_>) -> Node {
    words.enter("the state of the team");
    let live = match view.is_live() {
        true => Node::element("span.good", [Node::word("live")]),
        false => Node::element("span.dim", [Node::word("not running")]),
    };
    let counts = view.counts().in_words("the user");
    let needs = Node::number(view.needs().len() as u64);
    Node::element(
        "span",
        [
            live,
            words.line("span", &format!(", {counts}")),
            Node::word(", needs the user: "),
            needs,
        ],
    )
}

fn members(view: &TeamView, words: &mut NodeMaker<'_>) -> Vec<Node> {
    words.enter("the members");
    let lines = view.roster();
    let line = |line: &teammate_view::RosterLine| {
        let class = match line.sign {
            Sign::NeedsYou => "span.need",
            Sign::Failed => "span.bad",
            Sign::Works => "span.good",
            Sign::Waits | Sign::Rests => "span.dim",
        };
        let mut inside = vec![
            words.line("b", line.name.as_str()),
            Node::word(" "),
            words.line("span.dim", &line.role),
            Node::word(" "),
        ];
        // Some texts say it themselves.
        if !line.text.starts_with(line.sign.word()) {
            let word = Node::word(line.sign.word());
            inside.extend([Node::element(class, [word]), Node::word(" ")]);
        }
        inside.push(words.text(&line.text));
        Node::element("p", inside)
    };
    lines.iter().map(line).collect()
}

fn needs(view: &TeamView, words: &mut NodeMaker<'_>) -> Vec<Node> {
    let requests = view.team().requests();
    let card = |need: Need| {
        words.enter(&format!("what waits for the user: {}", need.kind.id()));
        let mut inside = vec![words.line("b", &need.in_a_sentence())];
        if let Some(asked) = need.kind.request().and_then(|id| requests.get(id)) {
            inside.push(words.line("pre", &asked.shows()));
        }
        Node::element("div.need-card", inside)
    };
    let mut all: Vec<Node> = view.needs().into_iter().map(card).collect();
    let answered = requests.past().filter(|asked| !asked.is_pending());
    all.extend(answered.map(|asked| settled(asked, words)));
    all
}

fn settled(request: &Request, words: &mut NodeMaker<'_>) -> Node {
    words.enter(&format!("request {}", request.id));
    let line = format!(
        "{} {} of {}: {}",
        request.id,
        request.request_kind(),
        request.from.sender(),
        request.state.describe()
    );
    let summary = words.line("summary", &line);
    Node::element("details", [summary, words.line("pre", &request.shows())])
}

fn cards<'a>(
    view: &TeamView,
    tasks: impl Iterator<Item = &'a Arc<Task>>,
    words: &mut NodeMaker<'_>,
) -> Vec<Node> {
    let card = |task: &Arc<Task>| {
        words.enter(&format!("task {}", task.id));
        let mut inside = vec![
            words.line("b", &task.id.to_string()),
            Node::word(" "),
            words.text(&task.subject),
            Node::element("br", []),
            words.line("span.dim", &view.team().status_text(task)),
        ];
        if !task.description.is_empty() {
            inside.push(words.line("div.words", &task.description));
        }
        if let Some(run) = task.status.evidence() {
            inside.push(words.line("div.good", &check_run(run)));
        }
        Node::element("div.card", inside)
    };
    tasks.map(card).collect()
}

fn cost(view: &TeamView, prices: &Prices, words: &mut NodeMaker<'_>) -> Vec<Node> {
    words.enter("the spending");
    let spending = view.costs().spending(view.team());
    let lines = cost_lines(&spending, prices);
    vec![words.line("pre.cost", &lines.join("\n"))]
}

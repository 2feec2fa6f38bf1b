//! What needs the user: one thing whole, with all that is known about it, and the others in a line.

use ratatui::text::{Line, Span};
use teammate_core::permission::Breadth;
use teammate_view::{Need, NeedKind, counted, keys::KeyAction};

use super::{filled, first, team::need_row, troubles::trouble_rows, window};
use crate::{
    app::{App, Focus},
    text::{fit, passed, rule, wrapped},
};

/// Rows of what else needs the user, and of what was answered lately, when there are more.
const OTHERS_MAX: usize = 4;
const ANSWERED_MAX: usize = 5;

/// The rows, and whether the end of the chosen question's action is among them.
pub(crate) fn needs(app: &App, columns: usize, rows: usize) -> (Vec<Line<'static>>, bool) {
    let theme = &app.setup.theme;
    let needs = app.needs();
    let Some(need) = needs.get(app.places.need_row.min(needs.len().saturating_sub(1))) else {
        let mut lines = vec![rule("Nothing needs you", columns, theme.dim)];
        lines.extend(trouble_rows(app, columns));
        lines.extend(answered_rows(app, columns));
        return (filled(lines, rows), false);
    };
    let number = app.places.need_row.min(needs.len() - 1) + 1;
    let mut lines = vec![rule(
        &title(app, need, number, needs.len()),
        columns,
        theme.attention,
    )];
    let mut others = other_rows(app, &needs, number, columns);
    others.extend(trouble_rows(app, columns));
    let facts = fact_rows(app, need, columns);
    let keys = key_row(app, need);
    let room = rows
        .saturating_sub(lines.len() + others.len() + facts.len() + 3)
        .max(3);
    let action = action_rows(app, need, columns);
    let last_top = action.len().saturating_sub(room);
    let top = app.places.need_scroll.min(last_top);
    let has_end = top == last_top;
    let hidden = action.len().saturating_sub(top + room);
    lines.push(Line::raw(fit(&intro(app, need), columns)));
    lines.extend(action.into_iter().skip(top).take(room));
    if hidden > 0 {
        let text = format!(
            "  … {}: {}, {}",
            counted(hidden as u64, "more row", "more rows"),
            app.setup.keys.name(KeyAction::ItemDown),
            app.setup.keys.name(KeyAction::ScrollDown)
        );
        lines.push(Line::styled(text, theme.attention));
    }
    lines.extend(facts);
    lines.push(keys);
    lines.extend(others);
    let left = rows.saturating_sub(lines.len());
    if left > 1 {
        lines.extend(window(answered_rows(app, columns), 0, left, theme));
    }
    (filled(lines, rows), has_end)
}

fn title(app: &App, need: &Need, number: usize, count: usize) -> String {
    let id = need.kind.request().map(|id| format!("   {id}"));
    let end = need
        .deadline
        .map(|deadline| format!("   no in {}", passed(app.view().now(), deadline)));
    format!(
        "{number} of {count}{}   {}{}",
        id.unwrap_or_default(),
        need.who(),
        end.unwrap_or_default()
    )
}

fn intro(app: &App, need: &Need) -> String {
    let member = need.who();
    match &need.kind {
        NeedKind::Permission(id) => {
            let request = app.view().team().requests().get(*id);
            let tool = request.and_then(|request| request.permission());
            let tool = tool.map(|ask| ask.tool.clone()).unwrap_or_default();
            format!(" {member} asks to run {tool}:")
        }
        NeedKind::Plan(_) => format!(" {member} asks you to approve its plan:"),
        NeedKind::FailedMember(_) => format!(" {member} has failed:"),
        NeedKind::LimitedMember(_) => format!(" {member} has reached a limit:"),
        NeedKind::UnplacedMember(_) => format!(" {member} waits for a worker:"),
        NeedKind::FailedTask(task) => format!(" {task} counts as failed:"),
    }
}

/// Exactly what is asked, whole.
fn action_rows(app: &App, need: &Need, columns: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let team = app.view().team();
    let text = match &need.kind {
        NeedKind::Permission(id) | NeedKind::Plan(id) => {
            team.requests().get(*id).map(|request| request.shows())
        }
        NeedKind::FailedMember(_) | NeedKind::LimitedMember(_) | NeedKind::UnplacedMember(_) => {
            Some(need.about.clone())
        }
        NeedKind::FailedTask(id) => team
            .board()
            .task(*id)
            .map(|task| format!("{}\n{}", task.subject, task.last_failure)),
    };
    let text = text.unwrap_or_default();
    let lines = text.lines().flat_map(|line| {
        let style = match line.as_bytes().first() {
            Some(b'+') => theme.good,
            Some(b'-') => theme.bad,
            _ => theme.code,
        };
        wrapped(line, columns.saturating_sub(6))
            .into_iter()
            .map(move |row| Line::styled(format!("     {row}"), style))
    });
    lines.collect()
}

fn fact_rows(app: &App, need: &Need, columns: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let team = app.view().team();
    let mut facts: Vec<(String, String)> = Vec::new();
    let tasks = need
        .holds
        .tasks
        .iter()
        .filter_map(|id| team.board().task(*id));
    let tasks: Vec<String> = tasks
        .map(|task| format!("{} {}", task.id, task.subject))
        .collect();
    if !tasks.is_empty() {
        facts.push(("holds up".to_owned(), tasks.join(", ")));
    }
    let request = need.kind.request().and_then(|id| team.requests().get(id));
    if let Some(ask) = request.and_then(|request| request.permission()) {
        let reasons = ask.reasons().into_iter();
        facts.splice(0..0, reasons.map(|(name, text)| (name.to_owned(), text)));
        facts.extend(ask.rules.all().map(|(breadth, rule)| {
            let label = format!("{} {breadth}", app.setup.keys.name(answer(breadth)));
            (label, format!("{rule}  {}", breadth.lasts()))
        }));
        facts.push(("digest".to_owned(), ask.digest.short().to_owned()));
    }
    let rows = facts.into_iter().map(|(label, text)| {
        Line::from(vec![
            Span::styled(format!(" {label:<13} "), theme.dim),
            Span::raw(fit(&text, columns.saturating_sub(16))),
        ])
    });
    rows.collect()
}

fn key_row(app: &App, need: &Need) -> Line<'static> {
    let theme = &app.setup.theme;
    let name = |action| app.setup.keys.name(action);
    let text = match (&need.kind, app.focus) {
        (NeedKind::Permission(_) | NeedKind::Plan(_), Focus::Pane) => answers(app, need)
            .into_iter()
            .map(|(action, word)| format!(" {} {word}  ", name(action)))
            .collect(),
        (NeedKind::Permission(_) | NeedKind::Plan(_), Focus::Prompt) => {
            let answers = answers(app, need).into_iter();
            let keys: Vec<String> = answers.map(|(action, _)| name(action)).collect();
            format!(
                " {} or {} goes here; then {} answer",
                name(KeyAction::NextNeed),
                name(KeyAction::SwitchPane),
                keys.join(", ")
            )
        }
        (NeedKind::FailedMember(_) | NeedKind::LimitedMember(_), _) => {
            " a message to it lets it go on".to_owned()
        }
        (NeedKind::UnplacedMember(_), _) => " it begins when such a worker joins".to_owned(),
        (NeedKind::FailedTask(_), _) => " /tasks reopen ID puts it back on the board".to_owned(),
    };
    Line::styled(text.trim_end().to_owned(), theme.strong)
}

/// The possible answers, each with its word.
fn answers(app: &App, need: &Need) -> Vec<(KeyAction, &'static str)> {
    let request = need.kind.request();
    let request = request.and_then(|id| app.view().team().requests().get(id));
    let is_plan = request.is_some_and(|request| request.plan().is_some());
    let once = if is_plan { "approve" } else { "once" };
    let offers = request.map(|request| request.offers()).unwrap_or_default();
    let mut answers = vec![(KeyAction::AnswerOnce, once)];
    answers.extend(offers.all().map(|(breadth, _)| match breadth {
        Breadth::Exact => (answer(breadth), "always"),
        Breadth::Prefix => (answer(breadth), "prefix"),
        Breadth::Tool => (answer(breadth), "tool"),
    }));
    answers.push((KeyAction::AnswerNo, "no"));
    answers.push((KeyAction::AnswerNoBecause, "no, and why"));
    answers
}

/// The answer that writes the rule of this breadth.
fn answer(breadth: Breadth) -> KeyAction {
    match breadth {
        Breadth::Exact => KeyAction::AnswerAlways,
        Breadth::Prefix => KeyAction::AnswerPrefix,
        Breadth::Tool => KeyAction::AnswerTool,
    }
}

fn other_rows(app: &App, needs: &[Need], number: usize, columns: usize) -> Vec<Line<'static>> {
    if needs.len() < 2 {
        return Vec::new();
    }
    let others = (1..).zip(needs).filter(|(other, _)| *other != number);
    let rows = others.map(|(other, need)| need_row(app, other, need, columns));
    let rows: Vec<_> = rows.collect();
    std::iter::once(rule("also", columns, app.setup.theme.dim))
        .chain(first(rows.into_iter(), OTHERS_MAX, &app.setup.theme))
        .collect()
}

/// The requests that the user has answered lately, the last answer first.
fn answered_rows(app: &App, columns: usize) -> Vec<Line<'static>> {
    let answered = app.view().answered();
    if answered.len() == 0 {
        return Vec::new();
    }
    let rows = answered.map(|answered| {
        let request = &answered.request;
        let text = format!(
            " {} {:<8} {} {} {}",
            app.clock(answered.at),
            answered.word,
            request.id,
            request.from,
            request.summary()
        );
        Line::raw(fit(&text, columns))
    });
    std::iter::once(rule("answered lately", columns, app.setup.theme.dim))
        .chain(first(rows, ANSWERED_MAX, &app.setup.theme))
        .collect()
}

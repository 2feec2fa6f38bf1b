//! The needs screen: one thing whole, with all that is known about it, and the others in a line.

use ratatui::text::{Line, Span};
use teammate_view::t;
use teammate_view::{
    AnswerChoice, Need, counted,
    keys::KeyAction,
    no_in,
    screens::{
        needs::{AnswerButton, NeedCard, NeedsScreen},
        past::PastScreen,
    },
};

use super::{filled, team::need_row, titled, window};
use crate::{
    app::{App, Focus, Target},
    row::{Row, rows as rows_of},
    text::{WIDTHS, fit, one_line, painted, passed, rule, wrapped},
};

/// The part of a tall screen that other questions may take.
const LIST_PART: usize = 6;

/// Rows of what else needs the user, of what to look at, and of what was answered lately, when there are more.
const OTHERS_MAX: usize = 4;
const TROUBLES_MAX: usize = 4;
const ANSWERED_MAX: usize = 5;

/// Rows of what is asked about, at least.
const ACTION_ROWS_MIN: usize = 3;

/// Rows of a question without what is known about it: its title, itself, what is hidden of it, and its answers.
const ROWS_MIN: usize = ACTION_ROWS_MIN + 3;

/// Rows of what is known about a question, each.
const FACT_ROWS_MAX: usize = 2;

/// The screen as it was drawn.
pub(crate) struct NeedsDrawn {
    pub(crate) rows: Vec<Row>,
    /// Whether the end of the chosen question is among them.
    pub(crate) has_end: bool,
    /// How many of its rows can be scrolled past.
    pub(crate) scroll_max: usize,
}

pub(crate) fn needs(app: &App, columns: usize, rows: usize) -> NeedsDrawn {
    let theme = &app.setup.theme;
    let (needs, past) = (app.grouped_needs(), PastScreen::of(app.view()));
    let chosen = app.places.need_row.min(needs.len().saturating_sub(1));
    let Some(need) = needs.get(chosen) else {
        let mut lines = vec![rule(t(NeedsScreen::NONE), columns, theme.dim)];
        lines.extend(trouble_rows(app, &past, columns));
        lines.extend(answered_rows(app, &past, columns));
        return NeedsDrawn {
            rows: filled(rows_of(lines), rows),
            has_end: false,
            scroll_max: 0,
        };
    };
    let number = chosen + 1;
    let mut lines = vec![rule(
        &title(app, need, number, needs.len()),
        columns,
        theme.attention,
    )];
    let mut others = other_rows(app, &needs, number, (columns, rows));
    others.extend(rows_of(trouble_rows(app, &past, columns)));
    let card = NeedCard::of(app.view(), need, usize::MAX);
    let mut facts = fact_rows(app, &card, columns);
    // The answers stay on the smallest screen.
    facts.truncate(rows.saturating_sub(lines.len() + ROWS_MIN));
    let keys = key_row(app, &card);
    let room = rows
        .saturating_sub(lines.len() + others.len() + facts.len() + 3)
        .max(ACTION_ROWS_MIN);
    let action = action_rows(app, &card, columns);
    let scroll_max = action.len().saturating_sub(room);
    let top = app.places.need_scroll.min(scroll_max);
    let hidden = action.len().saturating_sub(top + room);
    let asked = format!(" {} {}", card.who, card.title);
    lines.push(Line::styled(fit(&asked, columns), theme.strong));
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
    let mut lines = rows_of(lines);
    lines.extend(others);
    let left = rows.saturating_sub(lines.len());
    if left > 1 {
        let answered = answered_rows(app, &past, columns);
        lines.extend(rows_of(window(answered, 0, left, theme)));
    }
    NeedsDrawn {
        rows: filled(lines, rows),
        has_end: top == scroll_max,
        scroll_max,
    }
}

/// `1 of 2   req_000031   alice   since 0:42   no in 8:51`.
fn title(app: &App, need: &Need, number: usize, count: usize) -> String {
    let now = app.view().now();
    let id = need.kind.request().map(|id| id.to_string());
    let since = need
        .since
        .map(|since| t!("since {time}", time = passed(since, now)));
    let end = need.deadline.map(|deadline| no_in(&passed(now, deadline)));
    let parts = [
        Some(t!("{number} of {count}", number, count)),
        id,
        Some(need.who().into_owned()),
        since,
        end,
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.join("   ")
}

/// Exactly what is asked, whole.
fn action_rows(app: &App, card: &NeedCard, columns: usize) -> Vec<Line<'static>> {
    let lines = card.shown_lines(columns.saturating_sub(6), WIDTHS);
    painted(lines, "     ", &app.setup.theme)
}

/// Why it is asked, what it reaches, whom it holds up and what each "always" allows; words of the member take two rows.
fn fact_rows(app: &App, card: &NeedCard, columns: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let (tasks, members) = (card.holds_tasks.join(", "), card.waiting());
    let rules = card
        .answers
        .iter()
        .filter(|answer| matches!(answer.choice, AnswerChoice::Always(_)));
    let key = |answer: &AnswerButton| app.setup.keys.name(answer.choice.action());
    let reasons = card.reasons.iter();
    let reasons = reasons.map(|(name, why)| ((*name).to_owned(), &**why));
    let held = [
        (t("holds up").to_owned(), &*tasks),
        (t("waiting").to_owned(), &*members),
    ];
    let rules = rules.map(|answer| (key(answer), &*answer.label));
    let digest = [(t("digest").to_owned(), card.digest())];
    let facts = reasons.chain(held).chain(rules).chain(digest);
    let facts = facts.filter(|(_, text)| !text.is_empty());
    facts
        .flat_map(|(label, text)| fact(&label, text, columns))
        .map(|(label, text)| Line::from(vec![Span::styled(label, theme.dim), Span::raw(text)]))
        .collect()
}

/// A fact beside its name. What is longer than its rows is cut in the last one.
fn fact(label: &str, text: &str, columns: usize) -> Vec<(String, String)> {
    let room = columns.saturating_sub(16);
    let text = one_line(text);
    let mut rows = wrapped(&text, room);
    if rows.len() > FACT_ROWS_MAX {
        let rest = rows.split_off(FACT_ROWS_MAX - 1).join(" ");
        rows.push(fit(&rest, room));
    }
    let label = |row: usize| match row {
        0 => format!(" {label:<13} "),
        _ => " ".repeat(15),
    };
    let rows = rows.into_iter().enumerate();
    rows.map(|(row, text)| (label(row), text)).collect()
}

fn key_row(app: &App, card: &NeedCard) -> Line<'static> {
    let theme = &app.setup.theme;
    let name = |action| app.setup.keys.name(action);
    let answers = card.answers.iter();
    let answers = answers.map(|answer| (name(answer.choice.action()), answer.word));
    let text: String = match (card.answers.is_empty(), app.focus) {
        (true, _) => format!(" {}", card.way_on),
        (false, Focus::Pane) => answers
            .map(|(key, word)| format!(" {key} {word}  "))
            .collect(),
        (false, Focus::Prompt) => {
            let keys: Vec<String> = answers.map(|(key, _)| key).collect();
            t!(
                " {next} or {pane} goes here; then {keys} answer",
                next = name(KeyAction::NextNeed),
                pane = name(KeyAction::SwitchPane),
                keys = keys.join(", ")
            )
        }
    };
    Line::styled(text.trim_end().to_owned(), theme.strong)
}

fn other_rows(
    app: &App,
    needs: &[Need],
    number: usize,
    (columns, rows): (usize, usize),
) -> Vec<Row> {
    let most = OTHERS_MAX.max(rows / LIST_PART);
    let others = (1..).zip(needs).filter(|(other, _)| *other != number);
    let rows = others.map(|(other, need)| {
        let line = need_row(app, other, need, columns);
        Row::of(line, Target::Need(other - 1))
    });
    let title = rule(t("also"), columns, app.setup.theme.dim);
    let count = (needs.len() - 1, most);
    titled(title, count, rows, &app.setup.theme)
}

/// A row for each trouble, the oldest first.
fn trouble_rows(app: &App, past: &PastScreen, columns: usize) -> Vec<Line<'static>> {
    let count = past.troubles.len() + past.more_troubles;
    let rows = past.troubles.iter();
    let rows = rows.map(|text| Line::raw(fit(&format!(" ~ {text}"), columns)));
    let title = rule(t(PastScreen::TROUBLES), columns, app.setup.theme.dim);
    titled(title, (count, TROUBLES_MAX), rows, &app.setup.theme)
}

/// The requests that the user has answered lately, the last answer first.
fn answered_rows(app: &App, past: &PastScreen, columns: usize) -> Vec<Line<'static>> {
    let count = past.answered.len() + past.more_answered;
    let rows = past.answered.iter().map(|answered| {
        let (clock, word) = (app.clock(answered.at), answered.answer);
        Line::raw(fit(
            &format!(" {clock} {word:<8} {}", answered.what()),
            columns,
        ))
    });
    let title = rule(t(PastScreen::ANSWERED), columns, app.setup.theme.dim);
    titled(title, (count, ANSWERED_MAX), rows, &app.setup.theme)
}

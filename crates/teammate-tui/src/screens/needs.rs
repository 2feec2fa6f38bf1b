//! The needs screen: one thing whole, with all that is known about it, and the others in a line.

use ratatui::text::{Line, Span};
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
    app::{App, Focus},
    text::{fit, passed, rule, wrapped},
};

/// Rows of what else needs the user, of what to look at, and of what was answered lately, when there are more.
const OTHERS_MAX: usize = 4;
const TROUBLES_MAX: usize = 4;
const ANSWERED_MAX: usize = 5;

/// The rows, and whether the end of the chosen question's action is among them.
pub(crate) fn needs(app: &App, columns: usize, rows: usize) -> (Vec<Line<'static>>, bool) {
    let theme = &app.setup.theme;
    let (needs, past) = (app.needs(), PastScreen::of(app.view()));
    let Some(need) = needs.get(app.places.need_row.min(needs.len().saturating_sub(1))) else {
        let mut lines = vec![rule(NeedsScreen::NONE, columns, theme.dim)];
        lines.extend(trouble_rows(app, &past, columns));
        lines.extend(answered_rows(app, &past, columns));
        return (filled(lines, rows), false);
    };
    let number = app.places.need_row.min(needs.len() - 1) + 1;
    let mut lines = vec![rule(
        &title(app, need, number, needs.len()),
        columns,
        theme.attention,
    )];
    let mut others = other_rows(app, &needs, number, columns);
    others.extend(trouble_rows(app, &past, columns));
    let card = NeedCard::of(app.view(), need, usize::MAX);
    let facts = fact_rows(app, &card, columns);
    let keys = key_row(app, &card);
    let room = rows
        .saturating_sub(lines.len() + others.len() + facts.len() + 3)
        .max(3);
    let action = action_rows(app, &card, columns);
    let last_top = action.len().saturating_sub(room);
    let top = app.places.need_scroll.min(last_top);
    let has_end = top == last_top;
    let hidden = action.len().saturating_sub(top + room);
    lines.push(Line::raw(fit(
        &format!(" {} {}:", need.who(), card.title),
        columns,
    )));
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
        lines.extend(window(answered_rows(app, &past, columns), 0, left, theme));
    }
    (filled(lines, rows), has_end)
}

fn title(app: &App, need: &Need, number: usize, count: usize) -> String {
    let id = need.kind.request().map(|id| format!("   {id}"));
    let end = need
        .deadline
        .map(|deadline| format!("   {}", no_in(&passed(app.view().now(), deadline))));
    format!(
        "{number} of {count}{}   {}{}",
        id.unwrap_or_default(),
        need.who(),
        end.unwrap_or_default()
    )
}

/// Exactly what is asked, whole.
fn action_rows(app: &App, card: &NeedCard, columns: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let lines = card.shows.lines().flat_map(|line| {
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

fn fact_rows(app: &App, card: &NeedCard, columns: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let reasons = card.reasons.iter();
    let mut facts: Vec<_> = reasons
        .map(|(name, why)| ((*name).to_owned(), &**why))
        .collect();
    let held = card.holds_tasks.join(", ");
    facts.push(("holds up".to_owned(), &held));
    let rules = card
        .answers
        .iter()
        .filter(|answer| matches!(answer.choice, AnswerChoice::Always(_)));
    let key = |answer: &AnswerButton| app.setup.keys.name(answer.choice.action());
    facts.extend(rules.map(|answer| (key(answer), &*answer.label)));
    facts.push(("digest".to_owned(), card.digest()));
    facts.retain(|(_, text)| !text.is_empty());
    let rows = facts.into_iter().map(|(label, text)| {
        Line::from(vec![
            Span::styled(format!(" {label:<13} "), theme.dim),
            Span::raw(fit(text, columns.saturating_sub(16))),
        ])
    });
    rows.collect()
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
            format!(
                " {} or {} goes here; then {} answer",
                name(KeyAction::NextNeed),
                name(KeyAction::SwitchPane),
                keys.join(", ")
            )
        }
    };
    Line::styled(text.trim_end().to_owned(), theme.strong)
}

fn other_rows(app: &App, needs: &[Need], number: usize, columns: usize) -> Vec<Line<'static>> {
    let others = (1..).zip(needs).filter(|(other, _)| *other != number);
    let rows = others.map(|(other, need)| need_row(app, other, need, columns));
    let title = rule("also", columns, app.setup.theme.dim);
    let count = (needs.len() - 1, OTHERS_MAX);
    titled(title, count, rows, &app.setup.theme)
}

/// A row for each trouble, the oldest first.
fn trouble_rows(app: &App, past: &PastScreen, columns: usize) -> Vec<Line<'static>> {
    let count = past.troubles.len() + past.more_troubles;
    let rows = past.troubles.iter();
    let rows = rows.map(|text| Line::raw(fit(&format!(" ~ {text}"), columns)));
    let title = rule(PastScreen::TROUBLES, columns, app.setup.theme.dim);
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
    let title = rule(PastScreen::ANSWERED, columns, app.setup.theme.dim);
    titled(title, (count, ANSWERED_MAX), rows, &app.setup.theme)
}

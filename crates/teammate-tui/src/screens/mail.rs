//! The mail, newest first, with how far each message came.

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use teammate_view::{
    Window,
    screens::mail::{MailLine, MailScreen},
};

use super::{cut_row, filled, window};
use crate::{
    app::{App, Focus, Target},
    row::Row,
    text::{column, fit, rule, width, wrapped},
};

/// The most rows of a message, where all have room for more than one.
const ROWS_EACH_MAX: usize = 12;

pub(crate) fn mail(app: &App, columns: usize, rows: usize) -> Vec<Row> {
    let theme = &app.setup.theme;
    let log = app.view().mail();
    let title = MailScreen::title(log.known(), log.queued().count());
    let mut lines: Vec<Row> = vec![rule(&title, columns, theme.dim).into()];
    let row = app.places.mail_row;
    let chosen = log.iter().rev().nth(row);
    let detail = chosen
        .filter(|_| app.focus == Focus::Pane)
        .map_or_else(Vec::new, |mail| {
            let line = MailLine::of(0, mail);
            let clock = app.clock(line.at);
            let head = format!("{clock} {} -> {}  {}", line.from, line.to, mail.kind);
            let text = mail.text.lines();
            let text = text.flat_map(|line| wrapped(line, columns.saturating_sub(2)));
            std::iter::once(rule(&head, columns, theme.dim))
                .chain(text.map(|line| Line::raw(format!(" {line}"))))
                .collect()
        });
    let detail = window(detail, 0, rows / 2, theme);
    let room = rows.saturating_sub(lines.len() + detail.len());
    let part = Window::of(log.iter().len(), row, room);
    let rows_each = (room / log.iter().len().max(1)).clamp(1, ROWS_EACH_MAX);
    // Only what is seen is laid out.
    let seen = log.newest_first().enumerate();
    let seen = seen.skip(part.above).take(part.shown);
    let seen: Vec<_> = seen
        .map(|(place, (number, mail))| (place, MailLine::of(number, mail)))
        .collect();
    let names = seen.iter().flat_map(|(_, mail)| [&mail.from, &mail.to]);
    let longest = names.map(|name| width(name)).max().unwrap_or(0);
    let name_columns = longest.clamp(4, (columns / 8).max(7));
    let mut shown: Vec<_> = seen
        .into_iter()
        .flat_map(|(place, mail)| {
            let is_chosen = app.focus == Focus::Pane && place == row;
            let style = match is_chosen {
                true => theme.chosen,
                false => Style::new(),
            };
            // The chosen one stands whole below.
            let rows = if is_chosen { 1 } else { rows_each };
            let number = mail.number;
            let lines = mail_rows(app, &mail, name_columns, (columns, rows)).into_iter();
            lines.map(move |line| Row::of(line.style(style), Target::Mail(number)))
        })
        .collect();
    shown.extend(part.hidden().map(|hidden| cut_row(&hidden, theme).into()));
    lines.extend(filled(shown, room));
    lines.extend(detail.into_iter().map(Row::from));
    filled(lines, rows)
}

/// A message in a row, or in a few with more of its text.
fn mail_rows(
    app: &App,
    mail: &MailLine,
    name: usize,
    (columns, rows): (usize, usize),
) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let style = match (mail.is_unverified, mail.is_queued()) {
        (true, _) => theme.bad,
        (false, true) => theme.attention,
        (false, false) => theme.dim,
    };
    let head = format!(" {} ", app.clock(mail.at));
    let ends = (columns / 4).clamp(8, 40);
    let who = format!(
        "{} -> {} ",
        column(&mail.from, name),
        column(&mail.to, name)
    );
    let indent = width(&head) + width(&who);
    let room = columns.saturating_sub(indent + ends + 1);
    let mut text = match rows {
        ..2 => vec![mail.text.clone()],
        2.. => paragraphs(&mail.text, room),
    };
    if text.len() > rows {
        let rest = text.split_off(rows.saturating_sub(1)).join(" ");
        text.push(fit(&rest, room));
    }
    let mut text = text.into_iter();
    let first = Line::from(vec![
        Span::styled(head, theme.dim),
        Span::styled(who, theme.name),
        Span::raw(column(&text.next().unwrap_or_default(), room)),
        Span::styled(format!(" {}", column(&mail.state(), ends)), style),
    ]);
    let more = text.map(|row| Line::raw(format!("{}{row}", " ".repeat(indent))));
    std::iter::once(first).chain(more).collect()
}

/// A text in rows, without those that are blank.
fn paragraphs(text: &str, columns: usize) -> Vec<String> {
    let rows = text.lines().flat_map(|line| wrapped(line, columns));
    rows.filter(|row| !row.trim().is_empty()).collect()
}

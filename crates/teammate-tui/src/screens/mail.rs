//! The mail, newest first, with how far each message came.

use ratatui::text::{Line, Span};
use teammate_core::{Sender, name::UNVERIFIED};
use teammate_view::{Mail, Receipt, Window, sender_name};

use super::{cut_row, filled, window};
use crate::{
    app::{App, Focus},
    text::{column, rule, width, wrapped},
};

pub(crate) fn mail(app: &App, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let log = app.view().mail();
    let title = format!(
        "Mail {}, {} not heard",
        log.iter().len(),
        log.queued().count()
    );
    let mut lines = vec![rule(&title, columns, theme.dim)];
    let chosen = log.iter().rev().nth(app.places.mail_row);
    let detail = chosen
        .filter(|_| app.focus == Focus::Pane)
        .map_or_else(Vec::new, |mail| {
            let mut rows = vec![rule(&head(app, mail), columns, theme.dim)];
            rows.extend(
                mail.text
                    .lines()
                    .flat_map(|line| wrapped(line, columns.saturating_sub(2)))
                    .map(|line| Line::raw(format!(" {line}"))),
            );
            rows
        });
    let detail = window(detail, 0, rows / 2, theme);
    let room = rows.saturating_sub(lines.len() + detail.len());
    let row = app.places.mail_row;
    let part = Window::of(log.iter().len(), row, room);
    // Only what is seen is laid out.
    let seen = log.iter().rev().enumerate();
    let seen = seen.skip(part.above).take(part.shown);
    let mut shown: Vec<_> = seen
        .map(|(number, mail)| {
            let line = mail_row(app, mail, columns);
            match app.focus == Focus::Pane && number == row {
                true => line.style(theme.chosen),
                false => line,
            }
        })
        .collect();
    shown.extend(part.hidden().map(|hidden| cut_row(&hidden, theme)));
    lines.extend(filled(shown, room));
    lines.extend(detail);
    filled(lines, rows)
}

fn head(app: &App, mail: &Mail) -> String {
    format!(
        "{} {} -> {}  {}",
        app.clock(mail.at),
        sender_name(&mail.from, "you"),
        mail.to,
        mail.kind
    )
}

fn mail_row(app: &App, mail: &Mail, columns: usize) -> Line<'static> {
    let theme = &app.setup.theme;
    let (receipt, style) = match (&mail.from, &mail.receipt) {
        (Sender::Unverified(_), _) => (UNVERIFIED.to_owned(), theme.bad),
        (_, receipt @ Receipt::Queued) => (receipt.text(), theme.attention),
        (_, receipt) => (receipt.text(), theme.dim),
    };
    let head = format!(" {} ", app.clock(mail.at));
    let ends = (columns / 4).clamp(8, 40);
    let who = format!(
        "{} -> {} ",
        column(&sender_name(&mail.from, "you"), 7),
        column(mail.to.as_str(), 7)
    );
    let room = columns.saturating_sub(width(&head) + width(&who) + ends + 1);
    Line::from(vec![
        Span::styled(head, theme.dim),
        Span::styled(who, theme.name),
        Span::raw(column(&mail.text, room)),
        Span::styled(format!(" {}", column(&receipt, ends)), style),
    ])
}

//! The mail, newest first, with how far each message came.

use ratatui::text::{Line, Span};
use teammate_view::{
    Window,
    screens::mail::{MailLine, MailScreen},
};

use super::{cut_row, filled, window};
use crate::{
    app::{App, Focus},
    text::{column, rule, width, wrapped},
};

pub(crate) fn mail(app: &App, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let log = app.view().mail();
    let title = MailScreen::title(log.known(), log.queued().count());
    let mut lines = vec![rule(&title, columns, theme.dim)];
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
        .map(|(place, mail)| {
            let line = mail_row(app, &mail, name_columns, columns);
            match app.focus == Focus::Pane && place == row {
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

fn mail_row(app: &App, mail: &MailLine, name: usize, columns: usize) -> Line<'static> {
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
    let room = columns.saturating_sub(width(&head) + width(&who) + ends + 1);
    Line::from(vec![
        Span::styled(head, theme.dim),
        Span::styled(who, theme.name),
        Span::raw(column(&mail.text, room)),
        Span::styled(format!(" {}", column(&mail.state(), ends)), style),
    ])
}

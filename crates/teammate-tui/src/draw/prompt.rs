//! The prompt's rows: whom it speaks to, what is typed, and what is known about it.

use ratatui::text::{Line, Span};
use teammate_view::t;
use teammate_view::{keys::KeyAction, more};

use crate::{
    app::{App, Focus, Overlay},
    screens::cut_row,
    text::{column, fit, rule, width, wrapped},
};

/// The most rows of typed text.
const ROWS_MAX: usize = 6;

/// The prompt, laid out.
pub(super) struct PromptRows {
    pub(super) rows: Vec<Line<'static>>,
    /// Column and row of the cursor among them, if the prompt has it.
    pub(super) cursor: Option<(u16, u16)>,
}

pub(super) fn lay_out(app: &App, columns: u16) -> PromptRows {
    if app.leaving.is_some() {
        return leaving(app, columns.into());
    }
    let close = app.setup.keys.name(KeyAction::Close);
    if let Some(word) = &app.find.typed {
        let hint = t!("   Enter finds it, {close} leaves it", close);
        return typed_word(app, (t(" find > "), word), &hint, columns.into());
    }
    if let Some(Overlay::Palette(palette)) = &app.overlay {
        let hint = t("   Words of what you want to do, or of its key");
        return typed_word(app, (t(" do > "), palette.typed()), hint, columns.into());
    }
    let (theme, columns) = (&app.setup.theme, usize::from(columns));
    let head = match &app.prompt.search {
        Some(search) => t!(" search \"{word}\" > ", word = fit(&search.word, 20)),
        None => t!(" to {member} > ", member = app.prompt.to()),
    };
    let indent = width(&head);
    let view = app
        .prompt
        .editor
        .view(columns.saturating_sub(indent + 1), ROWS_MAX);
    let mut rows = vec![rule("", columns, theme.dim)];
    rows.extend(notes(app, columns));
    rows.extend(offered(app, columns));
    let above = rows.len();
    for (number, text) in view.rows.iter().enumerate() {
        let begin = if number == 0 {
            head.clone()
        } else {
            " ".repeat(indent)
        };
        let style = match app.focus {
            Focus::Prompt => theme.name,
            Focus::Pane => theme.dim,
        };
        rows.push(Line::from(vec![
            Span::styled(begin, style),
            Span::raw(text.clone()),
        ]));
    }
    rows.push(Line::styled(
        format!("   {}", fit(&about(app), columns.saturating_sub(4))),
        theme.dim,
    ));
    let cursor = (app.focus == Focus::Prompt).then(|| {
        let column = u16::try_from(indent + view.column).unwrap_or(u16::MAX);
        (column, u16::try_from(above + view.row).unwrap_or(u16::MAX))
    });
    PromptRows { rows, cursor }
}

/// The word that is looked for, in place of the draft.
fn typed_word(app: &App, (head, word): (&str, &str), hint: &str, columns: usize) -> PromptRows {
    let theme = &app.setup.theme;
    let word = fit(word, columns.saturating_sub(width(head) + 1));
    let column = u16::try_from(width(head) + width(&word)).unwrap_or(u16::MAX);
    PromptRows {
        rows: vec![
            rule("", columns, theme.dim),
            Line::from(vec![
                Span::styled(head.to_owned(), theme.name),
                Span::raw(word),
            ]),
            Line::styled(fit(hint, columns), theme.dim),
        ],
        cursor: Some((column, 1)),
    }
}

/// The fate of members that work, in place of the draft.
fn leaving(app: &App, columns: usize) -> PromptRows {
    let theme = &app.setup.theme;
    let asked = t(" Members work: p pauses the team, b lets it go on in the background");
    let close = app.setup.keys.name(KeyAction::Close);
    let more = t!("   Enter pauses it, {close} stays", close);
    PromptRows {
        rows: vec![
            rule("", columns, theme.dim),
            Line::styled(fit(asked, columns), theme.name),
            Line::styled(fit(&more, columns), theme.dim),
        ],
        cursor: None,
    }
}

/// Short notes about the opening.
fn notes(app: &App, columns: usize) -> Vec<Line<'static>> {
    let rows = app.notes.iter().flat_map(|note| {
        let rows = wrapped(note, columns.saturating_sub(6)).into_iter();
        let begin = std::iter::once(t(" note ")).chain(std::iter::repeat("      "));
        begin.zip(rows)
    });
    rows.map(|(begin, row)| Line::styled(format!("{begin}{row}"), app.setup.theme.attention))
        .collect()
}

fn offered(app: &App, columns: usize) -> Vec<Line<'static>> {
    let Some(completion) = &app.prompt.completion else {
        return Vec::new();
    };
    let rows = completion.offered().iter().enumerate();
    let rows = rows.map(|(number, (word, about))| {
        let text = format!("   {} {}", column(word, 24), about);
        let style = match completion.chosen() == Some(number) {
            true => app.setup.theme.chosen,
            false => app.setup.theme.dim,
        };
        Line::styled(fit(&text, columns), style)
    });
    let (shown, hidden) = (completion.offered().len(), completion.hidden());
    let more = more(shown + hidden, shown).map(|more| cut_row(&more, &app.setup.theme));
    rows.chain(more).collect()
}

/// The note about what was typed: what was done last, or how far the last words came.
fn about(app: &App) -> String {
    if let Some(note) = app.note.text() {
        return note.to_owned();
    }
    match app.last_words() {
        Some(mail) if mail.receipt == teammate_view::Receipt::Queued => t!(
            "queued {count} \"{text}\"   {key} takes it back",
            count = app.clock(mail.at),
            text = fit(&mail.text, 40),
            key = app.setup.keys.name(KeyAction::TakeBack)
        ),
        Some(mail) => format!("{} \"{}\"", mail.receipt.word(), fit(&mail.text, 50)),
        None => String::new(),
    }
}

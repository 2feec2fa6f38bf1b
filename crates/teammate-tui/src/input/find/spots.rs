//! Where a word is in what is shown, and how to go there.

use teammate_view::t;
use teammate_view::{BoardLists, sender_name};

use super::story;
use crate::app::{App, ScreenKind, Spot, has_word};

/// Whether one can look for something in what is shown.
pub(super) fn are_here(app: &App) -> bool {
    app.overlay.is_some()
        || match app.kind {
            ScreenKind::Team | ScreenKind::Member | ScreenKind::Board | ScreenKind::Mail => true,
            ScreenKind::Needs | ScreenKind::Cost => false,
        }
}

/// All places with the word from the top to the bottom, and where one is.
pub(super) fn find(app: &App, word: &str) -> Option<(Vec<Spot>, Spot)> {
    if let Some(overlay) = &app.overlay {
        let rows = overlay.texts(app.pane.0);
        return Some((rows_with(&rows, word), row(overlay.place())));
    }
    let places = &app.places;
    Some(match app.kind {
        ScreenKind::Team => (rows_with(&roster_texts(app), word), row(places.team_row)),
        ScreenKind::Board => (rows_with(&task_texts(app), word), row(places.task_row)),
        ScreenKind::Mail => (rows_with(&mail_texts(app), word), row(places.mail_row)),
        ScreenKind::Member => (story::find(app, word), story::here(app)),
        ScreenKind::Needs | ScreenKind::Cost => return None,
    })
}

/// Goes to a place.
pub(super) fn stand(app: &mut App, spot: Spot, word: &str) {
    let number = usize::try_from(spot.entry).unwrap_or(usize::MAX);
    if let Some(overlay) = &mut app.overlay {
        *overlay.place_mut() = number;
        return;
    }
    match app.kind {
        ScreenKind::Team => app.places.team_row = number,
        ScreenKind::Board => app.places.task_row = number,
        ScreenKind::Mail => app.places.mail_row = number,
        ScreenKind::Member => story::stand(app, spot, word),
        ScreenKind::Needs | ScreenKind::Cost => {}
    }
}

fn row(number: usize) -> Spot {
    Spot {
        entry: number as u64,
        row: 0,
    }
}

fn rows_with(texts: &[String], word: &str) -> Vec<Spot> {
    let rows = texts.iter().enumerate();
    let found = rows.filter(|(_, text)| has_word(text, word));
    found.map(|(number, _)| row(number)).collect()
}

fn roster_texts(app: &App) -> Vec<String> {
    let roster = app.view().roster().into_iter();
    let texts = roster.map(|line| format!("{} {} {}", line.name, line.role, line.text));
    texts.collect()
}

fn task_texts(app: &App) -> Vec<String> {
    let team = app.view().team();
    let lists = BoardLists::of(team);
    let tasks = lists.in_order().map(|task| {
        let parts = [
            task.id.to_string(),
            task.subject.clone(),
            team.status_text(task),
            task.description.clone(),
            task.check.clone().unwrap_or_default(),
            task.last_failure.clone(),
        ];
        parts.join(" ")
    });
    tasks.collect()
}

/// The newest comes first, as on the screen.
fn mail_texts(app: &App) -> Vec<String> {
    let newest_first = app.view().mail().iter().rev();
    let texts = newest_first.map(|mail| {
        let from = sender_name(&mail.from, t("you"));
        format!("{from} -> {} {}", mail.to, mail.text)
    });
    texts.collect()
}

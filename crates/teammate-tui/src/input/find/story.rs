//! Where one is in a member's story: which entries are on the screen, and how far a place is from the end.

use ratatui::text::Line;
use teammate_view::{Item, Story};

use crate::{
    app::{App, Spot, has_word},
    story::StoryStyle,
};

/// At most so many rows of the pane are not of the story: its title, the member's list, and how much is new below.
const OTHER_ROWS: usize = 10;

/// Every row with the word, also those in folds, the oldest first.
pub(super) fn find(app: &App, word: &str) -> Vec<Spot> {
    let Some(story) = story(app) else {
        return Vec::new();
    };
    let end = end(app, story);
    let entries = story.numbered().filter(|(number, _)| *number < end);
    let spots = entries.flat_map(|(entry, item)| {
        let rows = rows(app, item, true).into_iter().enumerate();
        let found = rows.filter(|(_, line)| has_word(&text(line), word));
        found.map(move |(row, _)| Spot { entry, row })
    });
    spots.collect()
}

/// Where one is: at the last place that was found, else at the first entry on the screen.
pub(super) fn here(app: &App) -> Spot {
    app.places.found.unwrap_or_else(|| Spot {
        entry: visible(app).last().map_or(0, |(number, _)| *number),
        row: 0,
    })
}

/// Scrolls so that the place is in the middle, and opens its fold if it is in one.
pub(super) fn stand(app: &mut App, spot: Spot, word: &str) {
    if is_folded_away(app, spot, word) {
        app.places.unfolded.insert(spot.entry);
    }
    let end = story(app).map(|story| end(app, story));
    let newer = newest(app).take_while(|(number, _)| *number >= spot.entry);
    let rows: usize = newer
        .map(|(number, item)| shown(app, number, item).len())
        .sum();
    let below = rows.saturating_sub(spot.row + 1);
    let back = below.saturating_sub(app.pane.1 / 2);
    app.places.back = back;
    app.places.frozen = end.filter(|_| back > 0);
    app.places.found = Some(spot);
}

/// The entries on the screen with their numbers, the lowest first.
pub(in crate::input) fn visible(app: &App) -> Vec<(u64, &Item)> {
    let back = app.places.back;
    let (mut above, mut found) = (0, Vec::new());
    for (number, item) in newest(app) {
        if above >= back + app.pane.1 {
            break;
        }
        above += shown(app, number, item).len();
        if above > back {
            found.push((number, item));
        }
    }
    found
}

/// How far one can scroll back who wants to go so far.
pub(in crate::input) fn reach(app: &App, back: usize) -> usize {
    let mut rows: usize = 0;
    for (number, item) in newest(app) {
        if rows >= back.saturating_add(app.pane.1) {
            break;
        }
        rows += shown(app, number, item).len();
    }
    let of_story = app.pane.1.saturating_sub(OTHER_ROWS).max(1);
    back.min(rows.saturating_sub(of_story))
}

/// Opens or closes the fold of an entry; its first row stays where it is.
pub(in crate::input) fn turn_fold(app: &mut App, entry: u64) {
    let rows = |app: &App| {
        let mut entries = newest(app);
        let found = entries.find(|(number, _)| *number == entry);
        found.map_or(0, |(number, item)| shown(app, number, item).len())
    };
    let before = rows(app);
    if !app.places.unfolded.remove(&entry) {
        app.places.unfolded.insert(entry);
    }
    let after = rows(app);
    let end = story(app).map(|story| end(app, story));
    let back = (app.places.back + after).saturating_sub(before);
    app.places.back = reach(app, back);
    app.places.frozen = end.filter(|_| app.places.back > 0);
}

/// The entries up to where one reads, the newest first.
fn newest(app: &App) -> impl Iterator<Item = (u64, &Item)> {
    let story = story(app);
    let end = story.map_or(0, |story| end(app, story));
    let all = story.into_iter().flat_map(|story| story.numbered().rev());
    all.skip_while(move |(number, _)| *number >= end)
}

/// A fold shows the beginning of its entry, if anything.
fn is_folded_away(app: &App, spot: Spot, word: &str) -> bool {
    let Some(story) = story(app) else {
        return false;
    };
    let mut entries = story.numbered();
    let entry = entries.find(|(number, _)| *number == spot.entry);
    entry.is_some_and(|(number, item)| {
        let rows = shown(app, number, item);
        let row = rows.get(spot.row).map(text);
        !row.is_some_and(|row| has_word(&row, word))
    })
}

fn story(app: &App) -> Option<&Story> {
    app.view().story(&app.member())
}

fn end(app: &App, story: &Story) -> u64 {
    app.places.frozen.unwrap_or_else(|| story.end())
}

/// The rows of an entry as they are on the screen.
fn shown(app: &App, number: u64, item: &Item) -> Vec<Line<'static>> {
    rows(app, item, app.places.is_unfolded(number))
}

fn rows(app: &App, item: &Item, is_unfolded: bool) -> Vec<Line<'static>> {
    let style = StoryStyle {
        theme: &app.setup.theme,
        columns: app.pane.0,
        is_unfolded,
        clock: &|at| app.clock(at),
        unfolds: "",
    };
    style.rows(item)
}

fn text(line: &Line<'_>) -> String {
    line.spans.iter().map(|span| &*span.content).collect()
}

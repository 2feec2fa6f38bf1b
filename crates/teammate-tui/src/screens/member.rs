//! One member: its story, newest at the end, and what it writes now.

use ratatui::text::Line;
use teammate_core::{MemberName, team::TodoList};
use teammate_view::t;
use teammate_view::{Motion, Sign, Story, keys::KeyAction, screens::member::MemberScreen};

use super::{filled, titled};
use crate::{
    app::{App, Target},
    row::{Row, rows as rows_of},
    story::StoryStyle,
    text::{fit, passed, rule},
};

/// Rows of its list, when there are more.
const TODOS_MAX: usize = 6;

pub(crate) fn member(app: &App, columns: usize, rows: usize) -> Vec<Row> {
    let theme = &app.setup.theme;
    let name = app.member();
    let about = MemberScreen::about(app.view(), &name, Some(&app.model()));
    let title = rule(&format!("{name}, {about}"), columns, theme.dim);
    let mut lines = vec![Row::from(title)];
    let todos = todo_rows(app, columns);
    let Some(story) = app.view().story(&name) else {
        let text = fit(&t!(" {name} has done nothing yet", name), columns);
        lines.push(Line::styled(text, theme.dim).into());
        return filled(lines, rows);
    };
    let room = rows.saturating_sub(lines.len() + todos.len());
    let body = story_rows(app, story, columns, room);
    let gap = room.saturating_sub(body.len());
    lines.extend(body);
    lines.resize(lines.len() + gap, Row::default());
    lines.extend(rows_of(todos));
    filled(lines, rows)
}

/// The last rows of the story, or those that one has scrolled to.
fn story_rows(app: &App, story: &Story, columns: usize, rows: usize) -> Vec<Row> {
    let clock = |at| app.clock(at);
    let unfolds = app.setup.keys.name(KeyAction::AllFolds);
    let style = |number: u64| StoryStyle {
        theme: &app.setup.theme,
        columns,
        is_unfolded: app.places.is_unfolded(number),
        clock: &clock,
        unfolds: &unfolds,
    };
    let back = app.places.back;
    let end = app.places.frozen.unwrap_or(u64::MAX);
    let wanted = rows.saturating_add(back);
    // From the newest up: what is out of sight costs nothing.
    let mut newest_first: Vec<Row> = Vec::new();
    if app.places.frozen.is_none() {
        newest_first.extend(at_work(app, columns).map(Row::from));
        let writing = if story.writing().is_empty() {
            story.thinking()
        } else {
            story.writing()
        };
        if !writing.is_empty() {
            let writing = style(u64::MAX).writing(&format!("{writing}_"));
            newest_first.extend(writing.into_iter().rev().map(Row::from));
        }
    }
    for (number, item) in story
        .numbered()
        .rev()
        .skip_while(|(number, _)| *number >= end)
    {
        if newest_first.len() >= wanted {
            break;
        }
        let entry = style(number).rows(item).into_iter().rev();
        newest_first.extend(entry.map(|line| Row::of(line, Target::Entry(number))));
    }
    let newer = story.end().saturating_sub(end);
    let skip = back.min(newest_first.len().saturating_sub(rows));
    let note = (back > 0).then(|| {
        let new = if newer > 0 {
            t!("{newer} new below: ", newer)
        } else {
            String::new()
        };
        rule(
            &t!(
                "{new}{key} follows again",
                new,
                key = app.setup.keys.name(KeyAction::Last)
            ),
            columns,
            app.setup.theme.attention,
        )
    });
    let take = rows.saturating_sub(usize::from(note.is_some()));
    let mut shown: Vec<_> = newest_first.into_iter().skip(skip).take(take).collect();
    shown.reverse();
    shown.extend(note.map(Row::from));
    shown
}

/// The last rows of a member's story, for a screen about something else.
pub(super) fn latest_rows(app: &App, name: &MemberName, columns: usize, rows: usize) -> Vec<Row> {
    let clock = |at| app.clock(at);
    let unfolds = app.setup.keys.name(KeyAction::AllFolds);
    let style = StoryStyle {
        theme: &app.setup.theme,
        columns,
        is_unfolded: false,
        clock: &clock,
        unfolds: &unfolds,
    };
    let story = app.view().story(name);
    let mut newest_first = Vec::new();
    for (_, item) in story.iter().flat_map(|story| story.numbered().rev()) {
        if newest_first.len() >= rows {
            break;
        }
        newest_first.extend(style.rows(item).into_iter().rev());
    }
    newest_first.truncate(rows);
    let shown = newest_first.into_iter().rev();
    shown
        .map(|line| Row::of(line, Target::Member(name.clone())))
        .collect()
}

/// The member's activity at this moment, and for how long; the sign before it turns with each second, if things may move.
fn at_work(app: &App, columns: usize) -> Option<Line<'static>> {
    const TURNS: [char; 4] = ['|', '/', '-', '\\'];
    let line = app.view().at_work(&app.member())?;
    let (since, now) = (line.since?, app.view().now());
    let turn = now.millis_since(since) / 1_000 % 4;
    let sign = match app.setup.motion {
        Motion::Full => TURNS[usize::try_from(turn).unwrap_or(0)],
        Motion::Reduced => Sign::Works.as_char(),
    };
    let text = format!(" {sign} {}  {}", line.text, passed(since, now));
    Some(Line::styled(fit(&text, columns), app.setup.theme.dim))
}

/// The member's todo list, while something of it is open.
fn todo_rows(app: &App, columns: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let member = app.view().team().member(&app.member());
    let todos = member.map(|member| &member.todos);
    let open = todos.filter(|todos| todos.is_open());
    let todos = open.map_or(&[][..], TodoList::items);
    let rows = todos.iter().map(|todo| {
        let text = format!(" {} {}", todo.status.mark(), todo.content);
        Line::raw(fit(&text, columns))
    });
    let title = rule(t(MemberScreen::TODOS), columns, theme.dim);
    titled(title, (todos.len(), TODOS_MAX), rows, theme)
}

//! One frame: the head, a screen, the prompt and the foot.

mod foot;
mod head;
mod mark;
mod prompt;

use ratatui::{Frame, buffer::Buffer, layout::Rect, text::Line};

use crate::{
    app::{App, DrawnPane, DrawnPlaces, Focus, Overlay, ScreenKind},
    input::ScreenQuestion,
    row::Row,
    screens,
};

/// From this width on the team stands beside the chosen screen.
const WIDE: u16 = 120;

/// The fewest columns of the team there.
const TEAM_COLUMNS_MIN: u16 = 48;

/// A terminal smaller than this gets a plain list.
const LEAST: (u16, u16) = (60, 16);

/// Rows that the head, the prompt and the foot take when nothing is typed.
const OTHER_ROWS: u16 = 6;

/// What a frame has shown.
#[derive(Debug, Default)]
pub(crate) struct DrawnScreen {
    /// The question, and whether its end was on the screen.
    pub(crate) question: Option<(ScreenQuestion, bool)>,
    /// Columns and rows of the chosen screen.
    pub(crate) pane: Option<(usize, usize)>,
    /// How far the question can be scrolled.
    pub(crate) need_end: usize,
    /// How far the costs can be scrolled.
    pub(crate) cost_end: usize,
    /// What stands where.
    pub(crate) places: DrawnPlaces,
}

pub(crate) fn draw(app: &App, frame: &mut Frame<'_>) -> DrawnScreen {
    let area = frame.area();
    let prompt = prompt::lay_out(app, area.width);
    let prompt_rows = u16::try_from(prompt.rows.len()).unwrap_or(1);
    let (columns, rows) = (area.width, area.height);
    if rows < 3 || columns < 10 {
        return DrawnScreen::default();
    }
    let head = Rect { height: 1, ..area };
    let foot_rows = 2;
    let prompt_rows = prompt_rows.min(rows.saturating_sub(1 + foot_rows));
    let body_rows = rows.saturating_sub(1 + prompt_rows + foot_rows);
    let body = Rect::new(area.x, area.y + 1, columns, body_rows);
    let prompt_area = Rect::new(area.x, body.bottom(), columns, prompt_rows);
    let foot = Rect::new(area.x, prompt_area.bottom(), columns, foot_rows);

    let buffer = frame.buffer_mut();
    let mut drawn = DrawnScreen::default();
    put_rows(buffer, head, &[head::row(app, columns.into())], &mut drawn);
    draw_body(app, body, buffer, &mut drawn);
    drawn.places.add_pane(prompt_area, DrawnPane::Prompt);
    put(buffer, prompt_area, &prompt.rows);
    put(buffer, foot, &foot::lines(app, columns.into()));
    let is_typing = app.find.typed.is_some() || matches!(app.overlay, Some(Overlay::Palette(_)));
    if (app.overlay.is_none() || is_typing)
        && let Some((column, row)) = prompt.cursor
        && row < prompt_rows
    {
        frame.set_cursor_position((prompt_area.x + column, prompt_area.y + row));
    }
    drawn
}

fn draw_body(app: &App, area: Rect, buffer: &mut Buffer, drawn: &mut DrawnScreen) {
    if let Some(overlay) = &app.overlay {
        let rows = screens::overlay(app, overlay, area.width.into(), area.height.into());
        put_rows(buffer, area, &rows, drawn);
        drawn.places.add_pane(area, DrawnPane::Overlay);
        return found(app, area, buffer, drawn);
    }
    if area.width < LEAST.0 || area.height + OTHER_ROWS < LEAST.1 {
        return draw_small(app, area, buffer, drawn);
    }
    if area.width < WIDE {
        draw_screen(app, app.kind, area, buffer, drawn);
        return found(app, area, buffer, drawn);
    }
    let team_columns = team_columns(app, area.width);
    let left = Rect {
        width: team_columns,
        ..area
    };
    let right = Rect::new(
        area.x + team_columns + 1,
        area.y,
        area.width - team_columns - 1,
        area.height,
    );
    let beside = Some(app.kind);
    let team = screens::team(app, beside, team_columns.into(), area.height.into());
    put_rows(buffer, left, &team, drawn);
    for y in area.top()..area.bottom() {
        buffer.set_string(left.right(), y, "│", app.setup.theme.dim);
    }
    draw_beside_team(app, (left, right), buffer, drawn);
}

/// Draws the chosen screen beside the team or below it; where that is the team, the story of a member.
fn draw_beside_team(
    app: &App,
    (team, other): (Rect, Rect),
    buffer: &mut Buffer,
    drawn: &mut DrawnScreen,
) {
    let (kind, looked_at) = match app.kind {
        ScreenKind::Team => (ScreenKind::Member, team),
        kind => (kind, other),
    };
    match app.kind {
        ScreenKind::Team => {
            drawn.places.add_pane(team, DrawnPane::Screen);
            drawn.places.add_pane(other, DrawnPane::Story);
        }
        _ => drawn.places.add_pane(team, DrawnPane::Team),
    }
    draw_screen(app, kind, other, buffer, drawn);
    found(app, looked_at, buffer, drawn);
}

/// The columns of the team where another screen stands beside it: what has the keys has the room.
fn team_columns(app: &App, columns: u16) -> u16 {
    let has_keys = app.kind == ScreenKind::Team && app.focus == Focus::Pane;
    let part = if has_keys { 3 } else { 2 };
    (columns / 5 * part).max(TEAM_COLUMNS_MIN)
}

/// Marks what is looked for in the area that one looks at.
fn found(app: &App, area: Rect, buffer: &mut Buffer, drawn: &mut DrawnScreen) {
    if let Some(word) = app.find.marked() {
        mark::mark(buffer, area, word, app.setup.theme.found());
    }
    drawn.pane = Some((area.width.into(), area.height.into()));
}

/// Draws a row for each member, and below them the chosen screen.
fn draw_small(app: &App, area: Rect, buffer: &mut Buffer, drawn: &mut DrawnScreen) {
    let members = screens::small(app, area.width.into(), usize::from(area.height) / 2);
    let height = u16::try_from(members.len()).unwrap_or(0);
    let above = Rect { height, ..area };
    put_rows(buffer, above, &members, drawn);
    let below = Rect::new(area.x, area.y + height, area.width, area.height - height);
    draw_beside_team(app, (above, below), buffer, drawn);
}

fn draw_screen(
    app: &App,
    kind: ScreenKind,
    area: Rect,
    buffer: &mut Buffer,
    drawn: &mut DrawnScreen,
) {
    let (columns, rows) = (usize::from(area.width), usize::from(area.height));
    let rows = match kind {
        ScreenKind::Team => match app.welcome() {
            Some(welcome) => screens::new_team(app, &welcome, columns, rows),
            None => screens::team(app, None, columns, rows),
        },
        ScreenKind::Member => match app.welcome() {
            Some(welcome) => screens::welcome(app, &welcome, columns, rows),
            None => screens::member(app, columns, rows),
        },
        ScreenKind::Board => screens::board(app, columns, rows),
        ScreenKind::Mail => screens::mail(app, columns, rows),
        ScreenKind::Needs => {
            let shown = screens::needs(app, columns, rows);
            let asked = crate::input::chosen_question(app);
            drawn.question = asked.map(|asked| (asked, shown.has_end));
            drawn.need_end = shown.scroll_max;
            shown.rows
        }
        ScreenKind::Cost => {
            let shown = screens::cost(app, columns, rows);
            drawn.cost_end = shown.scroll_max;
            shown.rows
        }
    };
    put_rows(buffer, area, &rows, drawn);
    // The story that stands beside the team is known by that already.
    drawn.places.add_pane(area, DrawnPane::Screen);
}

/// Puts lines into an area; what does not fit is left out.
fn put(buffer: &mut Buffer, area: Rect, lines: &[Line<'_>]) {
    for (y, line) in (area.top()..area.bottom()).zip(lines) {
        buffer.set_line(area.x, y, line, area.width);
    }
}

/// Puts rows into an area, and keeps what stands where.
fn put_rows(buffer: &mut Buffer, area: Rect, rows: &[Row], drawn: &mut DrawnScreen) {
    for (y, row) in (area.top()..area.bottom()).zip(rows) {
        buffer.set_line(area.x, y, &row.line, area.width);
        for (columns, target) in &row.targets {
            let column = |at: usize| u16::try_from(at).unwrap_or(u16::MAX).min(area.width);
            let (begin, end) = (column(columns.start), column(columns.end));
            let cells = Rect::new(area.x + begin, y, end - begin, 1);
            drawn.places.add_target(cells, target.clone());
        }
    }
}

//! Everybody at a glance: members, what needs the user, the board, and what happened just now.

use ratatui::text::{Line, Span};
use teammate_core::team::TeamState;
use teammate_view::{
    BoardLists, Need, RosterLine, Sign, TeamCounts, more, no_in,
    screens::{board::TaskCard, team::MemberLine},
};

use super::{cut_row, filled, titled, window};
use crate::{
    app::{App, Focus, ScreenKind},
    text::{column, fit, passed, rule, width},
};

/// Rows of needs, of the board and of jobs, when there are more.
const NEEDS_MAX: usize = 3;
const BOARD_MAX: usize = 4;
const JOBS_MAX: usize = 2;

/// Rows of resting members that are listed one by one.
const RESTING_MAX: usize = 3;

/// The width of what a member is for, and of where it runs.
const ABOUT_WIDTH: usize = 9;

/// The widths from which on there is a column for one of them, and for both.
const ABOUT_MIN: usize = 64;
const BOTH_MIN: usize = 100;

pub(crate) fn team(app: &App, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let (roster, needs) = (app.view().roster(), app.grouped_needs());
    let rows_of_needs = needs.iter().enumerate();
    let rows_of_needs = rows_of_needs.map(|(place, need)| need_row(app, place + 1, need, columns));
    let title = rule("Needs you, by what it holds up", columns, theme.dim);
    let mut below = titled(title, (needs.len(), NEEDS_MAX), rows_of_needs, theme);
    below.extend(board_rows(app, columns));
    below.extend(job_rows(app, columns));
    let is_chosen = app.kind == ScreenKind::Team && app.focus == Focus::Pane;
    let members = member_rows(app, &roster, is_chosen, columns);
    let just_now_min = 4;
    let room = rows.saturating_sub(below.len() + just_now_min + 1).max(3);
    let mut lines = vec![rule(
        &heading(&roster, app.view().team()),
        columns,
        theme.dim,
    )];
    // Rows are in the order of the roster; without a choice the first ones are shown.
    let row = if is_chosen { app.places.team_row } else { 0 };
    lines.extend(window(members, row, room, theme));
    lines.extend(below);
    let left = rows.saturating_sub(lines.len() + 1);
    if left > 0 {
        lines.push(rule("Just now", columns, theme.dim));
        lines.extend(recent_rows(app, columns, left));
    }
    filled(lines, rows)
}

/// The team where the terminal is too small for screens: a row for each member.
pub(crate) fn small(app: &App, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let view = app.view();
    let roster = view.roster();
    let lines = roster.iter().map(|line| {
        let since = line.since.map(|since| passed(since, view.now()));
        let since = since.unwrap_or_default();
        let text = format!(
            "{} {} {since} {}",
            line.sign.as_char(),
            line.name,
            line.text
        );
        Line::styled(fit(&text, columns), app.setup.theme.sign(line.sign))
    });
    window(lines.collect(), 0, rows, &app.setup.theme)
}

fn heading(roster: &[RosterLine], team: &TeamState) -> String {
    let mut text = TeamCounts::of(roster).title("you");
    let mut members = team.members();
    let doing = members.find_map(|member| Some((&member.name, member.doing()?)));
    if let Some((name, doing)) = doing {
        text.push_str(&format!(" · {name}: {doing}"));
    }
    text
}

/// A row for each member; those that rest share one when they are many.
fn member_rows(
    app: &App,
    roster: &[RosterLine],
    is_chosen: bool,
    columns: usize,
) -> Vec<Line<'static>> {
    let counts = TeamCounts::of(roster);
    let is_short = counts.rest > RESTING_MAX && !is_chosen;
    let listed = roster.iter().enumerate();
    let listed = listed.filter(|(_, line)| !is_short || line.sign != Sign::Rests);
    let mut rows: Vec<Line<'static>> = listed
        .map(|(number, line)| {
            let row = member_row(app, line, columns);
            match is_chosen && number == app.places.team_row {
                true => row.style(app.setup.theme.chosen),
                false => row,
            }
        })
        .collect();
    if is_short {
        let resting = roster.iter().filter(|line| line.sign == Sign::Rests);
        let names: Vec<&str> = resting.map(|line| line.name.as_str()).collect();
        let text = format!(" {}{}", counts.resting(), names.join(" "));
        rows.push(Line::styled(fit(&text, columns), app.setup.theme.dim));
    }
    rows
}

fn member_row(app: &App, line: &RosterLine, columns: usize) -> Line<'static> {
    let theme = &app.setup.theme;
    let view = app.view();
    let line = MemberLine::of(line, view, &app.setup.facts);
    let since = line.since.map(|since| passed(since, view.now()));
    let end = [
        format!("{:>7}", since.unwrap_or_default()),
        format!("{:>8}", line.context_text),
        format!("{:>7}", line.spent),
    ];
    let end = if columns >= 64 {
        end.concat()
    } else {
        end[0].clone() + &end[2]
    };
    let about = about(&line, view.team().places().is_used(), columns);
    let room = columns.saturating_sub(3 + 8 + about.len() * ABOUT_WIDTH + width(&end) + 1);
    let mut spans = vec![
        Span::styled(format!(" {} ", line.sign.as_char()), theme.sign(line.sign)),
        Span::styled(format!("{} ", column(&line.name, 7)), theme.name),
    ];
    for text in about {
        spans.push(Span::styled(
            format!("{} ", column(&text, ABOUT_WIDTH - 1)),
            theme.dim,
        ));
    }
    let text = match &line.worker {
        // There is no column for it.
        Some(worker) if columns < ABOUT_MIN => format!("@{worker} {}", line.text),
        Some(_) | None => line.text.clone(),
    };
    spans.push(Span::raw(column(&text, room)));
    spans.push(Span::styled(end, theme.dim));
    Line::from(spans)
}

/// The role of a member, and where it runs if several workers run the team: that comes first where there is no room for both.
fn about(line: &MemberLine, is_on_workers: bool, columns: usize) -> Vec<String> {
    let worker = line.worker.as_ref();
    let worker = worker.map_or_else(String::new, |worker| format!("@{worker}"));
    match (columns, is_on_workers) {
        (..ABOUT_MIN, _) => Vec::new(),
        (ABOUT_MIN.., false) => vec![line.role.clone()],
        (ABOUT_MIN..BOTH_MIN, true) => vec![worker],
        (BOTH_MIN.., true) => vec![line.role.clone(), worker],
    }
}

pub(super) fn need_row(app: &App, number: usize, need: &Need, columns: usize) -> Line<'static> {
    let tasks: Vec<String> = need.holds.tasks.iter().map(ToString::to_string).collect();
    let held = match tasks.is_empty() {
        true => String::new(),
        false => format!("holds {}", tasks.join(" ")),
    };
    let end = need.deadline.map_or_else(
        || "no deadline".to_owned(),
        |deadline| no_in(&passed(app.view().now(), deadline)),
    );
    let end = format!("{}  {end} ", fit(&held, 20));
    let room = columns.saturating_sub(width(&end) + 4);
    let text = match columns < ABOUT_MIN {
        true => need.short_line(),
        false => need.line(),
    };
    Line::from(vec![
        Span::styled(format!(" {number} "), app.setup.theme.attention),
        Span::raw(column(&text, room)),
        Span::styled(format!(" {end}"), app.setup.theme.dim),
    ])
}

fn board_rows(app: &App, columns: usize) -> Vec<Line<'static>> {
    let lists = BoardLists::of(app.view().team());
    let total = lists.total();
    if total == 0 {
        return Vec::new();
    }
    let mut lines = vec![rule(&lists.title(), columns, app.setup.theme.dim)];
    let across = if columns >= 76 { 3 } else { 1 };
    let cell = columns / across;
    let most = BOARD_MAX * across.max(2);
    let tasks: Vec<_> = lists.in_order().take(most).collect();
    for row in tasks.chunks(across) {
        let cells = row.iter().map(|task| {
            let sign = task.status.kind().mark();
            let card = TaskCard::of(app.view(), &app.setup.facts, task);
            let text = format!(" {sign} {}", card.brief());
            Span::raw(column(&text, cell))
        });
        lines.push(Line::from(cells.collect::<Vec<_>>()));
    }
    lines.extend(more(total, tasks.len()).map(|more| cut_row(&more, &app.setup.theme)));
    lines
}

fn job_rows(app: &App, columns: usize) -> Vec<Line<'static>> {
    let team = app.view().team();
    let is_live = app.view().is_live();
    let jobs: Vec<_> = team
        .members()
        .flat_map(|member| team.jobs().running_of(&member.name))
        .filter(|_| is_live)
        .collect();
    let rows = jobs.iter().map(|job| {
        let passed = passed(job.started, app.view().now());
        let text = format!(" {} {} {}  {passed}", job.id, job.owner, job.title);
        Line::raw(fit(&text, columns))
    });
    let title = rule("Jobs", columns, app.setup.theme.dim);
    titled(title, (jobs.len(), JOBS_MAX), rows, &app.setup.theme)
}

fn recent_rows(app: &App, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let recent = app.view().recent(rows).into_iter();
    recent
        .map(|line| {
            let head = format!(" {} ", app.clock(line.at));
            let room = columns.saturating_sub(width(&head) + 8 + 8);
            Line::from(vec![
                Span::styled(head, theme.dim),
                Span::styled(format!("{} ", column(&line.who, 7)), theme.name),
                Span::raw(column(&line.text, room)),
                Span::styled(format!(" {}", line.receipt), theme.dim),
            ])
        })
        .collect()
}

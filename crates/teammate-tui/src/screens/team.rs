//! Everybody at a glance: members, what needs the user, the board, and what happened just now.

mod members;

use ratatui::text::{Line, Span};
use teammate_view::t;
use teammate_view::{
    BoardLists, Need, no_in,
    screens::{board::TaskCard, goal::GoalLines, team::MemberLine},
};

pub(crate) use self::members::small;
use self::members::{MemberColumns, MemberRows};
use super::sections::{Section, Shows, stacked};
use crate::{
    app::{App, Focus, ScreenKind, Target},
    row::Row,
    text::{column, fit, passed, rule, width},
};

/// Rows that each section has before others have more.
const MEMBERS_LEAST: usize = 6;
const NEEDS_LEAST: usize = 4;
const BOARD_LEAST: usize = 3;
const GOAL_LEAST: usize = 3;
const JOBS_LEAST: usize = 2;
const RECENT_LEAST: usize = 2;

/// The most rows of the board where somebody begins.
const NEW_BOARD_MAX: usize = 3;

/// From this width on tasks stand side by side, each in at least so many columns.
const TASK_COLUMNS: usize = 38;

/// Where rows of what happened last would still have so many rows, members may take two rows each.
const RECENT_PLENTY: usize = 6;

/// A narrower row has no room for a word about everything.
pub(super) const ABOUT_MIN: usize = 64;

/// The whole team. `beside` is the screen that stands beside it: what that shows is left out here.
pub(crate) fn team(app: &App, beside: Option<ScreenKind>, columns: usize, rows: usize) -> Vec<Row> {
    let theme = &app.setup.theme;
    let is_beside = |kind| beside == Some(kind);
    let roster = MemberRows::of(app);
    let others = [
        Some(goal(app, columns)),
        (!is_beside(ScreenKind::Needs)).then(|| needs(app, columns, rows)),
        (!is_beside(ScreenKind::Board)).then(|| board(app, columns, rows)),
        Some(jobs(app, columns)),
    ];
    let others: Vec<Section> = others.into_iter().flatten().collect();
    let filled: usize = others.iter().map(Section::height).sum();
    let for_members = rows.saturating_sub(filled + RECENT_PLENTY + 2);
    let is_chosen = app.kind == ScreenKind::Team && app.focus == Focus::Pane;
    let (members, chosen_row) = roster.rows(app, is_chosen, columns, for_members);
    let members = Section::new(
        rule(&roster.heading(app), columns, theme.dim),
        members,
        match is_chosen {
            true => Shows::Around(chosen_row),
            false => Shows::From(app.places.team_beside),
        },
        MEMBERS_LEAST,
    );
    let recent = recent(app, roster.columns(columns), columns, rows);
    let sections = std::iter::once(members).chain(others).chain([recent]);
    stacked(sections.collect(), rows, theme)
}

/// The rows of a team that has done nothing yet.
pub(super) fn members_of_new(app: &App, columns: usize) -> Vec<Row> {
    let theme = &app.setup.theme;
    let roster = MemberRows::of(app);
    let (members, chosen) = roster.rows(app, app.focus == Focus::Pane, columns, 0);
    let members = Section::new(
        rule(&roster.heading(app), columns, theme.dim),
        members,
        Shows::Around(chosen),
        MEMBERS_LEAST,
    );
    let sections = vec![members, board(app, columns, NEW_BOARD_MAX)];
    let rows = sections.iter().map(Section::height).sum();
    stacked(sections, rows, theme)
}

/// The needs that so many rows could show.
fn needs(app: &App, columns: usize, rows: usize) -> Section {
    let needs = app.grouped_needs();
    let shown = needs.iter().take(rows + 1).enumerate();
    let rows = shown.map(|(place, need)| {
        let line = need_row(app, place + 1, need, columns);
        Row::of(line, Target::Need(place))
    });
    let title = rule(
        t("Needs you, by what it holds up"),
        columns,
        app.setup.theme.dim,
    );
    let shows = Shows::First {
        entries: needs.len(),
        across: 1,
    };
    Section::new(title, rows.collect(), shows, NEEDS_LEAST)
}

pub(super) fn need_row(app: &App, number: usize, need: &Need, columns: usize) -> Line<'static> {
    let tasks: Vec<String> = need.holds.tasks.iter().map(ToString::to_string).collect();
    let held = match tasks.is_empty() {
        true => String::new(),
        false => t!("holds {tasks}", tasks = tasks.join(" ")),
    };
    let end = need.deadline.map_or_else(
        || t("no deadline").to_owned(),
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

/// What the team goes on for.
fn goal(app: &App, columns: usize) -> Section {
    let theme = &app.setup.theme;
    let goal = GoalLines::of(app.view().team());
    let rows = goal.iter().flat_map(|goal| {
        let style = if goal.is_missed { theme.bad } else { theme.dim };
        let title = Line::raw(fit(&format!(" {}", goal.title), columns));
        let progress = fit(&format!("   {}", goal.progress), columns);
        [title.into(), Line::styled(progress, style).into()]
    });
    let title = rule(t("Goal"), columns, theme.dim);
    Section::new(title, rows.collect(), Shows::Around(0), GOAL_LEAST)
}

/// The tasks that so many rows could show.
fn board(app: &App, columns: usize, rows: usize) -> Section {
    let lists = BoardLists::of(app.view().team());
    let across = (columns / TASK_COLUMNS).max(1);
    let cell = columns / across;
    // What is done is on its own screen.
    let open = lists.total() - lists.done.len();
    let shown = open.max(across).min((rows + 1) * across);
    let tasks: Vec<_> = lists.in_order().take(shown).collect();
    let rows = tasks.chunks(across).map(|row| {
        let mut cells = Row::default();
        for task in row {
            let sign = task.status.kind().mark();
            let card = TaskCard::of(app.view(), &app.setup.facts, task);
            let text = format!(" {sign} {}", card.brief());
            cells.push(Span::raw(column(&text, cell)), Some(Target::Task(task.id)));
        }
        cells
    });
    let title = rule(&lists.title(), columns, app.setup.theme.dim);
    let shows = Shows::First {
        entries: lists.total(),
        across,
    };
    Section::new(title, rows.collect(), shows, BOARD_LEAST)
}

fn jobs(app: &App, columns: usize) -> Section {
    let team = app.view().team();
    let is_live = app.view().is_live();
    let jobs = team
        .members()
        .flat_map(|member| team.jobs().running_of(&member.name))
        .filter(|_| is_live);
    let rows = jobs.map(|job| {
        let passed = passed(job.started, app.view().now());
        let text = format!(" {} {} {}  {passed}", job.id, job.owner, job.title);
        Row::from(Line::raw(fit(&text, columns)))
    });
    let title = rule(t("Jobs"), columns, app.setup.theme.dim);
    Section::new(title, rows.collect(), Shows::Around(0), JOBS_LEAST)
}

/// What happened last, the newest at the end.
fn recent(app: &App, members: MemberColumns, columns: usize, most: usize) -> Section {
    let theme = &app.setup.theme;
    let recent = app.view().recent(most);
    let rows = recent.into_iter().map(|line| {
        let head = format!(" {} ", app.clock(line.at));
        let receipt = match line.receipt {
            "" => String::new(),
            receipt => format!(" {receipt}"),
        };
        let room = columns.saturating_sub(width(&head) + members.name + 1 + width(&receipt));
        Row::from(Line::from(vec![
            Span::styled(head, theme.dim),
            Span::styled(format!("{} ", column(&line.who, members.name)), theme.name),
            Span::raw(column(&line.text, room)),
            Span::styled(receipt, theme.dim),
        ]))
    });
    let title = rule(t("Just now"), columns, theme.dim);
    Section::new(title, rows.collect(), Shows::Last, RECENT_LEAST)
}

/// A member's line, as all screens know it.
fn line_of(app: &App, line: &teammate_view::RosterLine) -> MemberLine {
    MemberLine::of(line, app.view(), &app.setup.facts)
}

//! The members, a row each, or two where there is room: names and roles in columns as wide as they are long.

use ratatui::{
    style::Style,
    text::{Line, Span},
};
use teammate_core::MemberName;
use teammate_view::t;
use teammate_view::{
    RosterLine, Sign, TeamCounts,
    screens::{spark::SparkLine, team::MemberLine},
};

use super::{ABOUT_MIN, line_of};
use crate::{
    app::{App, Target},
    row::Row,
    screens::window,
    text::{column, fit, passed, width, wrapped},
};

/// From so many members on they are grouped by what they do.
const GROUPED_MIN: usize = 12;

/// Resting members that are listed one by one; more share a row.
const RESTING_MAX: usize = 3;

/// The widths from which on there are columns for role and place, and a bar for the context.
const BOTH_MIN: usize = 100;
const BAR_MIN: usize = 96;

/// From this width on there is a line of bars for the tokens, of so many cells.
const SPARK_MIN: usize = 112;
const SPARK_CELLS: usize = 16;

/// The cells of that bar.
const BAR_CELLS: u64 = 8;

/// The members in their order, as they stand on the screen.
pub(super) struct MemberRows {
    roster: Vec<RosterLine>,
}

/// The widths of a member's columns.
#[derive(Clone, Copy)]
pub(super) struct MemberColumns {
    pub(super) name: usize,
    role: usize,
    worker: usize,
}

impl MemberRows {
    pub(super) fn of(app: &App) -> Self {
        Self {
            roster: app.view().roster(),
        }
    }

    pub(super) fn heading(&self, app: &App) -> String {
        let mut text = TeamCounts::of(&self.roster).title(t("you"));
        let mut members = app.view().team().members();
        let doing = members.find_map(|member| Some((&member.name, member.doing()?)));
        if let Some((name, doing)) = doing {
            text.push_str(&format!(" · {name}: {doing}"));
        }
        text
    }

    /// As wide as the longest name and role, and no more than their part of the row.
    pub(super) fn columns(&self, columns: usize) -> MemberColumns {
        let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
        let names = self.roster.iter().map(|line| width(line.name.as_str()));
        let roles = self.roster.iter().map(|line| width(&line.role));
        let workers = self.roster.iter().filter_map(|line| line.worker.as_ref());
        let workers = workers.map(|worker| width(worker.as_str()) + 1);
        let is_on_workers = self.roster.iter().any(|line| line.worker.is_some());
        let part = columns / 6;
        MemberColumns {
            name: longest(&mut names.into_iter()).clamp(4, (columns / 4).max(7)),
            // The place comes first where there is no room for both.
            role: match (columns, is_on_workers) {
                (..ABOUT_MIN, _) | (ABOUT_MIN..BOTH_MIN, true) => 0,
                (ABOUT_MIN.., _) => longest(&mut roles.into_iter()).min(part),
            },
            worker: match columns {
                ..ABOUT_MIN => 0,
                ABOUT_MIN.. => longest(&mut workers.into_iter()).min(part),
            },
        }
    }

    /// A row for each member, or two if all of them then take at most `plenty`, and the row of the chosen one. Those that rest
    /// share one when they are many; a large team is grouped by what its members do.
    pub(super) fn rows(
        &self,
        app: &App,
        is_chosen: bool,
        columns: usize,
        plenty: usize,
    ) -> (Vec<Row>, usize) {
        let counts = TeamCounts::of(&self.roster);
        let is_short = counts.rest > RESTING_MAX && !is_chosen;
        let two_each = (self.roster.len() <= plenty).then(|| {
            let layout = MemberLayout::of(self, is_chosen, is_short, (columns, 2));
            layout.rows(app, &self.roster)
        });
        let (mut rows, chosen) = two_each
            .filter(|(rows, _)| rows.len() <= plenty)
            .unwrap_or_else(|| {
                let layout = MemberLayout::of(self, is_chosen, is_short, (columns, 1));
                layout.rows(app, &self.roster)
            });
        if is_short {
            let resting = self.roster.iter().filter(|line| line.sign == Sign::Rests);
            let names: Vec<&str> = resting.map(|line| line.name.as_str()).collect();
            let text = format!(" {}{}", counts.resting(), names.join(" "));
            let text = fit(&text, columns);
            rows.push(Line::styled(text, app.setup.theme.dim).into());
        }
        (rows, chosen)
    }
}

/// How the list is laid out.
struct MemberLayout {
    widths: MemberColumns,
    columns: usize,
    /// The most rows of a member.
    rows_each: usize,
    is_chosen: bool,
    /// Whether those that rest are left out.
    is_short: bool,
    /// The heads of groups; nothing in a small team.
    counts: Option<TeamCounts>,
}

impl MemberLayout {
    fn of(
        members: &MemberRows,
        is_chosen: bool,
        is_short: bool,
        (columns, rows_each): (usize, usize),
    ) -> Self {
        let counts = TeamCounts::of(&members.roster);
        Self {
            widths: members.columns(columns),
            columns,
            rows_each,
            is_chosen,
            is_short,
            counts: (counts.members >= GROUPED_MIN).then_some(counts),
        }
    }

    /// The rows, and the last one of the chosen member.
    fn rows(&self, app: &App, roster: &[RosterLine]) -> (Vec<Row>, usize) {
        let theme = &app.setup.theme;
        let (mut rows, mut chosen, mut group) = (Vec::<Row>::new(), 0, None);
        for (number, member) in roster.iter().enumerate() {
            if self.is_short && member.sign == Sign::Rests {
                continue;
            }
            if let Some(counts) = self.counts
                && group.replace(member.sign) != Some(member.sign)
            {
                let head = format!(" {}", counts.group(member.sign, "you"));
                rows.push(Line::styled(fit(&head, self.columns), theme.dim).into());
            }
            let is_this = self.is_chosen && number == app.places.team_row;
            let style = match is_this {
                true => theme.chosen,
                false => Style::new(),
            };
            let line = line_of(app, member);
            let lines = member_rows(app, &line, self.widths, self.columns, self.rows_each);
            let target = Target::Member(member.name.clone());
            let lines = lines.into_iter();
            rows.extend(lines.map(|line| Row::of(line.style(style), target.clone())));
            if is_this {
                chosen = rows.len().saturating_sub(1);
            }
        }
        (rows, chosen)
    }
}

/// A member in at most so many rows.
fn member_rows(
    app: &App,
    line: &MemberLine,
    widths: MemberColumns,
    columns: usize,
    rows_max: usize,
) -> Vec<Line<'static>> {
    let theme = &app.setup.theme;
    let mut head = vec![
        Span::styled(format!(" {} ", line.sign.as_char()), theme.sign(line.sign)),
        Span::styled(format!("{} ", column(&line.name, widths.name)), theme.name),
    ];
    let worker = line.worker.as_ref();
    let worker = worker.map_or_else(String::new, |worker| format!("@{worker}"));
    for (text, columns) in [(&line.role, widths.role), (&worker, widths.worker)] {
        if columns > 0 {
            let text = format!("{} ", column(text, columns));
            head.push(Span::styled(text, theme.dim));
        }
    }
    let text = match widths.worker == 0 && !worker.is_empty() {
        // There is no column for it.
        true => format!("{worker} {}", line.text),
        false => line.text.clone(),
    };
    let end = used(app, line, columns);
    let indent: usize = head.iter().map(Span::width).sum();
    let room = columns.saturating_sub(indent + width(&end) + 1);
    let mut parts = vec![text.clone()];
    if rows_max > 1 && width(&text) > room {
        parts = wrapped(&text, room);
    }
    let below = parts.get(1..).unwrap_or_default().join(" ");
    head.push(Span::raw(column(&parts[0], room + 1)));
    head.push(Span::styled(end, theme.dim));
    let mut rows = vec![Line::from(head)];
    if !below.is_empty() {
        let below = fit(&below, columns.saturating_sub(indent + 1));
        rows.push(Line::raw(format!("{}{below}", " ".repeat(indent))));
    }
    rows
}

/// How long it does what it does, how full its context is, and what it has spent.
fn used(app: &App, line: &MemberLine, columns: usize) -> String {
    let since = line.since.map(|since| passed(since, app.view().now()));
    let since = format!("{:>7}", since.unwrap_or_default());
    let context = match (columns, line.context_share) {
        (..ABOUT_MIN, _) => String::new(),
        (BAR_MIN.., Some(share)) => format!(" {} {:>4}", bar(share.percent), share),
        (BAR_MIN.., None) => " ".repeat(14),
        (ABOUT_MIN.., _) => format!("{:>8}", line.context_text),
    };
    let spark = spark(app, line, columns);
    format!("{since}{context}{spark}{:>7}", line.spent)
}

/// The tokens of a member over time, where there is room; all members on one scale.
fn spark(app: &App, line: &MemberLine, columns: usize) -> String {
    if columns < SPARK_MIN {
        return String::new();
    }
    let name = MemberName::parse(&line.name).ok();
    let time = name.map(|name| SparkLine::of(app.view(), &name));
    let most = app.view().costs().over_time().most();
    let cells = time.map(|time| time.cells(SPARK_CELLS, most));
    format!("  {}", column(&cells.unwrap_or_default(), SPARK_CELLS))
}

/// A share of a hundred as a bar.
fn bar(percent: u64) -> String {
    let full = (percent * BAR_CELLS).div_ceil(100).min(BAR_CELLS);
    (0..BAR_CELLS)
        .map(|cell| if cell < full { '▪' } else { '·' })
        .collect()
}

/// The team where the terminal is too small for screens: a row for each member.
pub(crate) fn small(app: &App, columns: usize, rows: usize) -> Vec<Row> {
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
        let text = fit(&text, columns);
        let row = Line::styled(text, app.setup.theme.sign(line.sign));
        Row::of(row, Target::Member(line.name.clone()))
    });
    window(lines.collect(), 0, rows, &app.setup.theme)
}

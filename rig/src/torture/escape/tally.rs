//! What came of all attempts, and whether that is well.

use std::{collections::BTreeSet, fmt::Write as _};

use super::{Level, User, Way, attempt::Attempt, stage::End};

/// One attempt, made once.
pub(super) struct Row {
    pub(super) class: &'static str,
    pub(super) attempt: &'static Attempt,
    pub(super) user: User,
    pub(super) level: Level,
    pub(super) way: Way,
    pub(super) end: End,
}

#[derive(Default)]
pub(super) struct Tally {
    pub(super) rows: Vec<Row>,
}

impl Row {
    /// Whether it is known that it works here.
    fn is_open(&self) -> bool {
        self.level == Level::Landlock && self.attempt.is_open_at_landlock
    }

    fn name(&self) -> String {
        format!("{}: {}", self.class, self.attempt.name)
    }

    fn is_void(&self) -> bool {
        self.level == Level::Off && self.end != End::Worked
    }

    /// It shows nothing, and nobody said that it may.
    fn is_wrong(&self) -> bool {
        self.is_void() && self.attempt.void_because.is_none()
    }

    fn has_escaped(&self) -> bool {
        self.level != Level::Off && self.end == End::Worked && !self.is_open()
    }

    /// A race that is known to work may also break the repository before the program's git begins: then nothing runs.
    fn has_not_run(&self) -> bool {
        let may_break = self.class == "timing" && self.way == Way::Git && self.is_open();
        matches!(self.end, End::NotRun(_)) && !may_break
    }
}

impl Tally {
    /// Whether all ran, nothing got out that is not known to, what is void may be, and what is said to be open is.
    pub(super) fn is_well(&self, is_short: bool) -> bool {
        let fails = |row: &Row| row.has_escaped() || row.has_not_run();
        // A few attempts on one machine show little about the lists.
        let are_lists_right =
            is_short || self.no_more_open().is_empty() && !self.rows.iter().any(Row::is_wrong);
        !self.rows.iter().any(fails) && are_lists_right
    }

    /// What is said to be open and worked nowhere there.
    fn no_more_open(&self) -> BTreeSet<String> {
        let open = self
            .rows
            .iter()
            .filter(|row| row.level != Level::Off && row.is_open());
        let (working, held): (Vec<&Row>, Vec<&Row>) = open.partition(|row| row.end == End::Worked);
        let working: BTreeSet<String> = working.into_iter().map(Row::name).collect();
        let held: BTreeSet<String> = held.into_iter().map(Row::name).collect();
        held.difference(&working).cloned().collect()
    }

    pub(super) fn report(&self) -> String {
        let mut text = String::new();
        self.counts(&mut text);
        let of = |level: Level, is_listed: fn(&Row) -> bool| {
            let rows = self
                .rows
                .iter()
                .filter(move |row| row.level == level && is_listed(row));
            rows.map(|row| format!("{} [{:?}, {:?}]", row.name(), row.user, row.way))
        };
        let worked = |row: &Row| row.end == End::Worked && row.is_open();
        let lists = [
            (
                "void, as they may be",
                of(Level::Off, |row| row.is_void() && !row.is_wrong()).collect::<BTreeSet<_>>(),
            ),
            (
                "VOID: they should work without the sandbox",
                of(Level::Off, Row::is_wrong).collect(),
            ),
            (
                "known to work at landlock",
                self.names(Level::Landlock, worked),
            ),
            ("said to be open, but held", self.no_more_open()),
            (
                "ESCAPED at landlock",
                of(Level::Landlock, Row::has_escaped).collect(),
            ),
            (
                "ESCAPED at full",
                of(Level::Full, Row::has_escaped).collect(),
            ),
        ];
        for (title, names) in lists {
            if !names.is_empty() {
                let _ = writeln!(text, "{title} ({}):", names.len());
                for name in names {
                    let _ = writeln!(text, "  {name}");
                }
            }
        }
        for row in self.rows.iter().filter(|row| row.has_not_run()) {
            if let End::NotRun(said) = &row.end {
                let _ = writeln!(
                    text,
                    "DID NOT RUN: {} [{:?}, {:?}, {:?}]: {said}",
                    row.name(),
                    row.user,
                    row.level,
                    row.way
                );
            }
        }
        text
    }

    fn names(&self, level: Level, is_listed: fn(&Row) -> bool) -> BTreeSet<String> {
        let rows = self
            .rows
            .iter()
            .filter(|row| row.level == level && is_listed(row));
        rows.map(Row::name).collect()
    }

    fn counts(&self, text: &mut String) {
        let groups: BTreeSet<(Level, User, Way)> = self
            .rows
            .iter()
            .map(|row| (row.level, row.user, row.way))
            .collect();
        for (level, user, way) in groups {
            let is_here = |row: &&Row| (row.level, row.user, row.way) == (level, user, way);
            let rows = self.rows.iter().filter(is_here);
            let worked = rows.clone().filter(|row| row.end == End::Worked).count();
            let all = rows.count();
            let _ = writeln!(
                text,
                "{level:?}, {user:?}, {way:?}: {worked} of {all} attempts worked"
            );
        }
    }
}

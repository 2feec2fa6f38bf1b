//! A need in words: the same in lists, headings and alerts.

use std::{borrow::Cow, collections::BTreeSet};

use teammate_core::MemberName;

use super::{Need, NeedKind};
use crate::{counted, t};

impl NeedKind {
    /// The word for it in lists: a colon follows, and its [subject](Need::subject).
    pub fn word(&self) -> &'static str {
        t(match self {
            Self::Permission(_) => "asks",
            Self::Plan(_) => "submits a plan",
            Self::FailedMember(_) => "failed",
            Self::LimitedMember(_) => "reached a limit",
            Self::UnplacedMember(_) => "waits for a worker",
            Self::FailedTask(_) => "was given up",
            Self::MissedGoal(_) => "did not reach the goal",
        })
    }

    /// How it goes on where no answer is asked for; empty for requests.
    pub fn way_on(&self) -> &'static str {
        t(match self {
            Self::Permission(_) | Self::Plan(_) => "",
            Self::FailedMember(_) | Self::LimitedMember(_) => "a message to it lets it go on",
            Self::UnplacedMember(_) => "it begins when such a worker joins",
            Self::FailedTask(_) => "/tasks reopen ID puts it back on the board",
            Self::MissedGoal(_) => "/goal TEXT --until CHECK sets it anew, /goal end gives it up",
        })
    }
}

impl Need {
    /// The member that it is about, or what stands for one: `alice`, `99 members`.
    pub fn who(&self) -> Cow<'_, str> {
        let one = self.member.as_ref().map_or(t("a task"), MemberName::as_str);
        match self.askers() {
            1 => Cow::Borrowed(one),
            askers => Cow::Owned(t!("{askers} members", askers)),
        }
    }

    /// How many members ask it.
    fn askers(&self) -> usize {
        let others = self.alike.iter().map(|need| &need.member);
        let askers: BTreeSet<_> = others.chain([&self.member]).collect();
        askers.len()
    }

    /// The member that asks, of a request: other needs are named by who or what they are about.
    pub fn asker(&self) -> Option<Cow<'_, str>> {
        self.kind.request().map(|_| self.who())
    }

    /// The word for it in lists, as [`NeedKind::word`], for as many as ask it.
    pub fn word(&self) -> Cow<'static, str> {
        match (self.askers(), self.alike.len()) {
            (_, 0) => Cow::Borrowed(self.kind.word()),
            (1, others) => Cow::Owned(t!(
                "{word} {count} times",
                word = self.kind.word(),
                count = others + 1
            )),
            (_, _) => Cow::Borrowed(t("ask")),
        }
    }

    /// Its subject, behind its word: the summary of a plan begins with that by itself.
    pub fn subject(&self) -> &str {
        let of_plan = || self.about.strip_prefix("plan: ");
        match &self.kind {
            NeedKind::Plan(_) => of_plan().unwrap_or(&self.about),
            NeedKind::Permission(_)
            | NeedKind::FailedMember(_)
            | NeedKind::LimitedMember(_)
            | NeedKind::UnplacedMember(_)
            | NeedKind::FailedTask(_)
            | NeedKind::MissedGoal(_) => &self.about,
        }
    }

    /// In a line: `req_000003 alice asks: run cargo test`.
    pub fn line(&self) -> String {
        let asker = self
            .asker()
            .map_or_else(String::new, |who| format!("{who} "));
        let (id, word) = (self.kind.id(), self.word());
        format!("{id} {asker}{word}: {}", self.subject())
    }

    /// A line for little room, which the question itself has.
    pub fn short_line(&self) -> String {
        match self.kind {
            NeedKind::Permission(_) => format!("{}: {}", self.who(), self.about),
            NeedKind::Plan(_)
            | NeedKind::FailedMember(_)
            | NeedKind::LimitedMember(_)
            | NeedKind::UnplacedMember(_)
            | NeedKind::FailedTask(_)
            | NeedKind::MissedGoal(_) => self.line(),
        }
    }

    /// The wish, to stand behind [`who`](Self::who) and above the whole text of the request: `asks: run cargo test`.
    pub fn title(&self) -> String {
        match self.kind {
            NeedKind::Permission(_) => format!("{}: {}", self.word(), self.about),
            NeedKind::Plan(_)
            | NeedKind::FailedMember(_)
            | NeedKind::LimitedMember(_)
            | NeedKind::UnplacedMember(_)
            | NeedKind::FailedTask(_)
            | NeedKind::MissedGoal(_) => self.what_for().to_owned(),
        }
    }

    /// The wish without its subject: a command may hold secrets.
    pub(super) fn what_for(&self) -> &'static str {
        t(match (&self.kind, &self.member) {
            (NeedKind::Permission(_), _) => "asks for permission",
            (NeedKind::Plan(_), _) => "has a plan for you",
            (NeedKind::LimitedMember(_), _) => "has reached a limit",
            (NeedKind::UnplacedMember(_), _) => "waits for a worker",
            (NeedKind::FailedMember(_), _) | (NeedKind::FailedTask(_), None) => "has failed",
            (NeedKind::FailedTask(_), Some(_)) => "has a failed task",
            (NeedKind::MissedGoal(_), _) => "did not reach the goal",
        })
    }
}

/// How much waits for the user: `1 needs you`.
pub fn need_you(count: usize) -> String {
    match count {
        0 => t("nothing needs you").to_owned(),
        count => counted(count as u64, "needs you", "need you"),
    }
}

/// When a question is refused without an answer, in a time in words: `no in 9:50`.
pub fn no_in(left: &str) -> String {
    t!("no in {left}", left)
}

/// The words before the time at which a question is refused.
pub const NO_IN: &str = "no in";

/// A question as one line: `asks: run cargo test`.
pub fn asks(title: &str) -> String {
    t!("asks: {title}", title)
}

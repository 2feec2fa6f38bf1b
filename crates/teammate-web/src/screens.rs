//! The screens of the page: each is data of the view, which other programs get as JSON, drawn as parts of HTML.

mod board;
mod cost;
mod mail;
mod member;
mod needs;
mod part;
mod past;
mod team;

use std::{fmt, str::FromStr};

use serde::Serialize;
use teammate_core::MemberName;
pub use teammate_view::screens::TeamFacts;
use teammate_view::{
    TeamView,
    screens::{
        board::BoardScreen,
        cost::CostScreen,
        graph::GraphScreen,
        mail::MailScreen,
        member::MemberScreen,
        needs::NeedsScreen,
        past::PastScreen,
        room::PAGE_MAX,
        team::{SideScreen, TeamScreen},
    },
};

pub(crate) use self::{
    board::task,
    member::{call, writing_id},
    part::Part,
};

/// A screen as HTML.
trait Parts {
    /// Its parts, in order.
    fn parts(&self) -> Vec<Part>;
}

/// One of the screens.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Screen {
    /// Always there: the team in a few words, and its members.
    Side,
    /// Members, tasks and what happened last.
    Team,
    /// One member's story.
    Member(MemberName),
    /// The tasks in lists.
    Board,
    /// The mail with receipts.
    Mail,
    /// What waits for the user.
    Needs,
    /// What the user answered, and what to look at.
    Past,
    /// Tokens and money.
    Cost,
    /// Who writes to whom, and who worked when: drawn on the page.
    Graph,
}

/// There is no such screen.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UnknownScreen;

impl FromStr for Screen {
    type Err = UnknownScreen;

    fn from_str(text: &str) -> Result<Self, UnknownScreen> {
        Ok(match text {
            "side" => Self::Side,
            "team" => Self::Team,
            "board" => Self::Board,
            "mail" => Self::Mail,
            "needs" => Self::Needs,
            "past" => Self::Past,
            "cost" => Self::Cost,
            "graph" => Self::Graph,
            other => {
                let name = other.strip_prefix("m:").ok_or(UnknownScreen)?;
                Self::Member(MemberName::parse(name).map_err(|_| UnknownScreen)?)
            }
        })
    }
}

impl fmt::Display for Screen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Side => f.write_str("side"),
            Self::Team => f.write_str("team"),
            Self::Member(name) => write!(f, "m:{name}"),
            Self::Board => f.write_str("board"),
            Self::Mail => f.write_str("mail"),
            Self::Needs => f.write_str("needs"),
            Self::Past => f.write_str("past"),
            Self::Cost => f.write_str("cost"),
            Self::Graph => f.write_str("graph"),
        }
    }
}

/// The data of a screen.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[serde(tag = "screen", rename_all = "snake_case")]
pub(crate) enum Shown {
    Side(SideScreen),
    Team(TeamScreen),
    Member(MemberScreen),
    Board(BoardScreen),
    Mail(MailScreen),
    Needs(NeedsScreen),
    Past(PastScreen),
    Cost(CostScreen),
    Graph(GraphScreen),
}

impl Shown {
    /// A screen of this view; of lists that go far back, the entries before number `before`.
    pub(crate) fn of(
        screen: &Screen,
        view: &TeamView,
        facts: &TeamFacts,
        before: Option<u64>,
    ) -> Self {
        match screen {
            Screen::Side => Self::Side(SideScreen::of(view, facts)),
            Screen::Team => Self::Team(TeamScreen::of(view, facts, before)),
            Screen::Member(name) => Self::Member(MemberScreen::of(view, name, before)),
            Screen::Board => Self::Board(BoardScreen::of(view, facts, PAGE_MAX)),
            Screen::Mail => Self::Mail(MailScreen::of(view, before)),
            Screen::Needs => Self::Needs(NeedsScreen::of(view, needs::SHOWN_BYTES_MAX)),
            Screen::Past => Self::Past(PastScreen::of(view)),
            Screen::Cost => Self::Cost(CostScreen::of(view, facts)),
            Screen::Graph => Self::Graph(GraphScreen::of(view)),
        }
    }

    /// The same as HTML, in order.
    pub(crate) fn parts(&self) -> Vec<Part> {
        match self {
            Self::Side(screen) => screen.parts(),
            Self::Team(screen) => screen.parts(),
            Self::Member(screen) => screen.parts(),
            Self::Board(screen) => screen.parts(),
            Self::Mail(screen) => screen.parts(),
            Self::Needs(screen) => screen.parts(),
            Self::Past(screen) => screen.parts(),
            Self::Cost(screen) => screen.parts(),
            Self::Graph(screen) => screen.parts(),
        }
    }
}

impl Parts for GraphScreen {
    /// Only where it is drawn: the page does that.
    fn parts(&self) -> Vec<Part> {
        vec![
            Part::new("div", "graph.members", "drawn", |_| {}),
            Part::new("div", "graph.time", "drawn", |_| {}),
        ]
    }
}

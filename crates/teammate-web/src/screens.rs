//! The screens of the page: each is data of the view, which other programs get as JSON, drawn as parts of HTML.

mod board;
mod changes;
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
        changes::ChangesScreen,
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
    part::PagePart,
};

/// A screen as HTML.
trait ScreenParts {
    /// Its parts, in order.
    fn parts(&self) -> Vec<PagePart>;
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum PageScreen {
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
    Needs,
    /// Answers of the user, and news to look at.
    Past,
    /// The changed files.
    Changes,
    /// Tokens and money.
    Cost,
    /// The graph of mail, and the time lines of members: drawn on the page.
    Graph,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UnknownScreen;

impl FromStr for PageScreen {
    type Err = UnknownScreen;

    fn from_str(text: &str) -> Result<Self, UnknownScreen> {
        Ok(match text {
            "side" => Self::Side,
            "team" => Self::Team,
            "board" => Self::Board,
            "mail" => Self::Mail,
            "needs" => Self::Needs,
            "past" => Self::Past,
            "changes" => Self::Changes,
            "cost" => Self::Cost,
            "graph" => Self::Graph,
            other => {
                let name = other.strip_prefix("m:").ok_or(UnknownScreen)?;
                Self::Member(MemberName::parse(name).map_err(|_| UnknownScreen)?)
            }
        })
    }
}

impl fmt::Display for PageScreen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Side => f.write_str("side"),
            Self::Team => f.write_str("team"),
            Self::Member(name) => write!(f, "m:{name}"),
            Self::Board => f.write_str("board"),
            Self::Mail => f.write_str("mail"),
            Self::Needs => f.write_str("needs"),
            Self::Past => f.write_str("past"),
            Self::Changes => f.write_str("changes"),
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
    Changes(ChangesScreen),
    Cost(CostScreen),
    Graph(GraphScreen),
}

impl Shown {
    /// A screen of this view; of lists that go far back, the entries before number `before`.
    pub(crate) fn of(
        screen: &PageScreen,
        view: &TeamView,
        facts: &TeamFacts,
        before: Option<u64>,
    ) -> Self {
        match screen {
            PageScreen::Side => Self::Side(SideScreen::of(view, facts)),
            PageScreen::Team => Self::Team(TeamScreen::of(view, facts, before)),
            PageScreen::Member(name) => Self::Member(MemberScreen::of(view, name, before)),
            PageScreen::Board => Self::Board(BoardScreen::of(view, facts, PAGE_MAX)),
            PageScreen::Mail => Self::Mail(MailScreen::of(view, before)),
            PageScreen::Needs => Self::Needs(NeedsScreen::of(view, needs::SHOWN_BYTES_MAX)),
            PageScreen::Past => Self::Past(PastScreen::of(view)),
            PageScreen::Changes => Self::Changes(ChangesScreen::of(view)),
            PageScreen::Cost => Self::Cost(CostScreen::of(view, facts)),
            PageScreen::Graph => Self::Graph(GraphScreen::of(view)),
        }
    }

    /// The screen as HTML, in order.
    pub(crate) fn parts(&self) -> Vec<PagePart> {
        match self {
            Self::Side(screen) => screen.parts(),
            Self::Team(screen) => screen.parts(),
            Self::Member(screen) => screen.parts(),
            Self::Board(screen) => screen.parts(),
            Self::Mail(screen) => screen.parts(),
            Self::Needs(screen) => screen.parts(),
            Self::Past(screen) => screen.parts(),
            Self::Changes(screen) => screen.parts(),
            Self::Cost(screen) => screen.parts(),
            Self::Graph(screen) => screen.parts(),
        }
    }
}

impl ScreenParts for GraphScreen {
    /// Only where it is drawn: the page does that.
    fn parts(&self) -> Vec<PagePart> {
        vec![
            PagePart::new("div", "graph.members", "drawn", |_| {}),
            PagePart::new("div", "graph.time", "drawn", |_| {}),
        ]
    }
}

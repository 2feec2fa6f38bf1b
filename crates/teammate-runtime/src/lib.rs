//! Drives a team: one task per member carries out what the agent machine wants done.
//!
//! The rules are not here but in `teammate-core`; files, models and tools are not here either but behind its ports.
//! What is here: the [`Host`] that opens a team and keeps it running, the driver of each member, the ledger that decides
//! commands one after the other, the permission gate, retries, and the event feed.

mod activity;
mod ask;
mod background;
mod base;
mod closing;
mod config;
mod dispatch;
mod feed;
mod gate;
mod governor;
mod halt;
mod home;
mod host;
mod identity;
mod ledger;
mod loops;
mod mailer;
mod member;
mod members;
mod open_requests;
mod policy;
mod reactions;
mod requests;
mod rest;
mod rights;
mod setup;
mod spending;
mod state;
mod storage;
mod subagent;
mod supervise;
mod team_service;
mod told;
mod unfinished;
mod warmth;

pub use config::{RetryLimits, TeamConfig};
pub use feed::EventFeed;
pub use host::{Host, OpenError};
pub use ledger::{CommitResult, Ledger, LedgerError, News, Told};
pub use mailer::recipient;
pub use policy::{PlanPolicy, Policy};
pub use setup::{Setup, World};
pub use team_service::uncommitted;
pub use teammate_core::tool::ToolNames;
pub use unfinished::unfinished;

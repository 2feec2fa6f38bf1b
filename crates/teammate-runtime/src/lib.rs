//! Drives a team: one task per member carries out what the agent machine wants done.
//!
//! The rules are not here but in `teammate-core`; files, models and tools are not here either but behind its ports.
//! What is here: the [`Host`] that opens a team and keeps it running, the driver of each member, the ledger that decides
//! commands one after the other, the permission gate, retries, and the event feed.

mod activity;
mod base;
mod cache_warmup;
mod carried_work;
mod closing;
mod config;
mod driver;
mod engine;
mod feed;
#[cfg(test)]
mod fixture;
mod governor;
mod halt;
mod host;
mod identity;
mod idle_wait;
mod jobs;
mod last_turn;
mod ledger;
mod loops;
mod mailer;
mod members;
mod model_calls;
mod model_chain;
mod open_requests;
mod permission_gate;
mod policy;
mod reactions;
mod recall;
mod recap;
mod requests;
mod rights;
mod schedules;
mod setup;
mod shown;
mod spending;
mod storage;
mod subagent;
mod supervisor;
mod team_service;
mod tenures;
mod tool_call;
mod unfinished;
mod user_orders;
mod work_notice;
mod workdir;
mod worker_role;
mod workers;

pub use config::{AuditUse, CacheSetting, Fallback, RetryLimits, SHUTDOWN_WITHIN, TeamConfig};
pub use feed::EventFeed;
pub use host::{EventSource, Host, OpenError};
pub use ledger::{CommitResult, JournalNews, Ledger, LedgerError, NewsReceiver};
pub use mailer::recipient;
pub use model_chain::ModelInUse;
pub use policy::{AskPolicy, PlanApprover};
pub use recall::unheard_words;
pub use setup::{Ports, Setup};
pub use team_service::{PLAN_LIFTED, plan_wanted, uncommitted};
pub use teammate_core::tool::ToolNames;
pub use teammate_fleet::WorkerStop;
pub use unfinished::unfinished;
pub use worker_role::WorkerRole;

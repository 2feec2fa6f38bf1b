//! Commands in views: what they can do, and what they cannot.
#![allow(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod closed;
mod cost;
mod files;
mod layers;
mod levels;
mod limits;
mod member_limits;
mod names;
mod network;
mod place;
mod processes;
mod proof;

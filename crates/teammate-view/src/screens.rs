//! The screens as data: values with their words, order and counts, read off the view. Terminal, page and a shared run draw them,
//! and other programs get them as JSON.

#![expect(
    missing_docs,
    reason = "fields are the names of the JSON; comments say what a name does not"
)]

pub mod board;
pub mod changes;
pub mod cost;
pub mod goal;
pub mod graph;
pub mod mail;
pub mod member;
pub mod needs;
pub mod past;
pub mod room;
pub mod spark;
pub mod team;
pub mod welcome;

use teammate_core::{budget::Budget, price::Prices};

/// The facts about a team besides its view.
#[derive(Debug, Clone, Default)]
pub struct TeamFacts {
    /// The name of its workspace, for people.
    pub workspace: String,
    /// The prices of its answers.
    pub prices: Prices,
    /// The budget of all members, where this process knows it.
    pub limits: Budget,
    /// How it goes on while nobody runs it, in a sentence; empty where the face itself would run it.
    pub way_on: String,
}

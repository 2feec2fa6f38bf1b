//! Commands in views: what they can do, and what they cannot.

mod cost;
mod files;
mod network;
mod place;
mod processes;

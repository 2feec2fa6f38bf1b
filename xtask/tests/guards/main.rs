//! What the repository promises of itself: floors and imports, queues, starts of processes, profiles, pages
//! and words.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test may")]

mod architecture;
mod circles;
mod contracts;
mod features;
mod pages;
mod profiles;
mod prose;
mod queues;
mod starts;
mod translated;
mod tree;
mod words;

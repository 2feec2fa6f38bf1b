//! What the repository promises of itself: floors and imports, queues, starts of processes, pages and words.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test may")]

mod architecture;
mod circles;
mod features;
mod pages;
mod prose;
mod queues;
mod starts;
mod tree;
mod words;

//! The full screen of a team in a terminal: draws a `TeamView`, reads keys, and asks for what the user wants. It knows no files
//! and no models, and only text and its own sequences reach the terminal.
//!
//! It draws with ratatui: `app` is its state, `input` does what the key table says, `draw` and
//! `screens` make rows of what is visible, `run` is the loop.
//!
//! - **It knows core and the view**: no files, no models, no team. What it needs from the world is
//!   in `PromptEnvironment`.
//! - **Nothing is written while nothing happens**, and a question takes no key from the prompt.

// A text that is cut at an offset of another one would end the face.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod app;
mod backend;
mod draw;
mod end;
mod input;
mod row;
mod run;
mod screens;
mod story;
mod terminal;
mod text;
mod theme;

pub use self::{
    app::{Leaving, MemberFile, MouseUse, PromptEnvironment, ScreenSetup},
    end::{After, ScreenEnd},
    run::{Ends, run},
    theme::Theme,
};

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test may")]
mod tests;

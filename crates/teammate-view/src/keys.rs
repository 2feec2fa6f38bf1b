//! Keys: one table says what each does where, by which word the same can be typed, and what is said about it. Footer, help, the
//! page for people and the handling of keys come from it, so they cannot differ.

mod action;
mod press;
mod settings;
mod shown;
mod table;
#[cfg(test)]
mod tests;

pub use action::{KeyAction, KeyContext};
pub use press::{KeyCode, KeyPress, UnknownKey};
pub use settings::{KeyList, KeySettings};
pub use table::{KeyTable, KeyTableError};

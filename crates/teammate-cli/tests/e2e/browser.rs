//! The page and the shared file in a real browser: Debian's Chromium, driven through its own driver. The tests are ignored unless
//! `cargo xtask test --part browser` runs them, which finds or installs both.

mod accessible;
mod addresses;
mod again;
mod asked;
mod boxes;
mod chromium;
mod finding;
mod hostile;
mod idle;
mod keyboard;
mod layout;
mod monkey;
mod on_servers;
mod pausing;
mod pictures;
mod replay;
mod review;
mod screens;
mod served;
mod shown_pictures;
mod tabs;
mod truth;
mod waiting;
mod wishes;

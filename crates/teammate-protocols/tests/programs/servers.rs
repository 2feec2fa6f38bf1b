//! Servers of tools.

mod address;
mod bench;
mod calls;
mod ends;
mod lists;
mod many;
mod no_team;
mod starts;

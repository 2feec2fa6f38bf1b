//! Agents of other makes.

mod bench;
mod measured;
mod members;
mod starts;
mod turns;

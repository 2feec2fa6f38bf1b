//! Whole teams: in a simulation of seeds, and on several workers.

mod simulation;
mod workers;

//! What the doors have in common whose teams run in this process: the lines to the program at the other side (`lines`), what it is
//! asked for members (`questions`), and a team that runs (`running_team`) with what it was given to do (`job`). The words on the
//! lines are each door's own.

pub(crate) mod job;
pub(crate) mod lines;
pub(crate) mod questions;
pub(crate) mod running_team;

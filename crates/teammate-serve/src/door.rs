//! What the doors have in common whose teams run in this process: the lines to the program at the other side (`lines`), what its user
//! says in them (`prompt`), what it is asked for members (`questions`), and a team that runs (`running_team`) with what it was given
//! to do (`job`). The words on the lines are each door's own, and no door knows another.

pub(crate) mod job;
pub(crate) mod lines;
pub(crate) mod prompt;
pub(crate) mod questions;
pub(crate) mod running_team;

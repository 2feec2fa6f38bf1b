//! Requests in a team that lives on failing files and dies at bad moments. Time is paused: what takes long is seen, and not waited for.

mod conversations;
mod ends;
mod grants;
mod interrupts;
mod pauses;
mod stage;
mod troubles;

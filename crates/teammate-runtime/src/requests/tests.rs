//! Requests in a team whose files fail and whose process dies at bad moments. Time is paused, so nothing is waited
//! for.

mod agents;
mod connections;
mod conversations;
mod ends;
mod grants;
mod holds;
mod interrupts;
mod pauses;
mod schedules;
mod stage;
mod troubles;

//! How screens and the page reach a team: that of this process, or that of another. What a verb means is the same for both.

mod attached;
mod hosted;
mod verbs;

pub(super) use self::{attached::Attached, hosted::Hosted, verbs::Chosen};

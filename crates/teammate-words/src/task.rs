//! Tasks in words: what can happen to one, what it requires of its owner, and how it was proven to be done.

mod event;
mod evidence;
mod requirement;

pub use self::{
    event::TaskEvent,
    evidence::{EVIDENCE_TAIL_BYTES_MAX, Evidence, in_seconds},
    requirement::{Requirement, RequirementError},
};

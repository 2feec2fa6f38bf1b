//! The JSON that other programs get of a team, as [`crate::schema`] describes it.

pub use teammate_store::view_files::{request_json, task_json, whole_request_json};

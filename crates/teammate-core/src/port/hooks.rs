//! The port for hooks: what runs the user's commands at events.

use crate::{
    hook::{HookCall, HookEvent, HookRun},
    port::BoxFuture,
};

/// Runs hooks.
pub trait Hooks: Send + Sync {
    /// Whether any hook is for this event. Costs nothing.
    fn listens(&self, event: HookEvent) -> bool;

    /// Runs those that match, side by side, each within its time, and returns how they ended, in the order of their files.
    /// Dropped, it ends them with all that they started.
    fn run<'a>(&'a self, call: &'a HookCall) -> BoxFuture<'a, Vec<HookRun>>;
}

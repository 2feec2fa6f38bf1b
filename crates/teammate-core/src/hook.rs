//! Hooks: commands of the user that run at events of the team, and what their answers mean.
//!
//! A file names commands for events ([`HookFile`]). At an event the runtime makes a [`HookCall`], which they read as JSON;
//! what they answer becomes one [`HookVerdict`]. A verdict can refuse and have the user asked; nothing in it allows anything. Running
//! the commands is the adapter's part ([`Hooks`](crate::port::Hooks)). `docs/hooks.md` is for those who write hooks.

mod answer;
mod call;
mod event;
mod file;
mod file_keys;
mod identity;
mod matcher;
mod occasion;
mod tool_use;
mod verdict;

pub use answer::{HookEnd, HookRun};
pub use call::HookCall;
pub use event::{Control, HookEvent};
pub use file::{HOOK_LIMIT, HookEntry, HookFile, HookFileError, HookOrigin};
pub use identity::{Identity, permission_word};
pub use matcher::Matcher;
pub use occasion::{Occasion, TaskFacts};
pub use tool_use::ToolUse;
pub use verdict::{HookDecision, HookVerdict};

//! The walls around everything that a member causes to run.
//!
//! ```no_run
//! use std::path::Path;
//! use teammate_sandbox::{Held, Helper, Level, Policy, begin};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! begin(); // the first line of main
//! let helper = Helper::start(Level::Full)?; // before the program knows a secret
//! let policy = Policy {
//!     writable: vec![Held::open(Path::new("/home/anna/project"))?],
//!     ..Policy::default()
//! };
//! let view = helper.view(policy)?;
//! # Ok(())
//! # }
//! ```
//!
//! A [`Helper`] is a process without secrets; a [`View`] is the file system as the commands of one member see it; a
//! [`Running`] command has namespaces of its own, and ends with the value that holds it or with the program, whatever that dies
//! of. What cannot be walled does not run: [`Failure`] says which wall.
//!
//! It is not for deciding what a member may do: permissions are asked before.
//!
//! `docs/safety.md` says what it holds. `sandbox.rs` is its entrance: a place and rules give a
//! policy (`place.rs`, `rules.rs`), a policy a view, a view starts commands (`started.rs`,
//! `helper.rs`, `running.rs`), in a control group where there are any (`control_groups.rs`). What
//! runs on the other side, in processes without secrets, is below `inside`. `guard` looks after
//! names that no wall holds: what commands write there is seen, held and asked about. `network`
//! connects commands by name, where a `Judge` lets it: the one in `bash` asks the permission gate
//! (`runtime/src/permission_gate/connections.rs`). `Outbound` gives the program's own tools
//! connections by the same look at addresses.
//!
//! - **It knows nobody**: no team, no permission, no configuration. Of core it has names of hosts.
//! - **What cannot be walled does not run.** `Failure` names the step.
//! - **Nobody else starts a process.** Clippy refuses it (`clippy.toml`); tests and `xtask` may. What the user
//!   types, their editor and pager (`teammate-cli/src/commands/repl/shell.rs`,
//!   `teammate-cli/src/commands/face/environment.rs`), what they configure (`teammate/src/key_command.rs`,
//!   `teammate-cli/src/commands/notify.rs`) and the program itself in the background
//!   (`teammate-cli/src/commands/up/background.rs`) are not held.
//! - **`inside/sys.rs` has the only `unsafe`.**

mod account;
mod as_user;
mod control_groups;
mod failure;
mod guard;
mod helper;
mod inside;
mod leftovers;
mod level;
mod limits;
mod message;
mod network;
mod order;
mod place;
mod policy;
mod probe;
mod proof;
mod protect;
mod rules;
mod running;
mod sandbox;
mod sockets;
mod started;
mod streams;
mod submodules;

pub use as_user::{UserCommand, UserOutput};
pub use failure::Failure;
pub use guard::{Content, GuardDirs, HeldFile, Vouch};
pub use helper::{Helper, View, begin, helper_is};
pub use inside::utc_offset;
pub use level::Level;
pub use limits::{CommandLimits, Limit, MemberLimit, MemberLimits};
pub use network::{Judge, Network, Networks, Outbound, Plain, Verdict};
pub use order::Order;
pub use place::{By, Place, git_dir_of_worktree};
pub use policy::{Held, Policy, TMP_DIRS};
pub use probe::Attempt;
pub use proof::Proof;
pub use protect::protect;
pub use rules::{Cache, HIDDEN, NetworkRule, PROTECTED, PROTECTED_IF_THERE, SandboxRules};
pub use running::{Ended, GuardLook, Running};
pub use sandbox::{Sandbox, Strength};
pub use streams::Streams;

/// The exit code of a program that could not be started, as shells have it.
const NOT_STARTED: i32 = 126;

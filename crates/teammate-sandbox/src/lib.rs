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
pub use place::{By, Place};
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

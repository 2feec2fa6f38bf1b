//! The order for a command, and what is heard of it.

use std::{ffi::OsString, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::{
    failure::Failure,
    limits::{CommandLimits, Limit, MemberLimits},
    probe::Targets,
};

/// A command to be run in a view.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    /// The program, as an absolute path in the view.
    pub program: PathBuf,
    pub arguments: Vec<OsString>,
    pub environment: Vec<(String, String)>,
    /// Where it begins: an absolute path in the view.
    pub directory: PathBuf,
    pub limits: CommandLimits,
}

/// A report of a command on its leash.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    /// The program has ended.
    Ended {
        /// Its wait status.
        status: i32,
        /// Whether nothing that it started is left.
        is_last: bool,
    },
    /// All of it is being killed, because together it used more than this allows.
    Limit(Limit),
    /// Nothing was run.
    Failed(Failure),
}

/// The host's word on the leash: ask all to stop.
pub(crate) const STOP: u8 = b'?';

/// To a view: run a command. Descriptors beside it: its leash, its output, its errors, then what is announced here, in this order.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Run {
    /// A standard input.
    pub(crate) has_input: bool,
    /// A network namespace.
    pub(crate) has_network: bool,
    pub(crate) has_control_group: bool,
    /// The records of what its member's commands use.
    pub(crate) share: Option<Shared>,
    /// Tries what a command must not be able to do, instead of the order's program.
    pub(crate) probes: Option<Targets>,
}

/// The part of a command in what its member's commands use.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Shared {
    /// Its record.
    pub(crate) number: u32,
    pub(crate) limits: MemberLimits,
}

//! What is to be run, and what is heard of it.

use std::{ffi::OsString, path::PathBuf};

use serde::{Deserialize, Serialize};

use crate::{failure::Failure, probe::Targets};

/// A command to be run in a view.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Order {
    /// The program, as an absolute path in the view.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// All of its environment.
    pub environment: Vec<(String, String)>,
    /// Where it begins: an absolute path in the view.
    pub directory: PathBuf,
    /// What it may use.
    pub limits: Limits,
}

/// How much each process of a command may use; `None` leaves what the program itself has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// The largest file that it writes, in bytes.
    pub file_bytes: Option<u64>,
    /// Its data segment and private memory, in bytes.
    pub memory_bytes: Option<u64>,
    /// Open files.
    pub open_files: Option<u64>,
    /// Processes and threads of the whole command at a time.
    pub processes: Option<u32>,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: Some(8 << 30),
            memory_bytes: None,
            open_files: Some(4_096),
            processes: Some(1_024),
        }
    }
}

/// What is heard of a command on its leash.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Report {
    /// The program has ended.
    Ended {
        /// Its wait status.
        status: i32,
        /// Whether nothing that it started is left.
        is_last: bool,
    },
    /// Nothing was run.
    Failed(Failure),
}

/// What the host says on the leash: ask all to stop.
pub(crate) const STOP: u8 = b'?';

/// To a view: run a command. Descriptors beside it: its leash, its output, its errors, then what is announced here.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Run {
    /// A network namespace.
    pub(crate) has_network: bool,
    /// A control group.
    pub(crate) has_control_group: bool,
    /// Tries what a command must not be able to do, instead of the order's program.
    pub(crate) probes: Option<Targets>,
}

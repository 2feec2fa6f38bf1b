//! External agents: `[agent.NAME]` of the configuration file.

use std::collections::BTreeMap;

use teammate::agents::AgentTable;

/// The entries of the configuration file, by name.
pub(super) type AgentTables = BTreeMap<String, AgentTable>;

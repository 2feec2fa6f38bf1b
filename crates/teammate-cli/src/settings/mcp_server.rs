//! The table `[mcp_server]` of the configuration: what clients of the team's MCP server may do.

use serde::Deserialize;

/// The table of the MCP server's rights; one that is not set is not allowed.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct McpServerTable {
    /// Whether clients answer what members ask of the user.
    pub(super) answers: bool,
}

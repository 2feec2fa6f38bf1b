//! Tables of the configuration that switch something on: `[memory]`, `[schedules]` and `[mcp_server]`. Nothing is on by itself.

use serde::Deserialize;

/// `[memory]`: members keep notes across teams. `[schedules]`: schedules fire.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SwitchTable {
    pub(super) enabled: bool,
}

/// `[mcp_server]`: the rights of clients of the team's MCP server.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct McpServerTable {
    /// Whether clients answer what members ask of the user.
    pub(super) answers: bool,
}

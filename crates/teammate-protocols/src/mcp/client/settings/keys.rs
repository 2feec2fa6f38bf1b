//! Keys of entries, and of the files in which they stand, that this program and others have.

use teammate_core::known_keys::KnownKeys;

const ONLY: &str = "list in `tools` those that are used";
const TIME: &str = "write `timeout_s`, in seconds";
const OUTPUT: &str = "write `max_output_kb`";
const WALLS: &str =
    "its program runs in the sandbox of commands in any case, with the hosts in `network`";
const RULES: &str = "write rules that deny its tools, mcp__NAME__TOOL";

/// Of an entry. What the fields of the table read comes here only where a name is near it.
pub(super) const OF_ENTRIES: KnownKeys = KnownKeys {
    read: &[
        "type",
        "command",
        "args",
        "env",
        "cwd",
        "url",
        "headers",
        "scope",
        "network",
        "timeout_s",
        "startup_timeout_s",
        "max_output_kb",
        "always_load",
        "reads",
        "tools",
        "client_id",
        "client_secret",
        "callback_port",
        "disabled",
        "enabled",
    ],
    limits: &[
        ("excludeTools", ONLY),
        ("exclude_tools", ONLY),
        ("disabledTools", ONLY),
        ("disabled_tools", ONLY),
        ("allowedTools", ONLY),
        ("allowed_tools", ONLY),
        ("blockedTools", ONLY),
        ("denyTools", ONLY),
        ("cmd", "write `command`"),
        ("requestTimeout", TIME),
        ("request_timeout", TIME),
        ("toolTimeout", TIME),
        ("tool_timeout", TIME),
        ("tool_timeout_ms", TIME),
        ("maxOutputTokens", OUTPUT),
        ("max_output_tokens", OUTPUT),
        ("sandbox", WALLS),
        ("roots", WALLS),
        ("allowedDirectories", WALLS),
        ("readOnly", RULES),
        ("readonly", RULES),
        ("read_only", RULES),
        ("permissions", RULES),
        ("deny", RULES),
    ],
    silent: &[
        "name",
        "title",
        "displayName",
        "description",
        "icon",
        "icons",
        "version",
        "author",
        "license",
        "homepage",
        "repository",
        "metadata",
        "tags",
        "note",
        "comment",
        "_comment",
        "$schema",
        // Programs of servers are always held.
        "sandboxEnabled",
    ],
};

/// Of a file of entries. What else other programs have in such a file is theirs.
pub const OF_FILES: KnownKeys = KnownKeys {
    read: &["mcpServers", "servers"],
    limits: &[
        ("excludeTools", RULES),
        ("disallowedTools", RULES),
        ("allowedMcpServers", "take the other entries away"),
        ("deniedMcpServers", "set `disabled` in their entries"),
        ("disabledMcpServers", "set `disabled` in their entries"),
        ("disabledMcpjsonServers", "set `disabled` in their entries"),
    ],
    silent: &[],
};

//! Keys of files of hooks, and of the settings of other programs that such files may be: what would limit something and does not
//! here.

use serde_json::{Map, Value};

use crate::known_keys::{KnownKeys, says_anything};

const RULES: &str = "write it as rules, `deny` and `allow` in your configuration, and name a file that has hooks only";
const SANDBOX: &str =
    "write it under [sandbox] of your configuration, and name a file that has hooks only";
const TOOLS: &str = "write a rule that denies the tools";

/// Of a whole file.
pub(super) const OF_FILES: KnownKeys = KnownKeys {
    read: &["hooks"],
    limits: &[
        ("disableAllHooks", "take the file away, or its hooks"),
        ("allowManagedHooksOnly", "take the other hooks away"),
        ("sandbox", SANDBOX),
        ("defaultMode", RULES),
        ("disableBypassPermissionsMode", RULES),
        ("disallowedTools", TOOLS),
        ("excludeTools", TOOLS),
        ("allowedTools", TOOLS),
        ("allowedMcpServers", TOOLS),
        ("deniedMcpServers", TOOLS),
        ("disabledMcpjsonServers", TOOLS),
    ],
    silent: &[],
};

/// Of a group of hooks for one event.
pub(super) const OF_GROUPS: KnownKeys = KnownKeys {
    read: &["matcher", "hooks"],
    limits: &[
        ("if", "look at it in the command of the hook"),
        ("tools", "write `matcher`"),
    ],
    silent: &["description", "name", "sequential"],
};

/// Of one hook.
pub(super) const OF_HOOKS: KnownKeys = KnownKeys {
    read: &["type", "command", "timeout", "required", "network"],
    limits: &[
        ("if", "look at it in the command of the hook"),
        ("once", "remember it in the command of the hook"),
        ("args", "write them behind the command"),
        ("matcher", "it stands beside `hooks`"),
        ("failClosed", "write `required`"),
        ("timeoutMs", "write `timeout`, in seconds"),
    ],
    silent: &["statusMessage", "description", "name"],
};

/// Events: ours, and those of other programs at which hooks refuse something.
pub(super) const OF_EVENTS: KnownKeys = KnownKeys {
    read: &EVENTS,
    limits: &[
        ("PermissionRequest", "write PermissionAsked or PreToolUse"),
        ("UserPromptExpansion", "write UserPromptSubmit"),
        (
            "ConfigChange",
            "nothing changes the configuration of a team that runs",
        ),
        ("WorktreeCreate", "write SubagentStart"),
        ("PostToolBatch", "write PostToolUse"),
        ("Elicitation", "write PermissionAsked"),
        ("BeforeTool", "write PreToolUse"),
        ("AfterTool", "write PostToolUse"),
        ("BeforeToolSelection", "write ModelCallBefore"),
        ("BeforeModel", "write ModelCallBefore"),
        ("BeforeAgent", "write UserPromptSubmit"),
        ("AfterAgent", "write Stop"),
        ("beforeShellExecution", "write PreToolUse"),
        ("beforeMCPExecution", "write PreToolUse"),
        ("beforeReadFile", "write PreToolUse"),
        ("beforeSubmitPrompt", "write UserPromptSubmit"),
        ("preToolUse", "write PreToolUse"),
    ],
    silent: &["AfterModel", "PreCompress", "PostCompact", "Notification"],
};

const EVENTS: [&str; 18] = {
    let mut names = [""; 18];
    let mut at = 0;
    while at < names.len() {
        names[at] = super::HookEvent::ALL[at].1;
        at += 1;
    }
    names
};

/// The error for permissions of other programs' settings, which would limit something.
///
/// # Errors
///
/// The first of it.
pub(super) fn limits_of_settings(rest: &Map<String, Value>) -> Result<(), String> {
    let Some(permissions) = rest.get("permissions").and_then(Value::as_object) else {
        return Ok(());
    };
    let mode = permissions.get("defaultMode").and_then(Value::as_str);
    let limits = ["deny", "ask", "disableBypassPermissionsMode"]
        .into_iter()
        .find(|key| permissions.get(*key).is_some_and(says_anything))
        .or_else(|| matches!(mode, Some("plan" | "dontAsk")).then_some("defaultMode"));
    match limits {
        None => Ok(()),
        Some(key) => Err(format!(
            "says 'permissions.{key}', which would limit it and is not read here: {RULES}"
        )),
    }
}

//! A file of hooks, in the shape that other programs have: `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type":
//! "command", "command": "..."}]}]}}`. Two keys of a hook are ours: `required` and `network`.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{HookEvent, Matcher};
use crate::permission::{NET, Rule, RuleOrigin, Rules};

/// How long a hook may take unless it says otherwise.
pub const HOOK_LIMIT: Duration = Duration::from_secs(30);

/// The longest time that it may say.
const HOOK_LIMIT_MAX: Duration = Duration::from_secs(600);

/// The most hooks of a file.
const HOOKS_MAX: usize = 200;

/// Whose a file of hooks is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookOrigin {
    /// The user's own, by its path.
    User(String),
    /// The workspace's, by its path in it. The user trusts its content.
    Project(String),
    /// A plug-in's, by its name. The user trusts its content.
    Plugin(String),
}

/// A file of hooks.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HookFile {
    /// The hooks, in order.
    pub hooks: Vec<HookEntry>,
    /// What in it has no meaning here, a sentence each.
    pub remarks: Vec<String>,
}

/// One hook.
#[derive(Debug, Clone, PartialEq)]
pub struct HookEntry {
    /// When it runs.
    pub event: HookEvent,
    /// For what.
    pub matcher: Matcher,
    /// What runs, for a shell.
    pub command: String,
    /// How long it may take.
    pub limit: Duration,
    /// Whether its failure counts as a refusal.
    pub required: bool,
    /// The hosts that it may connect to, as it lists them.
    pub hosts: Vec<String>,
    /// The same as rules.
    pub network: Rules,
    /// Whose it is.
    pub origin: HookOrigin,
}

/// Why a file of hooks cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{file} cannot be used: {why}")]
pub struct HookFileError {
    file: String,
    why: String,
}

impl HookOrigin {
    /// How people read it.
    pub fn describe(&self) -> String {
        match self {
            Self::User(path) | Self::Project(path) => path.clone(),
            Self::Plugin(name) => format!("the plug-in {name}"),
        }
    }

    /// Whether its word about the network counts.
    fn may_open_network(&self) -> bool {
        match self {
            Self::User(_) => true,
            Self::Project(_) | Self::Plugin(_) => false,
        }
    }
}

/// The whole file. Settings of other programs have more in it than hooks.
#[derive(Deserialize)]
struct Written {
    #[serde(default)]
    hooks: Map<String, Value>,
}

#[derive(Deserialize)]
struct WrittenGroup {
    #[serde(default)]
    matcher: Option<String>,
    hooks: Vec<WrittenHook>,
}

#[derive(Deserialize)]
struct WrittenHook {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    command: String,
    #[serde(default)]
    timeout: Option<f64>,
    #[serde(default)]
    required: bool,
    #[serde(default)]
    network: Vec<String>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

/// Keys of other programs that change nothing about what a hook refuses.
const HARMLESS: [&str; 2] = ["statusMessage", "description"];

impl HookFile {
    /// Reads one.
    ///
    /// # Errors
    ///
    /// It is not such a file, or something in it cannot be meant: nothing of it is used.
    pub fn read(text: &str, origin: &HookOrigin) -> Result<Self, HookFileError> {
        let wrong = |why: String| HookFileError {
            file: origin.describe(),
            why,
        };
        let written: Written =
            serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let mut file = Self::default();
        for (name, groups) in written.hooks {
            let Some(event) = HookEvent::parse(&name) else {
                file.remark(
                    origin,
                    &format!("there is no event {name} here; its hooks never run"),
                );
                continue;
            };
            let groups: Vec<WrittenGroup> = serde_json::from_value(groups)
                .map_err(|error| wrong(format!("{name}: {error}")))?;
            for group in groups {
                file.add(event, group, origin)
                    .map_err(|why| wrong(format!("{name}: {why}")))?;
            }
        }
        if file.hooks.len() > HOOKS_MAX {
            return Err(wrong(format!("it has more than {HOOKS_MAX} hooks")));
        }
        Ok(file)
    }

    fn add(
        &mut self,
        event: HookEvent,
        group: WrittenGroup,
        origin: &HookOrigin,
    ) -> Result<(), String> {
        let text = group.matcher.unwrap_or_default();
        let matcher = Matcher::parse(&text)
            .map_err(|why| format!("the matcher {text:?} is not understood: {why}"))?;
        for hook in group.hooks {
            if hook.kind != "command" {
                let kind = &hook.kind;
                self.remark(
                    origin,
                    &format!("a hook of type {kind:?} ({event}) never runs: only commands are run"),
                );
                continue;
            }
            if hook.command.trim().is_empty() {
                return Err("a hook has no command".to_owned());
            }
            for key in hook.rest.keys() {
                if !HARMLESS.contains(&key.as_str()) {
                    let command = &hook.command;
                    self.remark(
                        origin,
                        &format!("{key:?} of `{command}` ({event}) has no meaning here"),
                    );
                }
            }
            let network = self.network(&hook, origin)?;
            self.hooks.push(HookEntry {
                event,
                matcher: matcher.clone(),
                limit: limit(hook.timeout)?,
                required: hook.required,
                hosts: hook.network,
                network,
                command: hook.command,
                origin: origin.clone(),
            });
        }
        Ok(())
    }

    fn network(&mut self, hook: &WrittenHook, origin: &HookOrigin) -> Result<Rules, String> {
        if !hook.network.is_empty() && !origin.may_open_network() {
            let command = &hook.command;
            self.remark(
                origin,
                &format!(
                    "`{command}` connects nowhere: only a file of your own can open the network"
                ),
            );
            return Ok(Rules::default());
        }
        let rule = |host: &String| Rule::parse(&format!("{NET}({host})"), RuleOrigin::User);
        let allow: Result<Vec<Rule>, _> = hook.network.iter().map(rule).collect();
        Ok(Rules {
            allow: allow.map_err(|error| error.to_string())?,
            ..Rules::default()
        })
    }

    fn remark(&mut self, origin: &HookOrigin, what: &str) {
        self.remarks.push(format!("{}: {what}", origin.describe()));
    }
}

/// The time that a hook says, in seconds.
fn limit(seconds: Option<f64>) -> Result<Duration, String> {
    let Some(seconds) = seconds else {
        return Ok(HOOK_LIMIT);
    };
    let limit = Duration::try_from_secs_f64(seconds).ok();
    limit
        .filter(|limit| !limit.is_zero() && *limit <= HOOK_LIMIT_MAX)
        .ok_or_else(|| {
            let most = HOOK_LIMIT_MAX.as_secs();
            format!("a timeout of {seconds} is none: write seconds, at most {most}")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user() -> HookOrigin {
        HookOrigin::User("hooks.json".to_owned())
    }

    fn read(text: &str) -> Result<HookFile, String> {
        HookFile::read(text, &user()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_of_another_program_is_read_as_it_is() {
        let file = read(
            r#"{
                "model": "opus",
                "hooks": {
                    "PreToolUse": [
                        {"matcher": "Bash|Edit", "hooks": [
                            {"type": "command", "command": "./check.sh", "timeout": 5},
                            {"type": "command", "command": "./log.sh", "statusMessage": "..."}
                        ]}
                    ],
                    "TeammateIdle": [{"hooks": [{"type": "command", "command": "./idle.sh"}]}]
                }
            }"#,
        )
        .unwrap();
        assert_eq!(file.remarks, [] as [&str; 0]);
        let told: Vec<_> = file
            .hooks
            .iter()
            .map(|hook| {
                (
                    hook.event,
                    hook.matcher.as_str(),
                    &*hook.command,
                    hook.limit.as_secs(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                (HookEvent::PreToolUse, "Bash|Edit", "./check.sh", 5),
                (HookEvent::PreToolUse, "Bash|Edit", "./log.sh", 30),
                (HookEvent::TeammateIdle, "", "./idle.sh", 30),
            ]
        );
        assert!(
            file.hooks
                .iter()
                .all(|hook| !hook.required && hook.hosts.is_empty())
        );
    }

    #[test]
    fn what_has_no_meaning_here_is_said() {
        let file = read(
            r#"{"hooks": {
                "Notification": [{"hooks": [{"type": "command", "command": "x"}]}],
                "Stop": [{"hooks": [
                    {"type": "prompt", "prompt": "is it done?"},
                    {"type": "command", "command": "x", "async": true}
                ]}]
            }}"#,
        )
        .unwrap();
        assert_eq!(
            file.remarks,
            [
                "hooks.json: there is no event Notification here; its hooks never run",
                "hooks.json: a hook of type \"prompt\" (Stop) never runs: only commands are run",
                "hooks.json: \"async\" of `x` (Stop) has no meaning here",
            ]
        );
        assert_eq!(file.hooks.len(), 1);
    }

    #[test]
    fn what_cannot_be_meant_is_an_error() {
        let one = |hook: &str| read(&format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{hook}]}}]}}}}"#));
        for (hook, expected) in [
            (r#"{"type":"command"}"#, "Stop: a hook has no command"),
            (
                r#"{"type":"command","command":"x","timeout":0}"#,
                "Stop: a timeout of 0 is none: write seconds, at most 600",
            ),
            (r#"{"command":"x"}"#, "Stop: missing field `type`"),
            (
                r#"{"type":"command","command":"x","network":["https://x"]}"#,
                "Stop: the user's rule 'net(https://x)' is not understood",
            ),
        ] {
            let error = one(hook).unwrap_err();
            let expected = format!("hooks.json cannot be used: {expected}");
            assert!(error.starts_with(&expected), "{error}");
        }
        let matcher = r#"{"hooks":{"PreToolUse":[{"matcher":"(Edit","hooks":[]}]}}"#;
        assert_eq!(
            read(matcher).unwrap_err(),
            "hooks.json cannot be used: PreToolUse: the matcher \"(Edit\" is not understood: unclosed group"
        );
        assert!(
            read("{")
                .unwrap_err()
                .starts_with("hooks.json cannot be used: EOF")
        );
    }

    #[test]
    fn only_a_file_of_the_users_own_opens_the_network() {
        let text = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","required":true,"network":["api.example.com"]}]}]}}"#;
        let own = read(text).unwrap();
        assert_eq!(own.hooks[0].network.allow.len(), 1);
        assert!(own.hooks[0].required);
        let project = HookOrigin::Project(".teammate/hooks.json".to_owned());
        let theirs = HookFile::read(text, &project).unwrap();
        assert_eq!(theirs.hooks[0].network, Rules::default());
        assert_eq!(
            theirs.remarks,
            [
                ".teammate/hooks.json: `x` connects nowhere: only a file of your own can open the network"
            ]
        );
    }
}

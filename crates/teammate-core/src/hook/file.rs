//! A file of hooks, in the shape that other programs have: `{"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": [{"type":
//! "command", "command": "..."}]}]}}`. Two keys of a hook are ours: `required` and `network`.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::{
    HookEvent, Matcher,
    event::Control,
    file_keys::{OF_EVENTS, OF_FILES, OF_GROUPS, OF_HOOKS, limits_of_settings},
};
use crate::{
    known_keys::{KeyMeaning, says_anything},
    permission::{NET, Rule, RuleOrigin, Rules},
};

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
    pub hooks: Vec<HookEntry>,
    /// Keys of the file that have no meaning here, a sentence each.
    pub remarks: Vec<String>,
}

/// One hook.
#[derive(Debug, Clone, PartialEq)]
pub struct HookEntry {
    pub event: HookEvent,
    pub matcher: Matcher,
    /// The command that runs, for a shell.
    pub command: String,
    /// How long it may take.
    pub limit: Duration,
    /// Whether its failure counts as a refusal.
    pub required: bool,
    /// The hosts that it may connect to, as it lists them.
    pub hosts: Vec<String>,
    /// The hosts as rules.
    pub network: Rules,
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
struct WrittenFile {
    #[serde(default)]
    hooks: Map<String, Value>,
    #[serde(flatten)]
    rest: Map<String, Value>,
}

#[derive(Deserialize)]
struct WrittenGroup {
    #[serde(default)]
    matcher: Option<String>,
    #[serde(default)]
    hooks: Option<Vec<WrittenHook>>,
    #[serde(flatten)]
    rest: Map<String, Value>,
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
        let written: WrittenFile =
            serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        let mut file = Self::default();
        // What else settings of other programs say is not for this one, but for what limits.
        OF_FILES.check_json(&written.rest).map_err(wrong)?;
        limits_of_settings(&written.rest).map_err(wrong)?;
        for (name, groups) in written.hooks {
            let Some(event) = HookEvent::parse(&name) else {
                let refuses = says_anything(&groups);
                file.other_event((&name, refuses), origin).map_err(wrong)?;
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
        self.keys(
            origin,
            &event.to_string(),
            OF_GROUPS.check_json(&group.rest)?,
        );
        let text = group.matcher.unwrap_or_default();
        let matcher = Matcher::parse(&text)
            .map_err(|why| format!("the matcher {text:?} is not understood: {why}"))?;
        let hooks = group.hooks.ok_or("one of its groups has no `hooks`")?;
        for hook in hooks {
            if hook.kind != "command" {
                self.other_kind(event, &hook.kind, origin)?;
                continue;
            }
            if hook.command.trim().is_empty() {
                return Err("a hook has no command".to_owned());
            }
            let command = &hook.command;
            let remarks = OF_HOOKS.check_json(&hook.rest);
            let remarks = remarks.map_err(|why| format!("`{command}` {why}"))?;
            self.keys(origin, &format!("`{command}` ({event})"), remarks);
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

    /// An event that is none here. Where its hooks would have refused something, that is an error.
    fn other_event(
        &mut self,
        (name, has_hooks): (&str, bool),
        origin: &HookOrigin,
    ) -> Result<(), String> {
        let what = format!("there is no event {name} here; its hooks never run");
        match OF_EVENTS.meaning(name) {
            KeyMeaning::Misspelt(near) if has_hooks => {
                Err(format!("there is no event {name}; did you mean {near}?"))
            }
            KeyMeaning::Limits(instead) if has_hooks => Err(format!(
                "{what}, and could not refuse what they are there to refuse: {instead}"
            )),
            KeyMeaning::Fine
            | KeyMeaning::Nothing
            | KeyMeaning::Misspelt(_)
            | KeyMeaning::Limits(_) => {
                self.remark(origin, &what);
                Ok(())
            }
        }
    }

    /// A hook that is no command. Where it would have refused something, that is an error.
    fn other_kind(
        &mut self,
        event: HookEvent,
        kind: &str,
        origin: &HookOrigin,
    ) -> Result<(), String> {
        let what = format!("a hook of type {kind:?} ({event}) never runs: only commands are run");
        match event.control() {
            Control::Refuses | Control::HoldsBack => Err(format!(
                "{what}, and it could not refuse what it is there to refuse"
            )),
            Control::FeedsBack | Control::Watches => {
                self.remark(origin, &what);
                Ok(())
            }
        }
    }

    /// Remarks about keys of something.
    fn keys(&mut self, origin: &HookOrigin, of: &str, remarks: Vec<String>) {
        for remark in remarks {
            self.remark(origin, &format!("{of}: {remark}"));
        }
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
                "PostToolUse": [{"tag": 1, "hooks": [
                    {"type": "prompt", "prompt": "what was it?"},
                    {"type": "command", "command": "x", "async": true}
                ]}],
                "PermissionRequest": []
            }}"#,
        )
        .unwrap();
        assert_eq!(
            file.remarks,
            [
                "hooks.json: there is no event Notification here; its hooks never run",
                "hooks.json: PostToolUse: 'tag' has no meaning here and is passed over",
                "hooks.json: a hook of type \"prompt\" (PostToolUse) never runs: only commands are run",
                "hooks.json: `x` (PostToolUse): 'async' has no meaning here and is passed over",
                "hooks.json: there is no event PermissionRequest here; its hooks never run",
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
    fn what_would_refuse_something_and_does_not_is_an_error_by_name() {
        let hook = |more: &str| {
            format!(
                r#"{{"hooks":{{"PreToolUse":[{{"hooks":[{{"type":"command","command":"x"{more}}}]}}]}}}}"#
            )
        };
        let group = |more: &str| format!(r#"{{"hooks":{{"PreToolUse":[{{{more}"hooks":[]}}]}}}}"#);
        let event = |name: &str| {
            format!(
                r#"{{"hooks":{{"{name}":[{{"hooks":[{{"type":"command","command":"x"}}]}}]}}}}"#
            )
        };
        let file = |more: &str| format!(r#"{{"hooks":{{}},{more}}}"#);
        for (text, said) in [
            (
                hook(r#","if":"Bash(git *)""#),
                "PreToolUse: `x` says 'if', which would limit it",
            ),
            (hook(r#","args":["y"]"#), "`x` says 'args'"),
            (
                hook(r#","failClosed":true"#),
                "not supported: write `required`",
            ),
            (
                hook(r#","requierd":true"#),
                "says 'requierd'; did you mean 'required'?",
            ),
            (
                hook(r#","timeuot":3"#),
                "says 'timeuot'; did you mean 'timeout'?",
            ),
            (
                group(r#""match":"Bash","#),
                "PreToolUse: says 'match'; did you mean 'matcher'?",
            ),
            (
                group(r#""matcher":"Bash(rm:*)","#),
                "it has the form of a rule",
            ),
            (
                event("PreTolUse"),
                "there is no event PreTolUse; did you mean PreToolUse?",
            ),
            (event("pretooluse"), "did you mean PreToolUse?"),
            (
                event("BeforeTool"),
                "could not refuse what they are there to refuse: write PreToolUse",
            ),
            (event("PermissionRequest"), "write PermissionAsked"),
            (
                r#"{"hooks":{"Stop":[{"hooks":[{"type":"prompt","prompt":"done?"}]}]}}"#.to_owned(),
                "Stop: a hook of type \"prompt\" (Stop) never runs",
            ),
            (
                r#"{"hook":{}}"#.to_owned(),
                "says 'hook'; did you mean 'hooks'?",
            ),
            (file(r#""disableAllHooks":true"#), "says 'disableAllHooks'"),
            (
                file(r#""sandbox":{"enabled":true}"#),
                "write it under [sandbox]",
            ),
            (
                file(r#""permissions":{"deny":["Read(.env)"]}"#),
                "says 'permissions.deny'",
            ),
            (
                file(r#""permissions":{"defaultMode":"plan"}"#),
                "says 'permissions.defaultMode'",
            ),
        ] {
            let why = read(&text).unwrap_err();
            assert!(why.starts_with("hooks.json cannot be used: "), "{why}");
            assert!(why.contains(said), "{text}: {why}");
        }
        for text in [
            hook(r#","statusMessage":"...","required":false,"once":false"#),
            file(r#""disableAllHooks":false,"theme":"dark","env":{"A":"b"}"#),
            file(r#""permissions":{"allow":["Bash(ls)"],"deny":[],"defaultMode":"acceptEdits"}"#),
        ] {
            assert_eq!(read(&text).unwrap().remarks, [""; 0], "{text}");
        }
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

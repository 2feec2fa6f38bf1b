//! The format of a play's file. Parsing checks everything, so a parsed play can be played.

use std::{collections::BTreeMap, path::PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};
use teammate_core::{
    MemberName, MessageKind,
    model::{ModelFailure, Remedy, StopReason},
};

use super::{newest::Newest, template};

/// The play cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayError {
    /// The file cannot be read.
    #[error("the play {} cannot be read: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        why: String,
    },
    /// The file is not a play.
    #[error("{name}:{line}:{column}: {what} (docs/plays.md describes plays)")]
    Wrong {
        /// The file.
        name: String,
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// The fault and what was expected.
        what: String,
    },
}

impl From<PlayError> for ModelFailure {
    fn from(error: PlayError) -> Self {
        Self {
            what: error.to_string(),
            remedy: Remedy::Never,
        }
    }
}

/// A play.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Play {
    /// A note for the reader; ignored.
    #[serde(default)]
    #[expect(dead_code, reason = "a title is for those who read the file")]
    play: Option<String>,
    members: BTreeMap<MemberPattern, Vec<Scene>>,
}

/// Which members play these scenes: a name, `MEMBER/TYPE` for a subagent, or a prefix and `*`.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
struct MemberPattern(String);

impl TryFrom<String> for MemberPattern {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        let start = text.strip_suffix('*');
        let named = start.unwrap_or(&text);
        let (member, kind) = match named.split_once('/') {
            Some((member, kind)) => (member, Some(kind)),
            None => (named, None),
        };
        let is_kind = |kind: &str| !kind.contains(|c: char| c == '/' || c.is_whitespace());
        let is_whole = match (start, kind) {
            (Some(_), None) if member.is_empty() => true,
            (None, Some("")) => false,
            (_, kind) => MemberName::parse(member).is_ok() && kind.is_none_or(is_kind),
        };
        if is_whole {
            Ok(Self(text))
        } else {
            Err(format!(
                "'{text}' is not a member; expected a name, MEMBER/KIND for its subagents, the start of names and '*', or '*'"
            ))
        }
    }
}

/// One answer, and when it is given.
#[derive(Debug, Deserialize)]
#[serde(try_from = "WrittenScene")]
pub(super) struct Scene {
    pub(super) when: Option<When>,
    pub(super) thinking: Option<String>,
    pub(super) say: Option<String>,
    pub(super) calls: Vec<Call>,
    pub(super) stop: Option<SceneStop>,
    pub(super) fail: Option<Fail>,
    pub(super) pause_ms: u64,
    pub(super) repeat: bool,
}

/// A scene as written, before it is checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WrittenScene {
    #[serde(default, rename = "note")]
    _note: Option<String>,
    when: Option<When>,
    thinking: Option<String>,
    say: Option<String>,
    #[serde(default)]
    calls: Vec<Call>,
    stop: Option<SceneStop>,
    fail: Option<Fail>,
    #[serde(default)]
    pause_ms: u64,
    #[serde(default)]
    repeat: bool,
}

/// A tool call.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) tool: String,
    #[serde(default)]
    pub(super) input: Map<String, Value>,
}

/// The stop reason, if it is not the usual one.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SceneStop {
    EndTurn,
    ToolUse,
    MaxTokens,
    Refusal,
    ContextFull,
}

/// A failure that the model simulates.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Fail {
    pub(super) what: String,
    #[serde(default)]
    pub(super) remedy: FailRemedy,
    pub(super) after_ms: Option<u64>,
    #[serde(default = "default_times")]
    pub(super) times: u32,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum FailRemedy {
    #[default]
    Retry,
    Shorten,
    Never,
}

fn default_times() -> u32 {
    1
}

/// The words that the newest message must contain. All conditions must hold; those on mail must hold for one message, those
/// on results for one result.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct When {
    pub(super) contains: Option<String>,
    pub(super) mail_from: Option<String>,
    pub(super) mail_type: Option<MessageKind>,
    pub(super) mail_contains: Option<String>,
    pub(super) tool_result_contains: Option<String>,
    pub(super) tool_failed: Option<bool>,
    /// Fits only if no other scene does.
    #[serde(default)]
    pub(super) otherwise: bool,
}

impl TryFrom<WrittenScene> for Scene {
    type Error = String;
    fn try_from(scene: WrittenScene) -> Result<Self, String> {
        let scene = Self {
            when: scene.when,
            thinking: scene.thinking,
            say: scene.say.filter(|text| !text.trim().is_empty()),
            calls: scene.calls,
            stop: scene.stop,
            fail: scene.fail,
            pause_ms: scene.pause_ms,
            repeat: scene.repeat,
        };
        if !scene.answers() && scene.fail.is_none() {
            return Err("a scene needs `say`, `calls` or `fail`".to_owned());
        }
        if matches!(scene.stop, Some(SceneStop::ToolUse)) && scene.calls.is_empty() {
            return Err("`stop` is tool_use, but there are no `calls`".to_owned());
        }
        let texts = scene.say.iter().chain(&scene.thinking);
        texts.map(String::as_str).try_for_each(template::check)?;
        for call in &scene.calls {
            call.input.values().try_for_each(template::check_value)?;
        }
        Ok(scene)
    }
}

impl SceneStop {
    pub(super) fn stop(self) -> StopReason {
        match self {
            Self::EndTurn => StopReason::EndTurn,
            Self::ToolUse => StopReason::ToolUse,
            Self::MaxTokens => StopReason::MaxTokens,
            Self::Refusal => StopReason::Refusal,
            Self::ContextFull => StopReason::ContextFull,
        }
    }
}

impl Scene {
    /// False for a scene that only fails.
    pub(super) fn answers(&self) -> bool {
        self.say.is_some() || !self.calls.is_empty()
    }

    /// The stop reason of its answer.
    pub(super) fn stop(&self) -> StopReason {
        match (self.stop, self.calls.is_empty()) {
            (Some(stop), _) => stop.stop(),
            (None, true) => StopReason::EndTurn,
            (None, false) => StopReason::ToolUse,
        }
    }

    fn is_otherwise(&self) -> bool {
        self.when.as_ref().is_some_and(|when| when.otherwise)
    }
}

impl When {
    fn fits(&self, newest: &Newest) -> bool {
        let contains = self.contains.as_deref();
        let mail =
            self.mail_from.is_some() || self.mail_type.is_some() || self.mail_contains.is_some();
        let result = self.tool_result_contains.is_some() || self.tool_failed.is_some();
        contains.is_none_or(|text| newest.contains(text))
            && (!mail || newest.mail(Some(self)).is_some())
            && (!result || newest.result(Some(self)).is_some())
    }
}

impl Play {
    pub(super) fn read(name: &str, text: &str) -> Result<Self, PlayError> {
        serde_json::from_str(text).map_err(|error| {
            let what = error.to_string();
            let place = format!(" at line {} column {}", error.line(), error.column());
            PlayError::Wrong {
                name: name.to_owned(),
                line: error.line(),
                column: error.column(),
                what: what.strip_suffix(&place).unwrap_or(&what).to_owned(),
            }
        })
    }

    /// A member's scenes: its own, or those of the longest pattern that fits.
    pub(super) fn scenes(&self, member: &str) -> &[Scene] {
        let fitting = self.members.iter().filter_map(|(who, scenes)| {
            let rank = match who.0.strip_suffix('*') {
                Some(start) => member.starts_with(start).then_some(start.len())?,
                None => (who.0 == member).then_some(usize::MAX)?,
            };
            Some((rank, scenes))
        });
        fitting
            .max_by_key(|(rank, _)| *rank)
            .map_or(&[], |(_, scenes)| scenes)
    }
}

/// The first unused scene that fits the newest message.
pub(super) fn next_scene(
    scenes: &[Scene],
    newest: &Newest,
    is_open: impl Fn(usize) -> bool,
) -> Option<usize> {
    let find = |otherwise: bool| {
        scenes.iter().enumerate().position(|(at, scene)| {
            scene.is_otherwise() == otherwise
                && is_open(at)
                && scene.when.as_ref().is_none_or(|when| when.fits(newest))
        })
    };
    find(false).or_else(|| find(true))
}

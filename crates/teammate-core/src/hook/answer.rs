//! The answer of one hook: by its exit code, or by JSON on its output. The words are those of other programs' hooks.

use serde::Deserialize;
use serde_json::Value;

use super::HookEvent;

/// The most bytes of a reason or a context that a model reads.
const TEXT_BYTES_MAX: usize = 10_000;

/// The exit code that refuses.
const REFUSES: i32 = 2;

/// One hook that was run for an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookRun {
    /// The command, in a line, as people and models read it.
    pub hook: String,
    /// Whether its failure counts as a refusal.
    pub required: bool,
    /// How it ended.
    pub end: HookEnd,
}

/// How a hook ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookEnd {
    /// By itself.
    Exited {
        /// With this code; none if a signal ended it.
        code: Option<i32>,
        /// The output of the command.
        stdout: String,
        /// The error output of the command.
        stderr: String,
    },
    /// It was not run to its end, and why.
    Failed(String),
}

/// The wishes of a hook.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct HookWishes {
    /// It refuses, for this reason.
    pub(super) refusal: Option<String>,
    /// The user is to be asked, for this reason.
    pub(super) asks: Option<String>,
    /// The turn is to end, for this reason.
    pub(super) halt: Option<String>,
    /// Text for a member.
    pub(super) context: Option<String>,
    /// Text for the user.
    pub(super) message: Option<String>,
    /// Wishes of it that no hook can have.
    pub(super) ignored: Vec<&'static str>,
}

/// The JSON as it is written. What is not named here has no meaning.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct WrittenAnswer {
    decision: Option<DecisionWord>,
    reason: Option<String>,
    #[serde(rename = "continue")]
    continues: Option<bool>,
    stop_reason: Option<String>,
    system_message: Option<String>,
    hook_specific_output: Specific,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Specific {
    permission_decision: Option<DecisionWord>,
    permission_decision_reason: Option<String>,
    additional_context: Option<String>,
    updated_input: Option<Value>,
    /// Of a question for permission.
    decision: Option<Behavior>,
}

#[derive(Deserialize)]
struct Behavior {
    behavior: DecisionWord,
    message: Option<String>,
}

/// The words of all decisions.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum DecisionWord {
    Block,
    Deny,
    Ask,
    Allow,
    Approve,
}

impl HookWishes {
    /// Reads the answer in the end of a hook.
    ///
    /// # Errors
    ///
    /// The hook failed: how, for the user.
    pub(super) fn read(event: HookEvent, end: &HookEnd) -> Result<Self, String> {
        let (code, stdout, stderr) = match end {
            HookEnd::Failed(why) => return Err(why.clone()),
            HookEnd::Exited {
                code,
                stdout,
                stderr,
            } => (*code, stdout.trim(), stderr.trim()),
        };
        match code {
            Some(0) => Self::of_output(event, stdout),
            Some(REFUSES) => Ok(Self {
                refusal: Some(reason(Some(stderr))),
                ..Self::default()
            }),
            Some(code) => Err(with_words(
                &format!("it ended with exit code {code}"),
                stderr,
            )),
            None => Err(with_words("a signal ended it", stderr)),
        }
    }

    fn of_output(event: HookEvent, stdout: &str) -> Result<Self, String> {
        if !stdout.starts_with('{') {
            let context = event.takes_plain_context() && !stdout.is_empty();
            return Ok(Self {
                context: context.then(|| cut(stdout)),
                ..Self::default()
            });
        }
        let written: WrittenAnswer = serde_json::from_str(stdout)
            .map_err(|error| format!("its answer cannot be read: {error}"))?;
        Ok(written.answer())
    }
}

impl WrittenAnswer {
    fn answer(self) -> HookWishes {
        let specific = self.hook_specific_output;
        let mut answer = HookWishes {
            context: specific.additional_context.filter(|text| !text.is_empty()),
            message: self.system_message.filter(|text| !text.is_empty()),
            ..HookWishes::default()
        };
        answer.context = answer.context.map(|text| cut(&text));
        let permission = specific.permission_decision_reason;
        let (behavior, message) = specific.decision.map_or((None, None), |decision| {
            (Some(decision.behavior), decision.message)
        });
        for (word, why) in [
            (self.decision, self.reason),
            (specific.permission_decision, permission),
            (behavior, message),
        ] {
            match word {
                Some(DecisionWord::Block | DecisionWord::Deny) => {
                    answer.refusal = Some(reason(why.as_deref()));
                }
                Some(DecisionWord::Ask) => answer.asks = Some(reason(why.as_deref())),
                Some(DecisionWord::Allow | DecisionWord::Approve) => {
                    answer.ignored.push("to allow it");
                }
                None => {}
            }
        }
        if specific.updated_input.is_some() {
            answer.ignored.push("to change the call");
        }
        if self.continues == Some(false) {
            answer.halt = Some(reason(self.stop_reason.as_deref()));
        }
        answer
    }
}

/// A reason is always there to be read.
fn reason(given: Option<&str>) -> String {
    match given.map(str::trim) {
        Some(text) if !text.is_empty() => cut(text),
        Some(_) | None => "no reason was given".to_owned(),
    }
}

/// With the last line of what it complained of.
fn with_words(what: &str, stderr: &str) -> String {
    match stderr.lines().last() {
        Some(line) => format!("{what}: {}", cut(line.trim())),
        None => what.to_owned(),
    }
}

fn cut(text: &str) -> String {
    match text.len() > TEXT_BYTES_MAX {
        true => format!(
            "{} (cut: {} bytes)",
            &text[..text.floor_char_boundary(TEXT_BYTES_MAX)],
            text.len()
        ),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exited(code: i32, stdout: &str, stderr: &str) -> HookEnd {
        HookEnd::Exited {
            code: Some(code),
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
        }
    }

    fn answer(stdout: &str) -> HookWishes {
        HookWishes::read(HookEvent::PreToolUse, &exited(0, stdout, "")).unwrap()
    }

    fn refusing(why: &str) -> HookWishes {
        HookWishes {
            refusal: Some(why.to_owned()),
            ..HookWishes::default()
        }
    }

    #[test]
    fn exit_code_2_refuses_with_what_was_complained_of() {
        let end = exited(2, "{\"decision\":\"approve\"}", "tests fail\n");
        let read = HookWishes::read(HookEvent::TaskCompleted, &end);
        assert_eq!(read.unwrap(), refusing("tests fail"));
        let silent = HookWishes::read(HookEvent::TaskCompleted, &exited(2, "", "")).unwrap();
        assert_eq!(silent, refusing("no reason was given"));
    }

    #[test]
    fn every_other_exit_code_is_a_failure() {
        let read = |end| HookWishes::read(HookEvent::Stop, &end).unwrap_err();
        assert_eq!(
            read(exited(1, "", "Traceback\nKeyError: 'x'\n")),
            "it ended with exit code 1: KeyError: 'x'"
        );
        assert_eq!(read(exited(127, "{}", "")), "it ended with exit code 127");
        let killed = HookEnd::Exited {
            code: None,
            stdout: String::new(),
            stderr: String::new(),
        };
        assert_eq!(read(killed), "a signal ended it");
        let late = HookEnd::Failed("it took longer than 30 s".to_owned());
        assert_eq!(read(late), "it took longer than 30 s");
    }

    #[test]
    fn json_refuses_in_each_of_its_ways() {
        for stdout in [
            r#"{"decision":"block","reason":"no"}"#,
            r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}"#,
            r#"{"hookSpecificOutput":{"decision":{"behavior":"deny","message":"no"}}}"#,
        ] {
            assert_eq!(answer(stdout), refusing("no"), "{stdout}");
        }
    }

    #[test]
    fn nothing_in_an_answer_allows() {
        for stdout in [
            r#"{"decision":"approve"}"#,
            r#"{"hookSpecificOutput":{"permissionDecision":"allow"}}"#,
            r#"{"hookSpecificOutput":{"decision":{"behavior":"allow"}}}"#,
        ] {
            let ignored = HookWishes {
                ignored: vec!["to allow it"],
                ..HookWishes::default()
            };
            assert_eq!(answer(stdout), ignored, "{stdout}");
        }
        let changed = answer(r#"{"hookSpecificOutput":{"updatedInput":{"command":"ls"}}}"#);
        assert_eq!(changed.ignored, ["to change the call"]);
    }

    #[test]
    fn an_answer_asks_halts_and_tells() {
        let asks = answer(
            r#"{"hookSpecificOutput":{"permissionDecision":"ask","permissionDecisionReason":"look"}}"#,
        );
        assert_eq!(asks.asks.as_deref(), Some("look"));
        let halts = answer(r#"{"continue":false,"stopReason":"enough","systemMessage":"hi"}"#);
        assert_eq!(halts.halt.as_deref(), Some("enough"));
        assert_eq!(halts.message.as_deref(), Some("hi"));
        assert_eq!(answer(r#"{"continue":true}"#), HookWishes::default());
    }

    #[test]
    fn plain_words_are_context_where_other_programs_take_them() {
        let read = |event| HookWishes::read(event, &exited(0, "branch: main\n", "")).unwrap();
        let context = |event| read(event).context;
        assert_eq!(
            context(HookEvent::SessionStart).as_deref(),
            Some("branch: main")
        );
        assert_eq!(
            context(HookEvent::UserPromptSubmit).as_deref(),
            Some("branch: main")
        );
        assert_eq!(read(HookEvent::PostToolUse), HookWishes::default());
    }

    #[test]
    fn what_looks_like_json_and_is_none_is_a_failure() {
        for stdout in [
            "{\"decision\":",
            "{\"decision\":\"maybe\"}",
            "{\"continue\":\"no\"}",
        ] {
            let error = HookWishes::read(HookEvent::Stop, &exited(0, stdout, "")).unwrap_err();
            assert!(error.starts_with("its answer cannot be read: "), "{error}");
        }
    }

    #[test]
    fn a_reason_has_a_limit() {
        let long = "é".repeat(TEXT_BYTES_MAX);
        let refusal = HookWishes::read(HookEvent::Stop, &exited(2, "", &long))
            .unwrap()
            .refusal;
        let refusal = refusal.unwrap();
        assert!(refusal.ends_with("(cut: 20000 bytes)"));
        assert!(refusal.len() < TEXT_BYTES_MAX + 50);
    }
}

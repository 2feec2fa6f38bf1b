//! Hooks that are callbacks of the caller: what they read goes as a question, and what they answer comes as its answer.

use std::{sync::Arc, time::Duration};

use serde::Deserialize;
use serde_json::{Map, Value, json};
use teammate::hooks::{CallbackHook, HookAnswer, HookEvent, Matcher};

use crate::claude::{outbox::Outbox, session_id::ClaudeSession};

/// How long a callback may take unless its caller says otherwise.
const LIMIT: Duration = Duration::from_secs(60);

/// The hooks of a caller, as it writes them.
#[derive(Debug, Clone, Default)]
pub(crate) struct CallerHooks(Vec<CallerHook>);

#[derive(Debug, Clone)]
struct CallerHook {
    event: HookEvent,
    matcher: Matcher,
    callback: String,
    limit: Duration,
    required: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    #[serde(default)]
    matcher: Option<String>,
    hook_callback_ids: Vec<String>,
    /// In seconds.
    #[serde(default)]
    timeout: Option<f64>,
    #[serde(default)]
    on_failure: Option<String>,
}

impl CallerHooks {
    /// Reads them. One that would never run is refused: it may be what keeps its user's team in bounds.
    pub(crate) fn read(hooks: &Map<String, Value>) -> Result<Self, String> {
        let mut all = Vec::new();
        for (name, matchers) in hooks {
            let event = HookEvent::parse(name).ok_or_else(|| {
                format!(
                    "there are no hooks of {name} here; docs/hooks.md has the events that there are"
                )
            })?;
            let matchers = Vec::<Written>::deserialize(matchers);
            for written in matchers.map_err(|error| format!("hooks of {name}: {error}"))? {
                all.extend(written.hooks(event)?);
            }
        }
        Ok(Self(all))
    }

    /// As the team has them.
    pub(crate) fn of_team(&self, session: ClaudeSession, outbox: &Outbox) -> Vec<CallbackHook> {
        let hooks = self.0.iter().cloned();
        hooks
            .map(|hook| hook.of_team(session, outbox.clone()))
            .collect()
    }
}

impl Written {
    fn hooks(self, event: HookEvent) -> Result<Vec<CallerHook>, String> {
        let matcher = Matcher::parse(self.matcher.as_deref().unwrap_or_default())?;
        let seconds = self.timeout.map(Duration::try_from_secs_f64);
        let limit = seconds.and_then(Result::ok).unwrap_or(LIMIT);
        // What is not known is what the caller relies on.
        let required = self.on_failure.is_some_and(|word| word != "continue");
        let callbacks = self.hook_callback_ids.into_iter();
        let hook = |callback| CallerHook {
            event,
            matcher: matcher.clone(),
            callback,
            limit,
            required,
        };
        Ok(callbacks.map(hook).collect())
    }
}

impl CallerHook {
    fn of_team(self, session: ClaudeSession, outbox: Outbox) -> CallbackHook {
        let callback = self.callback;
        let answer = move |mut given: Value| -> HookAnswer {
            given["session_id"] = session.to_string().into();
            let request = json!({
                "subtype": "hook_callback",
                "callback_id": callback,
                "tool_use_id": given["tool_use_id"],
                "input": given,
            });
            let outbox = outbox.clone();
            Box::pin(async move {
                match outbox.answered(request).await {
                    Ok(Ok(answer)) => Ok(kept_to(answer)),
                    Ok(Err(error)) => Err(error.message),
                    Err(_) => Err("the program that has it has ended its input".to_owned()),
                }
            })
        };
        CallbackHook {
            event: self.event,
            matcher: self.matcher,
            name: "a hook of the program that started this team".to_owned(),
            required: self.required,
            limit: self.limit,
            answer: Arc::new(answer),
        }
    }
}

/// An answer that changes a call is a no to it as it is.
fn kept_to(answer: Value) -> Value {
    match answer["hookSpecificOutput"].get("updatedInput") {
        Some(other) if !other.is_null() => {
            let why = format!(
                "the user's program wants this call with other arguments; make it with these: {other}"
            );
            json!({ "hookSpecificOutput": {
                "hookEventName": "PreToolUse",
                "permissionDecision": "deny",
                "permissionDecisionReason": why,
            } })
        }
        Some(_) | None => answer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_hook_changes_is_refused_as_it_is() {
        let specific = json!({ "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": { "command": "ls" } });
        let kept = kept_to(json!({ "hookSpecificOutput": specific }));
        assert_eq!(kept["hookSpecificOutput"]["permissionDecision"], "deny");
        let plain = json!({ "continue": true });
        assert_eq!(kept_to(plain.clone()), plain);
    }

    #[test]
    fn a_hook_that_would_never_run_is_refused() {
        let hooks = |name: &str| {
            let hooks = json!({ name: [{ "matcher": "Bash", "hookCallbackIds": ["hook_0"] }] });
            CallerHooks::read(hooks.as_object().unwrap()).map(|hooks| hooks.0.len())
        };
        assert_eq!(hooks("PreToolUse"), Ok(1));
        assert!(
            hooks("Notification")
                .unwrap_err()
                .contains("no hooks of Notification")
        );
    }
}

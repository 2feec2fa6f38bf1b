//! The fields of each event besides the member that it is about.

use std::path::Path;

use serde_json::{Value, json};

use super::{Occasion, TaskFacts, trigger};
use crate::{
    hook::Identity,
    model::{StopReason, Usage},
};

impl Occasion {
    /// The fields of this event alone, in these objects.
    pub(in crate::hook) fn fields(&self, identity: &Identity, transcript: &Path) -> Vec<Value> {
        match self {
            Self::SessionStart { source } => vec![json!({ "source": source })],
            Self::SessionEnd { reason } => vec![json!({ "reason": reason })],
            Self::UserPromptSubmit { prompt } => vec![json!({ "prompt": prompt })],
            Self::PreToolUse(used) => vec![used.fields()],
            Self::PostToolUse {
                used,
                response,
                took_ms,
            } => {
                let response = used.response(response);
                vec![
                    used.fields(),
                    json!({ "tool_response": response, "duration_ms": took_ms }),
                ]
            }
            Self::PostToolUseFailure {
                used,
                error,
                took_ms,
            } => vec![
                used.fields(),
                // A call that is interrupted ends with its hooks.
                json!({ "error": error, "is_interrupt": false, "duration_ms": took_ms }),
            ],
            Self::ModelCallBefore {
                model,
                purpose,
                messages,
            } => vec![json!({ "model": model, "purpose": purpose, "messages": messages })],
            Self::ModelCallAfter {
                model,
                purpose,
                end,
                took_ms,
            } => vec![
                json!({ "model": model, "purpose": purpose, "duration_ms": took_ms }),
                ended(end),
            ],
            Self::SubagentStart { prompt, role, by } => {
                vec![json!({ "prompt": prompt, "role": role, "by": by })]
            }
            // The conversation of a subagent is kept nowhere.
            Self::SubagentStop { last, is_held_back } if identity.subagent.is_some() => {
                vec![stop(last, *is_held_back)]
            }
            Self::SubagentStop { last, is_held_back } => vec![
                stop(last, *is_held_back),
                json!({ "agent_transcript_path": transcript.to_string_lossy() }),
            ],
            Self::Stop { last, is_held_back } => vec![stop(last, *is_held_back)],
            Self::TeammateIdle => vec![teammate(identity)],
            Self::TaskCreated(task) => vec![task.fields(), teammate(identity)],
            Self::TaskCompleted { task, at_turn_end } => vec![
                task.fields(),
                teammate(identity),
                json!({ "at_turn_end": at_turn_end }),
            ],
            Self::MailSent { to, content } => vec![json!({ "to": to, "content": content })],
            Self::PermissionAsked { used, because } => {
                vec![used.fields(), json!({ "because": because })]
            }
            Self::PermissionSettled {
                used,
                request,
                decision,
            } => vec![
                used.fields(),
                json!({ "request": request.to_string(), "decision": decision }),
            ],
            Self::PreCompact { is_wanted, focus } => {
                vec![json!({ "trigger": trigger(*is_wanted), "custom_instructions": focus })]
            }
        }
    }
}

/// How a call of a model went.
fn ended(end: &Result<(StopReason, Usage), String>) -> Value {
    match end {
        Ok((stop, usage)) => {
            let mut tokens = json!({
                "input_tokens": usage.input,
                "output_tokens": usage.output,
                "cache_read_input_tokens": usage.cache_read,
                "cache_creation_input_tokens": usage.cache_write,
            });
            if usage.estimated > 0 {
                tokens["estimated_tokens"] = usage.estimated.into();
            }
            json!({ "stop_reason": stop, "usage": tokens })
        }
        Err(error) => json!({ "error": error }),
    }
}

fn stop(last: &str, is_held_back: bool) -> Value {
    json!({ "stop_hook_active": is_held_back, "last_assistant_message": last })
}

/// A teammate by the names that other programs use; nothing if it is the lead.
fn teammate(identity: &Identity) -> Value {
    match identity.is_leads_own() {
        true => json!({}),
        false => json!({ "teammate_name": identity.member, "team_name": identity.team }),
    }
}

impl TaskFacts {
    fn fields(&self) -> Value {
        json!({
            "task_id": self.id.number().to_string(),
            "task_subject": self.subject,
            "task_description": self.description,
        })
    }
}

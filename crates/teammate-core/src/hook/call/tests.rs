//! What each event tells, whole. Hook files rely on it: names are added, never changed.

use std::sync::Arc;

use serde_json::json;

use super::*;
use crate::{
    Incarnation,
    cause::Cause,
    hook::{HookEvent, TaskFacts, ToolUse, permission_word},
    id::{RequestId, TaskId},
    mode::Mode,
    model::{StopReason, Usage},
    permission::{Action, Target},
    tool::{CallId, ToolCall, ToolInput, ToolNames},
};

fn identity(member: &str, subagent: Option<&str>) -> Identity {
    let member = match member {
        "lead" => MemberName::lead(),
        name => MemberName::teammate(name).unwrap(),
    };
    Identity {
        session: "0192".to_owned(),
        team: "default".to_owned(),
        member,
        incarnation: Incarnation(2),
        subagent: subagent.map(Arc::from),
        permission: permission_word(Mode::AcceptEdits, false),
    }
}

fn told(identity: Identity, occasion: Occasion) -> Value {
    let transcript = format!("/work/.team/{}.jsonl", identity.member);
    let call = HookCall {
        event_id: "0193".to_owned(),
        identity,
        cwd: PathBuf::from("/work"),
        occasion,
    };
    call.to_json(Path::new(&transcript))
}

/// What an event of the teammate `alice` tells besides what all her events tell.
fn of_alice(occasion: Occasion) -> Value {
    let event = occasion.event();
    let mut told = told(identity("alice", None), occasion);
    let common = json!({
        "session_id": "0192",
        "transcript_path": "/work/.team/alice.jsonl",
        "cwd": "/work",
        "permission_mode": "acceptEdits",
        "agent_id": "alice@default",
        "agent_type": "alice",
        "hook_event_name": event.name(),
        "team": "default",
        "member": "alice",
        "incarnation": 2,
        "event_id": "0193",
    });
    let fields = told.as_object_mut().unwrap();
    for (name, value) in common.as_object().unwrap() {
        assert_eq!(fields.shift_remove(name).as_ref(), Some(value), "{name}");
    }
    told
}

fn task() -> TaskFacts {
    TaskFacts {
        id: TaskId::new(7),
        subject: "Write the parser".to_owned(),
        description: "With tests".to_owned(),
    }
}

fn used() -> ToolUse {
    let call = ToolCall {
        id: CallId::new("toolu_1".to_owned()),
        name: "claim_task".to_owned(),
        input: ToolInput::from_json(r#"{"task_id":7}"#.to_owned()),
    };
    let action = Action {
        target: Target::Team,
        shows: "claim #7".to_owned(),
        summary: "claim #7".to_owned(),
    };
    let cause = Cause::from("alice/2/5/toolu_1");
    ToolUse::of(&call, &cause, &action, &ToolNames::default())
}

/// Fields of other programs come first, in their order.
fn names(told: &Value) -> Vec<&str> {
    let fields = told.as_object().unwrap().keys();
    fields.map(String::as_str).collect()
}

const OURS: [&str; 4] = ["team", "member", "incarnation", "event_id"];

#[test]
fn a_teammate_that_is_about_to_be_idle() {
    let told = told(identity("alice", None), Occasion::TeammateIdle);
    let theirs = [
        "session_id",
        "transcript_path",
        "cwd",
        "permission_mode",
        "agent_id",
        "agent_type",
        "hook_event_name",
        "teammate_name",
        "team_name",
    ];
    assert_eq!(names(&told), [&theirs[..], &OURS].concat());
    assert_eq!(told["teammate_name"], "alice");
    assert_eq!(told["team_name"], "default");
    assert_eq!(told["agent_id"], "alice@default");
}

#[test]
fn a_task_that_a_teammate_creates_and_completes() {
    let created = told(identity("alice", None), Occasion::TaskCreated(task()));
    let theirs = [
        "session_id",
        "transcript_path",
        "cwd",
        "permission_mode",
        "agent_id",
        "agent_type",
        "hook_event_name",
        "task_id",
        "task_subject",
        "task_description",
        "teammate_name",
        "team_name",
    ];
    assert_eq!(names(&created), [&theirs[..], &OURS].concat());
    assert_eq!(created["task_id"], "7");
    let done = Occasion::TaskCompleted {
        task: task(),
        at_turn_end: false,
    };
    let done = told(identity("alice", None), done);
    assert_eq!(
        names(&done),
        [&theirs[..], &["at_turn_end"], &OURS].concat()
    );
}

#[test]
fn the_lead_is_no_agent() {
    let told = told(identity("lead", None), Occasion::TaskCreated(task()));
    assert_eq!(
        told,
        json!({
            "session_id": "0192",
            "transcript_path": "/work/.team/lead.jsonl",
            "cwd": "/work",
            "permission_mode": "acceptEdits",
            "hook_event_name": "TaskCreated",
            "task_id": "7",
            "task_subject": "Write the parser",
            "task_description": "With tests",
            "team": "default",
            "member": "lead",
            "incarnation": 2,
            "event_id": "0193",
        })
    );
}

#[test]
fn a_subagent_is_an_agent_of_its_member() {
    let stop = |identity| {
        told(
            identity,
            Occasion::SubagentStop {
                last: "found it".to_owned(),
                is_held_back: true,
            },
        )
    };
    let subagent = stop(identity("lead", Some("explore")));
    assert_eq!(subagent["agent_id"], "lead@default/explore");
    assert_eq!(subagent["agent_type"], "explore");
    assert_eq!(subagent["stop_hook_active"], true);
    assert_eq!(subagent["last_assistant_message"], "found it");
    assert_eq!(subagent.get("agent_transcript_path"), None);
    let teammate = stop(identity("alice", None));
    assert_eq!(teammate["agent_transcript_path"], "/work/.team/alice.jsonl");
}

#[test]
fn calls() {
    let call = json!({
        "tool_name": "claim_task",
        "tool_input": {"task_id": 7},
        "tool_use_id": "toolu_1",
        "tool": "claim_task",
        "shows": "claim #7",
        "call": "alice/2/5/toolu_1",
    });
    let with = |more: Value| {
        let mut all = call.clone();
        add(&mut all, more);
        all
    };
    assert_eq!(of_alice(Occasion::PreToolUse(used())), call);
    let worked = Occasion::PostToolUse {
        used: used(),
        response: "It is yours.".to_owned(),
        took_ms: 12,
    };
    let response = json!({"tool_response": {"text": "It is yours."}, "duration_ms": 12});
    assert_eq!(of_alice(worked), with(response));
    let failed = Occasion::PostToolUseFailure {
        used: used(),
        error: "It is bob's.".to_owned(),
        took_ms: 12,
    };
    let error = json!({"error": "It is bob's.", "is_interrupt": false, "duration_ms": 12});
    assert_eq!(of_alice(failed), with(error));
    let asked = Occasion::PermissionAsked {
        used: used(),
        because: "no rule allows it".to_owned(),
    };
    assert_eq!(
        of_alice(asked),
        with(json!({"because": "no rule allows it"}))
    );
    let settled = Occasion::PermissionSettled {
        used: used(),
        request: RequestId::new(3),
        decision: "approved",
    };
    let decision = json!({"request": "req_000003", "decision": "approved"});
    assert_eq!(of_alice(settled), with(decision));
}

#[test]
fn calls_of_models() {
    let before = Occasion::ModelCallBefore {
        model: "anthropic:claude-x".to_owned(),
        purpose: "turn",
        messages: 9,
    };
    assert_eq!(
        of_alice(before),
        json!({"model": "anthropic:claude-x", "purpose": "turn", "messages": 9})
    );
    let after = |end| Occasion::ModelCallAfter {
        model: "anthropic:claude-x".to_owned(),
        purpose: "summary",
        end,
        took_ms: 900,
    };
    let usage = Usage {
        input: 1,
        output: 2,
        cache_read: 3,
        cache_write: 4,
        ..Usage::default()
    };
    assert_eq!(
        of_alice(after(Ok((StopReason::EndTurn, usage)))),
        json!({
            "model": "anthropic:claude-x",
            "purpose": "summary",
            "duration_ms": 900,
            "stop_reason": "end_turn",
            "usage": {
                "input_tokens": 1,
                "output_tokens": 2,
                "cache_read_input_tokens": 3,
                "cache_creation_input_tokens": 4,
            },
        })
    );
    let failed = of_alice(after(Err("no key".to_owned())));
    assert_eq!(failed["error"], "no key");
}

#[test]
fn everything_else() {
    let start = Occasion::SubagentStart {
        prompt: "Review it".to_owned(),
        role: Some("reviewer".to_owned()),
        by: MemberName::lead(),
    };
    assert_eq!(
        of_alice(start),
        json!({"prompt": "Review it", "role": "reviewer", "by": "lead"})
    );
    let mail = Occasion::MailSent {
        to: vec![MemberName::lead()],
        content: "Done.".to_owned(),
    };
    assert_eq!(of_alice(mail), json!({"to": ["lead"], "content": "Done."}));
    let compact = Occasion::PreCompact {
        is_wanted: true,
        focus: "the parser".to_owned(),
    };
    assert_eq!(
        of_alice(compact),
        json!({"trigger": "manual", "custom_instructions": "the parser"})
    );
    let prompt = Occasion::UserPromptSubmit {
        prompt: "Go on".to_owned(),
    };
    assert_eq!(of_alice(prompt), json!({"prompt": "Go on"}));
    assert_eq!(
        of_alice(Occasion::SessionStart { source: "resume" }),
        json!({"source": "resume"})
    );
    assert_eq!(
        of_alice(Occasion::SessionEnd { reason: "paused" }),
        json!({"reason": "paused"})
    );
    let stop = Occasion::Stop {
        last: "All done.".to_owned(),
        is_held_back: false,
    };
    assert_eq!(
        of_alice(stop),
        json!({"stop_hook_active": false, "last_assistant_message": "All done."})
    );
}

#[test]
fn a_matcher_is_held_against_what_the_event_is_about() {
    let matched = |identity, occasion| {
        let call = HookCall {
            event_id: String::new(),
            identity,
            cwd: PathBuf::new(),
            occasion,
        };
        let names = call.matched();
        names.map(|names| names.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let alice = || identity("alice", None);
    let of = |names: &[&str]| Some(names.iter().map(ToString::to_string).collect());
    assert_eq!(
        matched(alice(), Occasion::PreToolUse(used())),
        of(&["claim_task"])
    );
    assert_eq!(matched(alice(), Occasion::TeammateIdle), None);
    assert_eq!(matched(alice(), Occasion::TaskCreated(task())), None);
    let source = Occasion::SessionStart { source: "startup" };
    assert_eq!(matched(alice(), source), of(&["startup"]));
    let stop = || Occasion::SubagentStop {
        last: String::new(),
        is_held_back: false,
    };
    assert_eq!(matched(alice(), stop()), of(&["alice"]));
    assert_eq!(
        matched(identity("alice", Some("plan")), stop()),
        of(&["plan"])
    );
}

#[test]
fn a_member_that_may_only_plan_is_said_to_plan() {
    assert_eq!(permission_word(Mode::Bypass, false), "bypassPermissions");
    assert_eq!(permission_word(Mode::Bypass, true), "plan");
    assert_eq!(permission_word(Mode::Ask, false), "default");
}

#[test]
fn every_event_has_a_control() {
    use crate::hook::Control;
    let refusing = HookEvent::ALL
        .into_iter()
        .filter(|(event, _)| event.control() == Control::Refuses);
    assert_eq!(refusing.count(), 9);
}

use serde_json::{Value, json};

use super::*;

const KEY: &str = "sk-abcdefgh";

/// Every free text of every command, as it goes over the wire; `#` is the place of a text.
fn commands() -> Vec<Value> {
    let task = |action: Value| json!({"task": {"act": {"by": "user", "action": action, "verified": null}}});
    let answer = |answer: Value| {
        json!({"request": {"answer": {"request": 1, "expects": null, "saw": null,
            "by": "user", "answer": answer, "at": 1}}})
    };
    let schedule = |work: Value| {
        json!({"schedule": {"add": {"call": "user/1", "by": "user", "when": {"once": 1},
            "work": work, "missed": "skip", "next": 1}}})
    };
    let end = |why: Value| json!({"end_turn": {"member": "lead", "incarnation": 1, "why": why, "turn": null, "result": "#"}});
    let new = json!({"call": "user/1", "subject": "#", "description": "#", "active_form": "#",
        "blocked_by": [], "blocks": [], "requires": null, "check": "#", "worktree": false,
        "team": null, "assigned": null});
    let edit = json!({"subject": "#", "description": "#", "active_form": "#", "add_blocked_by": [],
        "remove_blocked_by": [], "add_blocks": [], "check": "#"});
    vec![
        json!({"adopt": {"member": "alice", "role": "#", "stopped": false}}),
        json!({"lapse": {"lapse": "damage", "why": "#"}}),
        json!({"spawn": {"by": "lead", "call": "c", "member": "alice", "role": "#", "prompt": "#",
            "options": {"instructions": "#"}, "ceiling": "ask", "fresh": false}}),
        end(json!({"why": "done"})),
        end(json!({"why": "failed", "what": "#"})),
        end(json!({"why": "limit", "what": "#"})),
        end(json!({"why": "waiting", "what": "#"})),
        json!({"set_todos": {"member": "lead", "incarnation": 1,
            "items": [{"content": "#", "status": "pending", "activeForm": "#"}]}}),
        task(json!({"create": new})),
        task(json!({"edit": [1, edit]})),
        task(json!({"complete": [1, "#"]})),
        task(json!({"fail": [1, "#"]})),
        task(json!({"release": [1, "#"]})),
        task(json!({"reopen": [1, "#"]})),
        json!({"task": {"act": {"by": "user", "action": {"complete": [1, "#"]},
            "verified": {"check": "#", "exit": 0, "took_ms": 1, "tail": "#"}}}}),
        json!({"task": {"check_failed": {"by": "user", "task": 1, "output": "#"}}}),
        json!({"task": {"withdraw": ["alice", 1, 1, "#"]}}),
        json!({"request": {"shutdown": {"member": "alice", "from": "user", "call": "c", "reason": "#",
            "within": {"secs": 1, "nanos": 0}, "at": 1}}}),
        answer(json!({"approve": {"note": "#", "mode": null, "always": null}})),
        answer(json!({"reject": {"because": "#"}})),
        json!({"request": {"cancel": {"request": 1, "why": "#"}}}),
        schedule(json!({"task": {"subject": "#", "description": "#"}})),
        schedule(json!({"say": {"to": "alice", "text": "#"}})),
        json!({"schedule": {"skip": {"id": "s1", "due": 1, "next": null, "why": "#"}}}),
        json!({"goal": {"set": {"call": "c", "text": "#", "check": "#", "tries_max": 3}}}),
        json!({"goal": {"try": {"goal": "g1", "number": 1,
            "run": {"exit": 1, "took_ms": 1, "tail": "#"}}}}),
        json!({"goal": {"end": {"goal": "g1", "end": {"why": "budget", "what": "#"}}}}),
        json!({"goal": {"end": {"goal": "g1", "end": {"why": "unchecked", "what": "#"}}}}),
        json!({"start_job": {"owner": "alice", "incarnation": 1, "call": "c", "title": "#", "acts": true}}),
        json!({"order": {"order": {"order": "compact", "member": "lead", "focus": "#"}, "call": "c"}}),
        json!({"order": {"order": {"order": "complete", "task": 1, "result": "#"}, "call": "c"}}),
        json!({"drop_rule": "#"}),
        json!({"end_order": {"id": "o1", "end": {"how": "refused", "why": "#"}}}),
    ]
}

#[test]
fn every_free_text_of_a_command_loses_its_secrets_and_nothing_else_changes() {
    let secrets = Secrets::new([("KEY".to_owned(), KEY.to_owned())]);
    for form in commands() {
        let form = form.to_string();
        let read = |with: &str| -> Command {
            let text = form.replace('#', &format!("use {with} now"));
            serde_json::from_str(&text).unwrap_or_else(|why| panic!("{text}: {why}"))
        };
        let mut hidden = read(KEY);
        hidden.hide(&secrets);
        assert_eq!(hidden, read("[secret KEY]"), "{form}");
        let right = json!({"holder": {"member": "alice", "worker": "w1", "term": 1}});
        let under = |command| Command::Under {
            right: serde_json::from_value(right.clone()).unwrap(),
            command: Box::new(command),
        };
        let mut asked = under(read(KEY));
        asked.hide(&secrets);
        assert_eq!(asked, under(read("[secret KEY]")), "{form}");
    }
}

#[test]
fn a_role_that_is_a_secret_stays_a_role_that_can_be_read_back() {
    let name = "A".repeat(80);
    let secrets = Secrets::new([(name, KEY.to_owned())]);
    let new = json!({"task": {"act": {"by": "user", "verified": null,
        "action": {"create": {"subject": "s", "requires": format!("role:{KEY}")}}}}});
    let mut command: Command = serde_json::from_value(new).unwrap();
    command.hide(&secrets);
    let text = serde_json::to_string(&command).unwrap();
    assert!(text.contains("role:secret"), "{text}");
    assert_eq!(serde_json::from_str::<Command>(&text).unwrap(), command);
}

//! The agent's loop as transcripts: inputs on the left, effects on the right.

mod compacting;
mod repeats;
mod surplus;

use std::fmt::Write as _;

use super::*;
use crate::{
    MemberName, Message, MessageId, MessageKind, Sender, Timestamp,
    block::Block,
    model::{ModelFailure, Remedy, Reply, StopReason, Usage, Wire},
    tool::{CallId, EffectClass, Outcome, ToolCall, ToolInput},
    transcript::ResumePoint,
};

fn classes() -> Arc<ToolClasses> {
    let tools = [
        ("bash", EffectClass::Executes),
        ("read_file", EffectClass::Reads),
        ("send_message", EffectClass::Team),
        ("task", EffectClass::Delegates),
    ];
    Arc::new(ToolClasses::new(
        tools,
        crate::tool::ToolNames {
            aliases: vec![
                ("SendMessage", "send_message"),
                ("Task", "task"),
                ("X", "x"),
            ],
            are_shown: false,
        },
    ))
}

fn agent(entries: Vec<Entry>) -> Agent {
    let limits = Limits {
        rounds_max: 4,
        ..Limits::default()
    };
    Agent::new(Incarnation(2), classes(), limits, Conversation::of(entries))
}

fn begin(assignment: Option<SpawnPrompt>) -> Input {
    Input::Begin {
        assignment,
        unfinished: Unfinished::TakeUp {
            untouched: Vec::new(),
        },
    }
}

fn begun() -> Agent {
    let mut agent = agent(vec![]);
    agent.step(begin(None));
    agent.step(Input::Heard(vec![]));
    agent.step(Input::TaskFound(None));
    assert!(agent.is_idle());
    agent
}

fn mail(id: &str) -> Message {
    Message {
        id: MessageId::parse(id).unwrap(),
        kind: MessageKind::Message,
        from: Sender::Member(MemberName::lead()),
        from_incarnation: None,
        to: MemberName::teammate("alice").unwrap(),
        to_incarnation: None,
        content: id.into(),
        sent_at: Timestamp(0),
        wakes: None,
        request_id: None,
        metadata: crate::mail::Metadata::default(),
    }
}

fn call(id: &str, name: &str) -> ToolCall {
    ToolCall {
        id: CallId::new(id.into()),
        name: name.into(),
        input: ToolInput::from_json("{}".into()),
    }
}

fn reply(text: &str, calls: &[ToolCall], stop: StopReason) -> Reply {
    let mut blocks: Vec<Block> = calls.iter().map(Block::tool_use).collect();
    if !text.is_empty() {
        blocks.insert(0, Block::text(text));
    }
    Reply {
        blocks,
        stop,
        usage: Usage::default(),
        model: "m".into(),
        wire: Wire::Anthropic,
    }
}

fn says(text: &str) -> Input {
    Input::Answered(reply(text, &[], StopReason::EndTurn))
}

fn wants(calls: &[ToolCall]) -> Input {
    Input::Answered(reply("", calls, StopReason::ToolUse))
}

fn done(id: &str) -> Input {
    Input::ToolDone(CallId::new(id.into()), Outcome::ok("fine"))
}

/// Effects in a line, short enough to read.
fn brief(effects: &[Effect]) -> String {
    let mut line = String::new();
    for effect in effects {
        let _ = match effect {
            Effect::Record(Entry::Heard(mail)) => {
                let ids: Vec<_> = mail.iter().map(|m| m.id.as_str()).collect();
                write!(line, "heard({}) ", ids.join(","))
            }
            Effect::Record(Entry::ToolOutcomes(outcomes)) => {
                let ids: Vec<_> = outcomes
                    .iter()
                    .map(|(id, o)| format!("{id}{}", if o.is_error { "!" } else { "" }))
                    .collect();
                write!(line, "done({}) ", ids.join(","))
            }
            Effect::Record(Entry::Answered(_)) => write!(line, "answered "),
            Effect::Record(Entry::MemoryReset) => write!(line, "fresh "),
            Effect::Record(Entry::Conversation(id)) => write!(line, "conversation {id} "),
            Effect::Record(Entry::Prompted(_)) => write!(line, "prompted "),
            Effect::Record(Entry::TurnEnded(_)) => write!(line, "rested "),
            Effect::TakeMail => write!(line, "listen "),
            Effect::FindTask => write!(line, "seek "),
            Effect::AckMail => write!(line, "settle "),
            Effect::CallModel { round } => write!(line, "model#{round} "),
            Effect::Record(Entry::Shortened { calls, .. }) => {
                write!(line, "shortened({}) ", calls.len())
            }
            Effect::Record(Entry::Compacted(compacted)) => {
                write!(line, "compacted[{}] ", compacted.summary)
            }
            Effect::Record(Entry::SummaryFailed { .. }) => write!(line, "wasted "),
            Effect::Summarize {
                focus,
                bytes_max,
                in_turn,
            } => {
                let how = if *in_turn { "" } else { "-at-rest" };
                let part = bytes_max.map_or("", |_| "-of-a-part");
                let focus = focus.as_deref().map(|focus| format!("[{focus}]"));
                write!(line, "summarize{how}{part}{} ", focus.unwrap_or_default())
            }
            Effect::CancelModel => write!(line, "cancel-model "),
            Effect::RunTools(calls) => {
                let ids: Vec<_> = calls.iter().map(|c| c.id.as_str()).collect();
                write!(line, "run({}) ", ids.join(","))
            }
            Effect::CancelTools => write!(line, "cancel-tools "),
            Effect::EndTurn(TurnEnd::Done { result, .. }) => write!(line, "REST[{result}] "),
            Effect::EndTurn(TurnEnd::Ended { why, .. }) => write!(line, "REST[{why:?}] "),
            Effect::Note(_) => write!(line, "note "),
            Effect::EndTurn(TurnEnd::OutOfBudget { .. }) => write!(line, "pause "),
            Effect::Exit => write!(line, "retire "),
        };
    }
    line.trim_end().to_owned()
}

#[track_caller]
fn check(agent: &mut Agent, script: Vec<(Input, &str)>) {
    for (at, (input, expected)) in script.into_iter().enumerate() {
        let got = brief(&agent.step(input.clone()));
        assert_eq!(got, expected, "step {at}: {input:?}");
    }
}

#[test]
fn a_turn_with_mail_that_comes_while_it_thinks() {
    check(
        &mut begun(),
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (Input::Rang, ""),
            (wants(&[call("c1", "bash")]), "answered run(c1)"),
            (Input::Rang, ""),
            (done("c1"), "done(c1) listen"),
            (Input::Heard(vec![mail("m2")]), "heard(m2) settle model#2"),
            (says("ready"), "answered REST[ready] listen"),
            (Input::Heard(vec![]), "settle seek"),
            (Input::TaskFound(None), ""),
        ],
    );
}

#[test]
fn a_member_that_waits_ends_its_turn_after_the_round_unless_mail_has_come() {
    let waits = || Input::Pause("bob".into());
    let mut agent = begun();
    check(
        &mut agent,
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (
                wants(&[call("c1", "send_message"), call("c2", "bash")]),
                "answered run(c1)",
            ),
            (waits(), ""),
            (done("c1"), "done(c1) run(c2)"),
            (done("c2"), "done(c2) listen"),
            (
                Input::Heard(vec![]),
                "settle rested REST[Waiting { what: \"bob\" }]",
            ),
            // It is between turns; the next mail begins another.
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m2")]), "heard(m2) settle model#1"),
            // What it would wait for may have come meanwhile.
            (wants(&[call("c3", "send_message")]), "answered run(c3)"),
            (waits(), ""),
            (done("c3"), "done(c3) listen"),
            (Input::Heard(vec![mail("m3")]), "heard(m3) settle model#2"),
            // An interrupt is an interrupt.
            (wants(&[call("c4", "send_message")]), "answered run(c4)"),
            (waits(), ""),
            (
                Input::Interrupt,
                "cancel-tools done(c4!) rested REST[Interrupted]",
            ),
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m4")]), "heard(m4) settle model#1"),
            (wants(&[call("c5", "bash")]), "answered run(c5)"),
            (done("c5"), "done(c5) listen"),
            (Input::Heard(vec![]), "settle model#2"),
        ],
    );
    // A wish that belongs to no round is noted, and nothing else.
    check(&mut agent, vec![(waits(), "note")]);
}

#[test]
fn mail_is_heard_once_and_only_by_its_incarnation() {
    let mut old = mail("old");
    old.to_incarnation = Some(Incarnation(1));
    let mut mine = mail("mine");
    mine.to_incarnation = Some(Incarnation(2));
    check(
        &mut begun(),
        vec![
            (Input::Rang, "listen"),
            (
                Input::Heard(vec![mail("m1"), mail("m1"), old, mine]),
                "note heard(m1,mine) settle model#1",
            ),
            (says("ok"), "answered REST[ok] listen"),
            (Input::Heard(vec![mail("m1")]), "settle seek"),
            (Input::TaskFound(None), ""),
        ],
    );
}

#[test]
fn a_notice_that_asks_for_nothing_costs_no_model_call() {
    let mut notice = mail("n1");
    notice.kind = MessageKind::IdleNotification;
    notice.wakes = Some(false);
    check(
        &mut begun(),
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![notice]), "heard(n1) settle seek"),
        ],
    );
}

#[test]
fn readers_run_side_by_side_and_the_rest_in_order() {
    let calls = [
        call("r1", "read_file"),
        call("r2", "read_file"),
        call("b1", "bash"),
        call("x", "fly"),
        call("r3", "read_file"),
    ];
    check(
        &mut begun(),
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (wants(&calls), "answered run(r1,r2)"),
            (done("r2"), ""),
            (done("r1"), "done(r1,r2) run(b1)"),
            (done("b1"), "done(b1) done(x!) run(r3)"),
            (done("r3"), "done(r3) listen"),
        ],
    );
}

#[test]
fn an_interrupt_leaves_every_call_with_an_outcome() {
    let mut agent = begun();
    check(
        &mut agent,
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (
                wants(&[call("b1", "bash"), call("b2", "bash")]),
                "answered run(b1)",
            ),
            (
                Input::Interrupt,
                "cancel-tools done(b1!,b2!) rested REST[Interrupted]",
            ),
            (done("b1"), "note"),
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m2")]), "heard(m2) settle model#1"),
            (Input::Interrupt, "cancel-model rested REST[Interrupted]"),
            (says("late"), "note"),
        ],
    );
    assert_eq!(agent.conversation().resume_point(), ResumePoint::Idle);
}

#[test]
fn an_interrupt_that_is_taken_back_leaves_the_turn_unfinished() {
    let mut agent = begun();
    let in_a_turn = || {
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (wants(&[call("b1", "bash")]), "answered run(b1)"),
            (
                Input::Interrupt,
                "cancel-tools done(b1!) rested REST[Interrupted]",
            ),
        ]
    };
    check(&mut agent, in_a_turn());
    check(
        &mut agent,
        vec![
            (Input::TakeBack, "prompted listen"),
            // The model is not asked: the program ends.
            (Input::Heard(vec![]), "settle retire"),
        ],
    );
    assert_eq!(agent.conversation().resume_point(), ResumePoint::CallModel);

    // An interrupt is taken back only as long as it is the last thing that happened.
    let nothing_since: [Vec<(Input, &str)>; 2] = [
        vec![(Input::Interrupt, "")],
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m2")]), "heard(m2) settle model#1"),
            (says("ok"), "answered REST[ok] listen"),
            (Input::Heard(vec![]), "settle seek"),
            (Input::TaskFound(None), ""),
        ],
    ];
    for later in nothing_since {
        let mut agent = begun();
        check(&mut agent, in_a_turn());
        check(&mut agent, later);
        check(&mut agent, vec![(Input::TakeBack, "retire")]);
    }
}

#[test]
fn who_is_to_leave_asks_its_model_no_more() {
    let leave = |why| Input::Leave(why);
    let done = |id: &str| Input::ToolDone(CallId::new(id.to_owned()), Outcome::ok("done"));
    check(&mut begun(), vec![(leave(Leave::Pause), "retire")]);
    // Calls of the same answer run when the team pauses, and do not when the member has agreed to shut down.
    for (why, after_the_first) in [
        (Leave::Pause, "done(b1) run(b2)"),
        (Leave::Shutdown, "done(b1) done(b2!) listen"),
    ] {
        let mut agent = begun();
        check(
            &mut agent,
            vec![
                (Input::Rang, "listen"),
                (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
                (
                    wants(&[call("b1", "bash"), call("b2", "bash")]),
                    "answered run(b1)",
                ),
                (leave(why), ""),
                (done("b1"), after_the_first),
            ],
        );
        if why == Leave::Pause {
            check(&mut agent, vec![(done("b2"), "done(b2) listen")]);
        }
        check(&mut agent, vec![(Input::Heard(vec![]), "settle retire")]);
    }
    // A turn that ends by itself is recorded before the loop ends, and no task is claimed.
    check(
        &mut begun(),
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (leave(Leave::Pause), ""),
            (says("ok"), "answered REST[ok] listen"),
            (Input::Heard(vec![]), "settle retire"),
        ],
    );
}

#[test]
fn an_interrupt_while_listening_keeps_the_mail() {
    check(
        &mut begun(),
        vec![
            (Input::Rang, "listen"),
            (Input::Interrupt, ""),
            (
                Input::Heard(vec![mail("m1")]),
                "heard(m1) settle rested REST[Interrupted]",
            ),
        ],
    );
}

#[test]
fn a_model_failure_is_told_and_the_next_mail_tries_again() {
    let failure = ModelFailure {
        what: "no key".into(),
        remedy: Remedy::Never,
    };
    check(
        &mut begun(),
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (Input::Rang, ""),
            (
                Input::ModelFailed(failure),
                "rested REST[Failed { what: \"no key\" }] listen",
            ),
            (Input::Heard(vec![mail("m2")]), "heard(m2) settle model#1"),
        ],
    );
}

#[test]
fn a_cut_answer_goes_on_but_not_for_ever() {
    let cut = || Input::Answered(reply("part", &[], StopReason::MaxTokens));
    let cut_call = Input::Answered(reply("", &[call("c1", "bash")], StopReason::MaxTokens));
    let mut agent = agent(vec![]);
    agent.limits.rounds_max = 100;
    agent.step(begin(None));
    check(
        &mut agent,
        vec![
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (cut(), "answered prompted listen"),
            (Input::Heard(vec![]), "settle model#2"),
            (cut_call, "answered done(c1!) listen"),
            (Input::Heard(vec![]), "settle model#3"),
            (cut(), "answered prompted listen"),
            (Input::Heard(vec![]), "settle model#4"),
        ],
    );
    let last = brief(&agent.step(cut()));
    assert!(last.starts_with("answered rested REST[Limit"), "{last}");
}

#[test]
fn the_limit_of_rounds_ends_the_turn_with_a_message() {
    let mut agent = begun();
    agent.step(Input::Rang);
    agent.step(Input::Heard(vec![mail("m1")]));
    for round in 0..3 {
        agent.step(wants(&[call(&format!("c{round}"), "bash")]));
        agent.step(done(&format!("c{round}")));
        assert!(brief(&agent.step(Input::Heard(vec![]))).contains("model#"));
    }
    agent.step(wants(&[call("c9", "bash")]));
    agent.step(done("c9"));
    let last = brief(&agent.step(Input::Heard(vec![])));
    assert!(last.contains("stopped after 4 model calls"), "{last}");
    // The next mail begins a new turn.
    agent.step(Input::Rang);
    assert!(brief(&agent.step(Input::Heard(vec![mail("m2")]))).ends_with("model#1"));
}

#[test]
fn a_spawn_is_heard_once() {
    let assignment = Some(SpawnPrompt {
        message: mail("spawn"),
        memory: Memory::Kept,
    });
    let mut agent = agent(vec![]);
    check(
        &mut agent,
        vec![
            (
                Input::Begin {
                    assignment: assignment.clone(),
                    unfinished: Unfinished::TakeUp {
                        untouched: Vec::new(),
                    },
                },
                "heard(spawn) listen",
            ),
            (Input::Heard(vec![]), "settle model#1"),
        ],
    );
    let mut again = super::Agent {
        state: AgentState::Idle,
        ..agent
    };
    assert_eq!(brief(&again.step(begin(assignment))), "listen");
}

// ─── after a crash: every place it can come ───

fn after(entries: Vec<Entry>) -> (Agent, String) {
    let mut agent = agent(entries);
    let effects = brief(&agent.step(begin(None)));
    (agent, effects)
}

fn answered(input: Input) -> Entry {
    let Input::Answered(reply) = input else {
        panic!("not an answer")
    };
    Entry::Answered(reply)
}

#[test]
fn after_a_crash_the_turn_goes_on() {
    let (mut agent, effects) = after(vec![Entry::Heard(vec![mail("m1")])]);
    assert_eq!(effects, "listen");
    assert_eq!(brief(&agent.step(Input::Heard(vec![]))), "settle model#1");
}

#[test]
fn after_a_crash_open_calls_have_an_outcome_and_only_harmless_ones_run_again() {
    let calls = [
        call("b", "bash"),
        call("r", "read_file"),
        call("s", "send_message"),
    ];
    let (mut agent, effects) = after(vec![
        Entry::Heard(vec![mail("m1")]),
        answered(wants(&calls)),
    ]);
    assert_eq!(effects, "done(b!) run(r)");
    check(
        &mut agent,
        vec![
            (done("r"), "done(r) run(s)"),
            (done("s"), "done(s) listen"),
            (Input::Heard(vec![]), "settle model#1"),
        ],
    );
}

#[test]
fn after_a_crash_a_finished_turn_is_told_again() {
    let (mut agent, effects) = after(vec![
        Entry::Heard(vec![mail("m1")]),
        answered(says("all good")),
    ]);
    assert_eq!(effects, "REST[all good] listen");
    assert_eq!(brief(&agent.step(Input::Heard(vec![]))), "settle seek");
}

#[test]
fn after_an_interrupt_nothing_goes_on_by_itself() {
    let (mut agent, effects) = after(vec![
        Entry::Heard(vec![mail("m1")]),
        Entry::TurnEnded(EndReason::Interrupted),
    ]);
    assert_eq!(effects, "listen");
    assert_eq!(brief(&agent.step(Input::Heard(vec![]))), "settle seek");
}

#[test]
fn stop_leaves_the_turn_for_another_day() {
    let mut agent = begun();
    check(
        &mut agent,
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (Input::Stop, "cancel-model retire"),
            (says("late"), ""),
        ],
    );
    assert_eq!(agent.conversation().resume_point(), ResumePoint::CallModel);
}

#[test]
fn a_spent_budget_pauses_the_turn_and_records_nothing() {
    let mut agent = begun();
    agent.step(Input::Rang);
    assert_eq!(
        brief(&agent.step(Input::Heard(vec![mail("m1")]))),
        "heard(m1) settle model#1"
    );
    let limited = || Input::OutOfBudget("spent".into());
    assert_eq!(brief(&agent.step(limited())), "pause");
    assert!(agent.is_idle());
    assert_eq!(agent.conversation().resume_point(), ResumePoint::CallModel);
    assert_eq!(brief(&agent.step(limited())), "note", "it came too late");

    // With mail, the turn continues.
    agent.step(Input::Rang);
    assert_eq!(
        brief(&agent.step(Input::Heard(vec![mail("m2")]))),
        "heard(m2) settle model#1"
    );
    // Mail that came with the refusal is not forgotten.
    agent.step(Input::Rang);
    assert_eq!(brief(&agent.step(limited())), "pause listen");
}

#[test]
fn a_paused_turn_goes_on_when_the_team_is_opened_again() {
    let mut agent = agent(vec![Entry::Heard(vec![mail("m1")])]);
    agent.step(begin(None));
    assert_eq!(brief(&agent.step(Input::Heard(vec![]))), "settle model#1");
}

#[test]
fn who_has_nothing_to_do_looks_for_work_and_does_it_once() {
    check(
        &mut begun(),
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![]), "settle seek"),
            (Input::TaskFound(Some(mail("task"))), "heard(task) listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (says("ready"), "answered REST[ready] listen"),
            (Input::Heard(vec![]), "settle seek"),
            (Input::Rang, ""),
            (Input::TaskFound(Some(mail("task"))), "listen"),
            (Input::Heard(vec![]), "settle seek"),
            (Input::Interrupt, ""),
            (Input::TaskFound(Some(mail("task2"))), "note"),
            (Input::Stop, "retire"),
        ],
    );
}

#[test]
fn tools_have_other_names_and_subagents_work_side_by_side() {
    check(
        &mut begun(),
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (
                wants(&[
                    call("c1", "Task"),
                    call("c2", "task"),
                    call("c3", "SendMessage"),
                    call("c4", "X"),
                ]),
                "answered run(c1,c2)",
            ),
            (done("c2"), ""),
            (done("c1"), "done(c1,c2) run(c3)"),
            (done("c3"), "done(c3) done(c4!) listen"),
        ],
    );
}

#[test]
fn a_subagent_is_not_started_again_after_a_crash() {
    let (_, effects) = after(vec![
        Entry::Heard(vec![mail("m1")]),
        answered(wants(&[call("c1", "task"), call("c2", "send_message")])),
    ]);
    assert_eq!(effects, "done(c1!) run(c2)");
}

#[test]
fn mail_that_came_in_a_turn_begins_no_other_after_an_interrupt() {
    check(
        &mut begun(),
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (Input::Rang, ""),
            (Input::Interrupt, "cancel-model listen"),
            (
                Input::Heard(vec![mail("m2")]),
                "heard(m2) settle rested REST[Interrupted]",
            ),
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m3")]), "heard(m3) settle model#1"),
        ],
    );
}

#[test]
fn calls_lapse_where_the_transcript_proves_nothing_about_them() {
    let mut agent = agent(vec![
        Entry::Heard(vec![mail("m1")]),
        Entry::Answered(reply(
            "",
            &[call("c1", "read_file"), call("c2", "send_message")],
            StopReason::ToolUse,
        )),
    ]);
    let lapsed = Input::Begin {
        assignment: None,
        unfinished: Unfinished::Lapse,
    };
    let effects = agent.step(lapsed);
    assert_eq!(brief(&effects), "done(c1!,c2!) listen");
}

//! Room in the context, step by step. The model of these tests takes 1,000 tokens; room is made at 800.

use super::*;
use crate::{model::Role, transcript::Compacted};

fn small(entries: Vec<Entry>) -> Agent {
    let limits = Limits {
        rounds_max: 50,
        context: ContextWindow::new(1_000, 0.8),
        ..Limits::default()
    };
    let mut agent = Agent::new(Incarnation(2), classes(), limits, Conversation::of(entries));
    agent.step(begin(None));
    agent
}

/// Idle, with nothing before it.
fn rested() -> Agent {
    let mut agent = small(vec![]);
    agent.step(Input::Heard(vec![]));
    agent.step(Input::TaskFound(None));
    assert!(agent.is_idle());
    agent
}

fn counting(tokens: u64, input: Input) -> Input {
    let Input::Answered(mut reply) = input else {
        panic!("not an answer")
    };
    reply.usage.input = tokens;
    Input::Answered(reply)
}

fn summary(text: &str, stop: StopReason) -> Input {
    Input::Summarized(reply(text, &[], stop), "the state".to_owned())
}

fn sums_up(text: &str) -> Input {
    summary(text, StopReason::EndTurn)
}

fn too_long() -> Input {
    Input::ModelFailed(ModelFailure {
        what: "prompt is too long".into(),
        remedy: Remedy::Shorten,
    })
}

fn printed(id: &str, bytes: usize) -> Input {
    Input::ToolDone(CallId::new(id.into()), Outcome::ok("x".repeat(bytes)))
}

fn texts(agent: &Agent) -> String {
    let blocks = agent
        .conversation()
        .messages()
        .iter()
        .flat_map(|m| &m.blocks);
    blocks.map(Block::json).collect::<Vec<_>>().join("\n")
}

/// A turn that has just filled the context and waits for the outcome of `c1`.
fn full() -> Agent {
    let mut agent = rested();
    check(
        &mut agent,
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (
                counting(900, wants(&[call("c1", "bash")])),
                "answered run(c1)",
            ),
        ],
    );
    agent
}

/// The same, with the summary asked for.
fn summing() -> Agent {
    let mut agent = full();
    check(
        &mut agent,
        vec![
            (done("c1"), "done(c1) listen"),
            (Input::Heard(vec![mail("m2")]), "heard(m2) settle summarize"),
        ],
    );
    agent
}

#[test]
fn a_full_context_is_summed_up_between_two_rounds_and_the_turn_goes_on() {
    let mut agent = summing();
    check(
        &mut agent,
        vec![
            (sums_up("we did c1"), "compacted[we did c1] listen"),
            (Input::Heard(vec![mail("m3")]), "heard(m3) settle model#2"),
            (says("ready"), "answered REST[ready] listen"),
            (Input::Heard(vec![mail("m1"), mail("m2")]), "settle seek"),
        ],
    );
    let text = texts(&agent);
    assert!(
        !text.contains("tool_result") && text.contains("we did c1"),
        "{text}"
    );
    assert!(text.contains("the state"), "{text}");
    // Unanswered mail is kept word for word; answered mail is in the summary.
    assert!(text.contains("from=\\\"lead\\\""), "{text}");
    assert!(text.contains("m2") && !text.contains("m1"), "{text}");
    let roles: Vec<Role> = agent
        .conversation()
        .messages()
        .iter()
        .map(|m| m.role)
        .collect();
    assert_eq!(roles, [Role::User, Role::Assistant]);
}

#[test]
fn what_the_model_counts_decides_and_not_the_bytes() {
    let mut agent = rested();
    agent.step(Input::Rang);
    agent.step(Input::Heard(vec![mail("m1")]));
    agent.step(counting(100, wants(&[call("c1", "bash")])));
    agent.step(printed("c1", 100_000));
    assert_eq!(brief(&agent.step(Input::Heard(vec![]))), "settle model#2");
    agent.step(counting(799, wants(&[call("c2", "bash")])));
    agent.step(done("c2"));
    assert_eq!(brief(&agent.step(Input::Heard(vec![]))), "settle model#3");
    agent.step(counting(800, wants(&[call("c3", "bash")])));
    agent.step(done("c3"));
    let full = brief(&agent.step(Input::Heard(vec![])));
    assert_eq!(full, "settle summarize");
}

#[test]
fn without_usage_of_the_server_tokens_are_estimated_from_bytes() {
    let mut agent = rested();
    agent.step(Input::Rang);
    agent.step(Input::Heard(vec![mail("m1")]));
    agent.step(wants(&[call("c1", "bash")]));
    agent.step(printed("c1", 4_000));
    assert_eq!(brief(&agent.step(Input::Heard(vec![]))), "settle summarize");
}

#[test]
fn the_parts_of_a_count_are_added_up() {
    let usage = Usage {
        input: 1,
        output: 20,
        cache_read: 300,
        cache_write: 4_000,
    };
    assert_eq!(usage.total(), 4_321);
}

#[test]
fn old_outcomes_are_shortened_first() {
    let mut agent = rested();
    agent.step(Input::Rang);
    agent.step(Input::Heard(vec![mail("m1")]));
    for at in 0..8 {
        let id = format!("c{at}");
        let tokens = if at == 7 { 850 } else { 100 };
        agent.step(counting(tokens, wants(&[call(&id, "bash")])));
        agent.step(printed(&id, if at < 2 { 1_100 } else { 40 }));
        if at < 7 {
            agent.step(Input::Heard(vec![]));
        }
    }
    // Both long ones are old; the rest is short or new.
    assert_eq!(
        brief(&agent.step(Input::Heard(vec![]))),
        "settle shortened(2) model#9"
    );
    let text = texts(&agent);
    assert!(!text.contains("xxxx".repeat(20).as_str()), "{text}");
    assert_eq!(text.matches("[bash: 1").count(), 2, "{text}");
    assert_eq!(
        text.matches("tool_result").count(),
        8,
        "no call lost its outcome"
    );
    // It is not done twice: what is left is summarized.
    agent.step(counting(900, wants(&[call("c8", "bash")])));
    agent.step(done("c8"));
    assert_eq!(brief(&agent.step(Input::Heard(vec![]))), "settle summarize");
}

#[test]
fn shortening_that_frees_little_is_left_out() {
    let mut agent = rested();
    agent.limits.context = ContextWindow::new(100_000, 0.8);
    agent.step(Input::Rang);
    agent.step(Input::Heard(vec![mail("m1")]));
    for at in 0..8 {
        let id = format!("c{at}");
        agent.step(counting(90_000 * (at / 7), wants(&[call(&id, "bash")])));
        agent.step(printed(&id, 2_000));
        if at < 7 {
            agent.step(Input::Heard(vec![]));
        }
    }
    assert_eq!(brief(&agent.step(Input::Heard(vec![]))), "settle summarize");
}

#[test]
fn mail_that_comes_meanwhile_is_heard_after_it() {
    check(
        &mut summing(),
        vec![
            (Input::Rang, ""),
            (sums_up("s"), "compacted[s] listen"),
            (Input::Heard(vec![mail("m3")]), "heard(m3) settle model#2"),
        ],
    );
}

#[test]
fn calls_in_a_summary_do_not_run() {
    let calls = reply("the gist", &[call("c9", "bash")], StopReason::ToolUse);
    let mut agent = summing();
    check(
        &mut agent,
        vec![
            (
                Input::Summarized(calls, "state".into()),
                "compacted[the gist] listen",
            ),
            (Input::Heard(vec![]), "settle model#2"),
        ],
    );
    assert!(!texts(&agent).contains("tool_use"));
}

#[test]
fn an_interrupt_or_a_stop_leaves_everything_as_it_was() {
    let mut agent = summing();
    let before = texts(&agent);
    check(
        &mut agent,
        vec![
            (Input::Interrupt, "cancel-model rested REST[Interrupted]"),
            (sums_up("late"), "note"),
        ],
    );
    assert_eq!(texts(&agent), before);
    assert_eq!(agent.conversation().resume_point(), ResumePoint::Idle);

    let mut agent = summing();
    check(
        &mut agent,
        vec![(Input::Stop, "cancel-model retire"), (sums_up("late"), "")],
    );
    assert_eq!(texts(&agent), before);
    assert_eq!(agent.conversation().resume_point(), ResumePoint::CallModel);
}

#[test]
fn after_a_crash_in_the_middle_the_summary_is_asked_for_again() {
    let entries = || {
        let Input::Answered(answered) = counting(900, wants(&[call("c1", "bash")])) else {
            panic!()
        };
        vec![
            Entry::Heard(vec![mail("m1")]),
            Entry::Answered(answered),
            Entry::ToolOutcomes(vec![(CallId::new("c1".into()), Outcome::ok("fine"))]),
        ]
    };
    let mut agent = small(entries());
    check(
        &mut agent,
        vec![
            (Input::Heard(vec![]), "settle summarize"),
            (sums_up("s"), "compacted[s] listen"),
            (Input::Heard(vec![]), "settle model#1"),
        ],
    );

    // The turn continues right after it, with the same entry numbers and mail ids.
    let mut compacted = entries();
    compacted.push(Entry::SummaryFailed {
        model: "m".into(),
        usage: Usage::default(),
    });
    compacted.push(Entry::Compacted(Compacted {
        summary: "s".into(),
        recap: "state".into(),
        mail_bytes_max: 1_000,
        before: 900,
        model: "m".into(),
        usage: Usage::default(),
    }));
    let mut agent = small(compacted);
    assert_eq!(agent.conversation().length(), 5);
    check(
        &mut agent,
        vec![(Input::Heard(vec![mail("m1")]), "settle model#1")],
    );
}

#[test]
fn a_model_that_says_it_is_too_long_is_asked_for_a_summary_of_a_part() {
    let mut agent = rested();
    check(
        &mut agent,
        vec![
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (too_long(), "summarize-of-a-part"),
            (too_long(), "summarize-of-a-part"),
            (
                summary("", StopReason::ContextFull),
                "wasted summarize-of-a-part",
            ),
            (sums_up("s"), "compacted[s] listen"),
            (Input::Heard(vec![]), "settle model#2"),
            (says("ok"), "answered REST[ok] listen"),
        ],
    );
}

#[test]
fn an_answer_that_ended_because_the_context_was_full_goes_on() {
    let mut agent = full();
    let cut = |calls: &[ToolCall]| Input::Answered(reply("half a", calls, StopReason::ContextFull));
    check(
        &mut agent,
        vec![
            (done("c1"), "done(c1) listen"),
            (Input::Heard(vec![]), "settle summarize"),
            (sums_up("s"), "compacted[s] listen"),
            (Input::Heard(vec![]), "settle model#2"),
            (cut(&[]), "answered prompted listen"),
            (Input::Heard(vec![]), "settle summarize-of-a-part"),
            (sums_up("t"), "compacted[t] listen"),
            (Input::Heard(vec![]), "settle model#3"),
            // Twice in a row is enough.
            (cut(&[call("c2", "bash")]), "answered done(c2!) listen"),
        ],
    );
    let last = brief(&agent.step(Input::Heard(vec![])));
    assert!(last.contains("REST[Limit"), "{last}");
    assert!(last.contains("context_tokens"), "{last}");
}

#[test]
fn after_a_crash_an_answer_that_was_cut_by_the_context_goes_on() {
    let Input::Answered(cut) = Input::Answered(reply("half a", &[], StopReason::ContextFull))
    else {
        panic!()
    };
    let mut agent = small(vec![Entry::Heard(vec![mail("m1")]), Entry::Answered(cut)]);
    assert_eq!(
        brief(&agent.step(Input::Heard(vec![]))),
        "settle prompted model#1"
    );
}

#[test]
fn two_summaries_that_free_nothing_end_the_turn() {
    let mut agent = summing();
    let fills = |id: &str| counting(850, wants(&[call(id, "bash")]));
    check(
        &mut agent,
        vec![
            (sums_up("s"), "compacted[s] listen"),
            (Input::Heard(vec![]), "settle model#2"),
            (fills("c2"), "answered run(c2)"),
            (done("c2"), "done(c2) listen"),
            (Input::Heard(vec![]), "settle summarize"),
            (sums_up("t"), "compacted[t] listen"),
            (Input::Heard(vec![]), "settle model#3"),
            (fills("c3"), "answered run(c3)"),
            (done("c3"), "done(c3) listen"),
        ],
    );
    let last = brief(&agent.step(Input::Heard(vec![])));
    assert!(
        last.contains("rested REST[Limit") && last.contains("context_tokens"),
        "{last}"
    );
    // More mail triggers no new try. A request for compaction does.
    check(&mut agent, vec![(Input::Rang, "listen")]);
    assert!(brief(&agent.step(Input::Heard(vec![mail("m3")]))).contains("REST[Limit"));
    let wish = Input::Compact { focus: None };
    assert_eq!(brief(&agent.step(wish)), "summarize-at-rest");
}

#[test]
fn a_summary_that_frees_enough_forgets_the_failed_ones() {
    let mut agent = summing();
    for at in 0..5 {
        let id = format!("d{at}");
        agent.step(sums_up("s"));
        agent.step(Input::Heard(vec![]));
        agent.step(counting(100, wants(&[call(&id, "bash")])));
        agent.step(done(&id));
        agent.step(Input::Heard(vec![]));
        let id = format!("e{at}");
        agent.step(counting(900, wants(&[call(&id, "bash")])));
        agent.step(done(&id));
        assert_eq!(brief(&agent.step(Input::Heard(vec![]))), "settle summarize");
    }
}

#[test]
fn a_model_that_gives_no_summary_is_asked_twice() {
    let mut agent = summing();
    let before = texts(&agent);
    check(
        &mut agent,
        vec![(
            Input::Summarized(
                reply("", &[call("c5", "bash")], StopReason::ToolUse),
                String::new(),
            ),
            "wasted summarize",
        )],
    );
    let last = brief(&agent.step(summary("I would rather not", StopReason::Refusal)));
    assert!(last.starts_with("wasted rested REST[Limit"), "{last}");
    assert_eq!(texts(&agent), before);
}

#[test]
fn a_model_that_fails_at_the_summary_is_told() {
    let failure = ModelFailure {
        what: "no key".into(),
        remedy: Remedy::Never,
    };
    let last = brief(&summing().step(Input::ModelFailed(failure)));
    assert!(
        last.contains("Failed") && last.contains("summarized: no key"),
        "{last}"
    );
}

#[test]
fn a_requested_summary_is_written_right_after_the_round() {
    let wish = || Input::Compact {
        focus: Some("the parser".into()),
    };
    let mut agent = rested();
    check(
        &mut agent,
        vec![
            (wish(), "note"),
            (Input::Rang, "listen"),
            (Input::Heard(vec![mail("m1")]), "heard(m1) settle model#1"),
            (
                wants(&[call("c1", "send_message"), call("c2", "bash")]),
                "answered run(c1)",
            ),
            (wish(), ""),
            (done("c1"), "done(c1) run(c2)"),
            (done("c2"), "done(c2) listen"),
            (Input::Heard(vec![]), "settle summarize[the parser]"),
            (wish(), ""),
            (sums_up("s"), "compacted[s] listen"),
            (Input::Heard(vec![]), "settle model#2"),
            // A request during the turn's last model call is carried out after the turn.
            (wish(), ""),
            (says("done"), "answered REST[done] listen"),
            (Input::Heard(vec![]), "settle seek"),
            (Input::TaskFound(None), "summarize-at-rest[the parser]"),
            (Input::Rang, ""),
            (sums_up("t"), "compacted[t] listen"),
            (Input::Heard(vec![mail("m2")]), "heard(m2) settle model#1"),
        ],
    );
}

#[test]
fn a_summary_at_rest_changes_nothing_else() {
    let told = || {
        let mut agent = rested();
        agent.step(Input::Rang);
        agent.step(Input::Heard(vec![mail("m1")]));
        agent.step(says("all good"));
        agent.step(Input::Heard(vec![]));
        agent.step(Input::TaskFound(None));
        agent.step(Input::Compact { focus: None });
        agent
    };
    let finished = ResumePoint::Finished {
        turn: 1,
        text: "all good".into(),
    };
    let mut agent = told();
    check(&mut agent, vec![(sums_up("s"), "compacted[s]")]);
    assert!(agent.is_idle());
    // The turn's end can still be recorded again.
    assert_eq!(agent.conversation().resume_point(), finished);

    let mut agent = told();
    check(&mut agent, vec![(Input::Interrupt, "cancel-model")]);
    assert!(agent.is_idle());
    let mut agent = told();
    check(
        &mut agent,
        vec![
            (
                summary(" ", StopReason::EndTurn),
                "wasted summarize-at-rest",
            ),
            (summary("", StopReason::EndTurn), "wasted note"),
        ],
    );
    assert!(agent.is_idle());
    assert_eq!(agent.conversation().resume_point(), finished);
}

#[test]
fn an_interrupt_takes_a_wish_back() {
    check(
        &mut full(),
        vec![
            (Input::Compact { focus: None }, ""),
            (
                Input::Interrupt,
                "cancel-tools done(c1!) rested REST[Interrupted]",
            ),
        ],
    );
}

#[test]
fn a_spent_budget_pauses_the_turn_as_it_is() {
    let mut agent = summing();
    let before = texts(&agent);
    let paused = brief(&agent.step(Input::OutOfBudget("100 tokens are spent".into())));
    assert_eq!(paused, "pause");
    assert_eq!(texts(&agent), before);
    assert_eq!(agent.conversation().resume_point(), ResumePoint::CallModel);
}

//! How a turn begins, and in which order the calls of an answer run.

use super::*;

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
    let mut again = Agent {
        state: AgentState::Idle,
        ..agent
    };
    assert_eq!(brief(&again.step(begin(assignment))), "listen");
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
fn readers_run_side_by_side_and_the_rest_in_order() {
    let calls = [
        call("r1", "read_file"),
        call("r2", "read_file"),
        call("b1", "bash"),
        call("x", "fly"),
        call("r3", "read_file"),
    ];
    check(
        &mut asked(),
        vec![
            (wants(&calls), "answered run(r1,r2)"),
            (done("r2"), ""),
            (done("r1"), "done(r1,r2) run(b1)"),
            (done("b1"), "done(b1) done(x!) run(r3)"),
            (done("r3"), "done(r3) listen"),
        ],
    );
}

#[test]
fn tools_have_other_names_and_subagents_work_side_by_side() {
    check(
        &mut asked(),
        vec![
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

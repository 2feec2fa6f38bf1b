//! Causes, and the ids of mail that follow from them. Who did something once does not do it again under the same cause, and a
//! member that has heard an id does not hear it again. So a team that is upgraded on its way must make the same ones: their
//! text is never changed, and here stands every form of it.

use teammate_core::{
    GroupName, Incarnation, MessageId, Timestamp,
    board::TaskId,
    cause::Cause,
    event::RunId,
    request::{Digest, PermissionRequest, PlanRequest, RequestId},
    team::{
        GoalId, JobId,
        MessageCause::{self, *},
        Schedule, ScheduleId, Term,
    },
    tool::{CallId, ToolNames},
};
use uuid::Uuid;

use super::views::story;
use crate::common::name;

const LIFE: Incarnation = Incarnation(2);

fn call() -> Cause {
    Cause::call(
        &name("alice"),
        Incarnation(1),
        7,
        &CallId::new("toolu_x".into()),
    )
}

#[test]
fn causes_are_written_as_ever() {
    let digest = Digest::of_bytes([0xab; 32]);
    let subagents = call().call_of_subagent(3, &CallId::new("toolu_y".into()));
    for (text, cause) in [
        ("create", Cause::create()),
        (
            "user/00000000-0000-0000-0000-000000000007",
            Cause::user(Uuid::from_u128(7)),
        ),
        (
            "held/00000000-0000-0000-0000-000000000007",
            Cause::held(Uuid::from_u128(7)),
        ),
        ("alice/1/7/toolu_x", call()),
        ("alice/1/7/toolu_x/3/toolu_y", subagents),
        (
            "alice/1/7/toolu_x/abababababab",
            PermissionRequest::cause(&call(), &digest),
        ),
        (
            "rule/req_000002",
            PlanRequest::check_cause(RequestId::new(2)),
        ),
        (
            "end/red/2/alice",
            Cause::end_of_group(&GroupName::parse("red").unwrap(), 2, &name("alice")),
        ),
        (
            "schedule/s1/1764061200000",
            Schedule::cause(
                ScheduleId::parse("s1").unwrap(),
                Timestamp(1_764_061_200_000),
            ),
        ),
        (
            "end/red/2/alice/1",
            Cause::end_of_group(&GroupName::parse("red").unwrap(), 2, &name("alice")).part(1),
        ),
    ] {
        assert_eq!(cause.as_str(), text);
        assert_eq!(serde_json::to_value(&cause).unwrap(), text);
    }
}

#[test]
fn causes_of_other_versions_are_kept_as_they_are() {
    for text in ["all/req_000001/alice", "", "what no version wrote"] {
        let cause: Cause = serde_json::from_value(text.into()).unwrap();
        assert_eq!(serde_json::to_value(&cause).unwrap(), text);
        assert_eq!(cause.stops_whole_team(), text.starts_with("all"), "{text}");
    }
}

#[test]
fn an_id_is_the_uuid_of_team_and_cause() {
    let id = MessageId::derived(Uuid::from_u128(7), "assignment/bob/1");
    assert_eq!(id.as_str(), "7836bd1b-ec90-52ba-bc6b-38479f13f329");
}

/// Every form; the match makes a new one fail to compile until it stands here.
fn causes_of_mail<'a>(call: &'a Cause, user: &'a Cause) -> Vec<(&'static str, MessageCause<'a>)> {
    let [bob, alice] = [name("bob"), name("alice")].map(|name| &*Box::leak(Box::new(name)));
    let (task, request) = (TaskId::new(2), RequestId::new(3));
    let run = RunId::new(Uuid::from_u128(1));
    let next = |cause: MessageCause<'a>| match cause {
        Said(_) => Some(("mail/alice/1/7/toolu_x/bob", Mail(call, bob))),
        Mail(..) => Some(("assignment/bob/2", Assignment(bob, LIFE))),
        Assignment(..) => Some(("idle/bob/2/9", TurnEnd(bob, LIFE, 9))),
        TurnEnd(..) => Some(("subagent/alice/1/7/toolu_x", Subagent(call))),
        Subagent(_) => Some(("task/2/1", Task(task, 1))),
        Task(..) => Some(("task/2/1/nudge/4", Nudge(task, 1, 4))),
        Nudge(..) => Some(("taken/2/3", Taken(task, 3))),
        Taken(..) => Some(("board/8", Board(8))),
        Board(_) => Some(("job/b1", Job(JobId::parse("b1").unwrap()))),
        Job(_) => Some(("request/3/opened", Opened(request))),
        Opened(_) => Some(("request/3/settled", Settled(request))),
        Settled(_) => Some(("terminated/bob/2", Terminated(bob, LIFE))),
        Terminated(..) => Some((
            "failed/bob/2/00000000-0000-0000-0000-000000000001",
            Failed(bob, LIFE, run),
        )),
        Failed(..) => Some(("loop/alice/1/7/toolu_x/alice", Loop(call, alice))),
        Loop(..) => Some((
            "schedule/s1/1764061200000",
            Scheduled(
                ScheduleId::parse("s1").unwrap(),
                Timestamp(1_764_061_200_000),
            ),
        )),
        Scheduled(..) => Some(("work/bob/2", WorkCame(bob, Term(2)))),
        WorkCame(..) => Some(("worktree/bob/2/task-3", WorktreeMade(bob, LIFE, "task-3"))),
        WorktreeMade(..) => Some(("goal/g1/3", Goal(GoalId::parse("g1").unwrap(), 3))),
        Goal(..) => None,
    };
    let first = ("user/00000000-0000-0000-0000-000000000007", Said(user));
    std::iter::successors(Some(first), |(_, cause)| next(*cause)).collect()
}

#[test]
fn ids_of_mail_follow_from_their_causes_as_ever() {
    let team = story();
    let (call, user) = (call(), Cause::user(Uuid::from_u128(7)));
    for (text, cause) in causes_of_mail(&call, &user) {
        assert_eq!(cause.to_string(), text);
        let id = MessageId::derived(team.id(), text);
        assert_eq!(team.message_id(cause), id, "{text}");
    }
}

#[test]
fn what_a_team_tells_has_these_causes() {
    let team = story();
    let names = ToolNames::default();
    let task = team.board().task(TaskId::new(2)).unwrap();
    let plan = team.requests().get(RequestId::new(1)).unwrap();
    let plan = plan.settled_notice(teammate_core::permission::Mode::Bypass, &names);
    let shutdown = team.requests().get(RequestId::new(3)).unwrap();
    let shutdown = shutdown.opened_notice(&names);
    for (text, id) in [
        ("board/8", team.board_notice().unwrap().id),
        ("task/2/1", team.task_assignment_id(task).unwrap()),
        ("task/2/1/nudge/0", team.nudge_id(task).unwrap()),
        ("request/1/settled", team.message_id(plan.unwrap().cause)),
        ("request/3/opened", team.message_id(shutdown.unwrap().cause)),
    ] {
        assert_eq!(id, MessageId::derived(team.id(), text), "{text}");
    }
}

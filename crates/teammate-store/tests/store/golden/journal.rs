//! The journal: every event of a team, and whole lines in the envelope of the first format.

use serde_json::json;
use teammate_core::{
    GroupName, Incarnation, MessageId, Sender, Timestamp,
    board::TaskId,
    budget::{Budget, Budgets},
    cause::Cause,
    model::{Effort, Usage},
    name::{AgentName, DeviceName},
    permission::Mode,
    request::{RequestId, Requirer},
    team::{
        ConversationId, GoalEnd, GoalEvent, GoalId, GoalRun, GroupEvent, JobEnd, JobId, Label,
        Lapse, MemberOptions, MissedRuns, OrderEnd, OrderId, ScheduleEvent, ScheduleId,
        ScheduleTime, ScheduledWork, TeamEvent, TodoList, TodoStatus, UserOrder, WaitingOn,
    },
    transcript::EndReason,
};
use teammate_store::wire::{
    chain::{LineDigest, Log},
    record,
};
use uuid::Uuid;

use super::{
    board::task_events,
    every,
    places::place_events,
    requests::{modes, parties, request_events},
    same_bytes, same_lines,
};
use crate::{
    common,
    common::{name, sealed_file},
};

const LIFE: Incarnation = Incarnation(2);

pub(crate) fn usage() -> Usage {
    Usage {
        input: 1,
        output: 2,
        cache_read: 3,
        cache_write: 4,
        ..Usage::default()
    }
}

pub(crate) fn job(text: &str) -> JobId {
    JobId::parse(text).unwrap()
}

pub(crate) fn rest_reasons() -> Vec<EndReason> {
    every! { EndReason:
        EndReason::Done => [EndReason::Done],
        EndReason::Interrupted => [EndReason::Interrupted],
        EndReason::Failed { .. } => [EndReason::Failed { what: "no key".into() }],
        EndReason::Limit { .. } => [EndReason::Limit { what: "50 rounds".into() }],
        EndReason::Waiting { .. } => [EndReason::Waiting { what: "bob's schema".into() }],
    }
}

fn ceilings() -> Vec<TeamEvent> {
    let old = modes().into_iter().map(|mode| TeamEvent::Ceiling {
        mode,
        model: None,
        judges_prompts: None,
    });
    let new = TeamEvent::Ceiling {
        mode: Mode::Ask,
        model: Some("anthropic:m".parse().unwrap()),
        judges_prompts: None,
    };
    let judging = [true, false].map(|judges| TeamEvent::Ceiling {
        mode: Mode::Ask,
        model: Some("anthropic:m".parse().unwrap()),
        judges_prompts: Some(judges),
    });
    old.chain([new]).chain(judging).collect()
}

/// A terminal, and a device of the user's.
fn devices() -> [Option<DeviceName>; 2] {
    [None, DeviceName::parse("phone").ok()]
}

fn budgets_set() -> Vec<TeamEvent> {
    let team = Budget {
        tokens: Some(5_000_000),
        money: Some("20.5".parse().unwrap()),
        turns: Some(200),
        minutes: Some(120),
    };
    let member = Budget {
        money: Some("5".parse().unwrap()),
        ..Budget::default()
    };
    let set = [Budgets { team, member }, Budgets::default()];
    set.map(|budgets| TeamEvent::BudgetsSet { budgets }).into()
}

fn user_orders() -> Vec<UserOrder> {
    let mail = || MessageId::parse("m1").unwrap();
    every! { UserOrder:
        UserOrder::Interrupt { .. } => [
            UserOrder::Interrupt { member: None },
            UserOrder::Interrupt { member: Some(name("alice")) },
        ],
        UserOrder::Compact { .. } => [
            UserOrder::Compact { member: name("alice"), focus: None },
            UserOrder::Compact { member: name("alice"), focus: Some("the parser".into()) },
        ],
        UserOrder::Recall { .. } => [UserOrder::Recall { mail: mail(), member: name("alice") }],
        UserOrder::Mode { .. } => modes().into_iter().map(|mode| UserOrder::Mode { mode }).collect::<Vec<_>>(),
        UserOrder::Clear => [UserOrder::Clear],
        UserOrder::Judge { .. } => [UserOrder::Judge { mail: mail(), member: name("alice") }],
        UserOrder::Complete { .. } => [
            UserOrder::Complete { task: TaskId::new(1), result: String::new() },
            UserOrder::Complete { task: TaskId::new(1), result: "done".into() },
        ],
    }
}

fn order_ends() -> Vec<OrderEnd> {
    every! { OrderEnd:
        OrderEnd::Done => [OrderEnd::Done],
        OrderEnd::Refused { .. } => [OrderEnd::Refused { why: "alice has heard it".into() }],
        OrderEnd::Dropped => [OrderEnd::Dropped],
    }
}

pub(crate) fn job_ends() -> Vec<JobEnd> {
    every! { JobEnd:
        JobEnd::Done => [JobEnd::Done],
        JobEnd::Failed => [JobEnd::Failed],
        JobEnd::Stopped { .. } => [
            JobEnd::Stopped { by: Sender::User },
            JobEnd::Stopped { by: Sender::Member(name("alice")) },
        ],
        JobEnd::Lost => [JobEnd::Lost],
    }
}

fn group_events() -> Vec<GroupEvent> {
    let (by, call) = (name("lead"), Cause::from("c1"));
    every! { GroupEvent:
        GroupEvent::Made { .. } => [GroupEvent::Made { by: by.clone(), call: call.clone() }],
        GroupEvent::Ending { .. } => [GroupEvent::Ending { by, call }],
        GroupEvent::Archived { .. } => [GroupEvent::Archived { kept_in: "archive/backend".into() }],
    }
}

fn todo_list() -> TodoList {
    let status = every! { TodoStatus:
        TodoStatus::Pending => [TodoStatus::Pending],
        TodoStatus::InProgress => [TodoStatus::InProgress],
        TodoStatus::Completed => [TodoStatus::Completed],
    };
    let mut items: Vec<_> = status
        .iter()
        .map(|status| json!({ "content": "Write it", "status": status }))
        .collect();
    items[1]["activeForm"] = json!("Writing it");
    serde_json::from_value(items.into()).unwrap()
}

fn waits() -> Vec<WaitingOn> {
    every! { WaitingOn:
        WaitingOn::Permission => [WaitingOn::Permission],
        WaitingOn::Model => [WaitingOn::Model],
    }
}

fn requirers() -> Vec<Requirer> {
    every! { Requirer:
        Requirer::Lead => [Requirer::Lead],
        Requirer::User => [Requirer::User],
    }
}

fn spawned() -> Vec<TeamEvent> {
    let all = MemberOptions {
        model: Some("anthropic:claude-opus-4-5".parse().unwrap()),
        mode: Some(Mode::AcceptEdits),
        agent: Some("explore".into()),
        instructions: "Only read.".into(),
        tools: Some(vec!["bash".into(), "grep".into()]),
        group: Some(GroupName::parse("backend").unwrap()),
        require_plan: true,
        worktree: true,
        ..MemberOptions::default()
    };
    let spawned = |terms, fresh| TeamEvent::Spawned {
        member: name("alice"),
        role: "coder".into(),
        prompt: "Write \"it\"\n".into(),
        options: terms,
        incarnation: LIFE,
        by: name("lead"),
        call: "c1".into(),
        fresh,
        plan_by: None,
        plan_once: false,
    };
    vec![spawned(MemberOptions::default(), false), spawned(all, true)]
}

/// A spawn that says how much its model thinks, and which come after it.
fn spawned_with_models() -> TeamEvent {
    TeamEvent::Spawned {
        member: name("alice"),
        role: "coder".into(),
        prompt: "Write it".into(),
        options: MemberOptions {
            effort: Some(Effort::High),
            fallback: vec!["openai:gpt-6-sol".parse().unwrap()],
            ..MemberOptions::default()
        },
        incarnation: LIFE,
        by: name("lead"),
        call: "c2".into(),
        fresh: false,
        plan_by: None,
        plan_once: false,
    }
}

/// A spawn of a member that an agent of another make answers.
fn spawned_with_an_engine() -> TeamEvent {
    TeamEvent::Spawned {
        member: name("alice"),
        role: "coder".into(),
        prompt: "Write it".into(),
        options: MemberOptions {
            engine: Some(AgentName::parse("codex").unwrap()),
            ..MemberOptions::default()
        },
        incarnation: LIFE,
        by: name("lead"),
        call: "c3".into(),
        fresh: false,
        plan_by: None,
        plan_once: false,
    }
}

/// A spawn of a member that runs where a graphics card is.
fn spawned_with_labels() -> TeamEvent {
    TeamEvent::Spawned {
        member: name("alice"),
        role: "coder".into(),
        prompt: "Write it".into(),
        options: MemberOptions {
            labels: [Label::parse("gpu").unwrap()].into(),
            ..MemberOptions::default()
        },
        incarnation: LIFE,
        by: name("lead"),
        call: "c4".into(),
        fresh: false,
        plan_by: None,
        plan_once: false,
    }
}

/// Spawns that say who requires plans.
fn spawned_under_plans() -> impl Iterator<Item = TeamEvent> {
    requirers().into_iter().map(|by| TeamEvent::Spawned {
        member: name("alice"),
        role: "coder".into(),
        prompt: "Write it".into(),
        options: MemberOptions {
            require_plan: true,
            ..MemberOptions::default()
        },
        incarnation: LIFE,
        by: name("lead"),
        call: "c1".into(),
        fresh: false,
        plan_by: Some(by),
        plan_once: by == Requirer::User,
    })
}

fn idled() -> Vec<TeamEvent> {
    let of = |why, turn, result: &str| TeamEvent::TurnEnded {
        member: name("alice"),
        incarnation: LIFE,
        why,
        turn,
        result: result.into(),
    };
    let mut all: Vec<_> = rest_reasons()
        .into_iter()
        .map(|why| of(why, Some(7), "It is done."))
        .collect();
    all.push(of(EndReason::Interrupted, None, ""));
    all
}

fn spent() -> Vec<TeamEvent> {
    let of = |upto, worked_ms, team_ms| TeamEvent::Spent {
        member: name("alice"),
        incarnation: LIFE,
        model: "anthropic:claude-opus-4-5".into(),
        requests: 3,
        usage: usage(),
        upto,
        worked_ms,
        team_ms,
    };
    vec![of(Some(9), 1_500, 1_000), of(None, 0, 0)]
}

fn goal_events() -> Vec<GoalEvent> {
    let run = |exit| GoalRun {
        exit,
        took_ms: 4_120,
        tail: "1 of 41 failed".to_owned(),
        files: Some("91ab02f-0000000000000007".to_owned()),
    };
    let tried = |number, exit| GoalEvent::Tried {
        number,
        run: run(exit),
    };
    let ends = every! { GoalEnd:
        GoalEnd::Reached => [GoalEnd::Reached],
        GoalEnd::Stuck => [GoalEnd::Stuck],
        GoalEnd::Tried => [GoalEnd::Tried],
        GoalEnd::Budget { .. } => [GoalEnd::Budget { what: "the team's budget is spent".to_owned() }],
        GoalEnd::Unchecked { .. } => [GoalEnd::Unchecked { what: "a rule denies it".to_owned() }],
        GoalEnd::Dropped => [GoalEnd::Dropped],
    };
    every! { GoalEvent:
        GoalEvent::Set { .. } => [GoalEvent::Set {
            call: "user/1".into(),
            text: "make it green".to_owned(),
            check: "cargo test".to_owned(),
            tries_max: 20,
        }],
        GoalEvent::Tried { .. } => [tried(1, Some(101)), tried(2, None)],
        GoalEvent::Told { .. } => [GoalEvent::Told { number: 1 }],
        GoalEvent::Ended { .. } => ends.into_iter().map(|end| GoalEvent::Ended { end }).collect::<Vec<_>>(),
    }
}

fn schedule_events() -> Vec<ScheduleEvent> {
    let (due, next) = (
        Timestamp(1_764_061_200_000),
        Some(Timestamp(1_764_147_600_000)),
    );
    let added = |when, work, missed| ScheduleEvent::Added {
        by: Sender::User,
        call: "user/1".into(),
        when,
        work,
        missed,
        next: due,
    };
    let task = |description: &str| ScheduledWork::Task {
        subject: "Look at the log".into(),
        description: description.into(),
    };
    let say = ScheduledWork::Say {
        to: name("alice"),
        text: "Good morning".into(),
    };
    let cron = || ScheduleTime::Cron("0 9 * * mon-fri".into());
    let by = || Sender::Member(name("lead"));
    every! { ScheduleEvent:
        ScheduleEvent::Added { .. } => [
            added(cron(), task(""), MissedRuns::RunOnce),
            added(cron(), task("of the night"), MissedRuns::Skip),
            added(ScheduleTime::Once(due), say, MissedRuns::RunOnce),
        ],
        ScheduleEvent::Removed { .. } => [ScheduleEvent::Removed { by: by() }],
        ScheduleEvent::Paused { .. } => [ScheduleEvent::Paused { by: by() }],
        ScheduleEvent::Resumed { .. } => [ScheduleEvent::Resumed { by: by(), next: due }],
        ScheduleEvent::Fired { .. } => [
            ScheduleEvent::Fired { due, next, task: Some(TaskId::new(3)) },
            ScheduleEvent::Fired { due, next: None, task: None },
        ],
        ScheduleEvent::Skipped { .. } => [
            ScheduleEvent::Skipped { due, next, why: "nobody ran the team then".into() },
        ],
        ScheduleEvent::Told { .. } => [ScheduleEvent::Told { due }],
    }
}

pub(crate) fn team_events() -> Vec<TeamEvent> {
    let (member, incarnation, call) = (name("alice"), LIFE, Cause::from("c1"));
    let (group, request) = (GroupName::parse("backend").unwrap(), RequestId::new(1));
    let conversation = ConversationId::from_number(2).unwrap();
    let adopted = |stopped| TeamEvent::Adopted {
        member: name("alice"),
        role: "coder".into(),
        stopped,
    };
    let of_tasks = task_events().into_iter().map(|change| TeamEvent::Task {
        task: TaskId::new(3),
        change,
    });
    let of_groups = group_events().into_iter().map(|change| TeamEvent::Group {
        group: group.clone(),
        change,
    });
    let of_requests = request_events()
        .into_iter()
        .map(|change| TeamEvent::Request { request, change });
    let waiting = waits().into_iter().map(|on| TeamEvent::Waiting {
        member: member.clone(),
        incarnation,
        on,
    });
    let required = parties().into_iter().map(|by| TeamEvent::PlanRequired {
        member: member.clone(),
        incarnation,
        by,
        call: call.clone(),
    });
    let lifted = parties().into_iter().map(|by| TeamEvent::PlanLifted {
        member: member.clone(),
        incarnation,
        by,
    });
    let order = |id: &str| OrderId::parse(id).unwrap();
    let ordered = user_orders().into_iter().map(|what| TeamEvent::Ordered {
        id: order("o1"),
        order: what,
        call: "user/1".into(),
    });
    let orders_ended = order_ends().into_iter().map(|end| TeamEvent::OrderEnded {
        id: order("o1"),
        end,
    });
    let ended = job_ends().into_iter().map(|end| TeamEvent::JobEnded {
        job: job("b1"),
        end,
    });
    let schedule = ScheduleId::parse("s1").unwrap();
    let of_schedules = schedule_events()
        .into_iter()
        .map(|change| TeamEvent::Schedule { schedule, change });
    let goal = GoalId::parse("g1").unwrap();
    let of_goals = goal_events()
        .into_iter()
        .map(|change| TeamEvent::Goal { goal, change });
    let mut all = every! { TeamEvent:
        TeamEvent::Created { .. } => [
            TeamEvent::Created { id: Uuid::from_u128(7), name: "default".into() },
        ],
        TeamEvent::Spawned { .. } => spawned(),
        TeamEvent::Adopted { .. } => [adopted(false), adopted(true)],
        TeamEvent::Working { .. } => [TeamEvent::Working { member: member.clone(), incarnation }],
        TeamEvent::Waiting { .. } => waiting.collect::<Vec<_>>(),
        TeamEvent::TurnEnded { .. } => idled(),
        TeamEvent::Todos { .. } => [
            TeamEvent::Todos { member: member.clone(), incarnation, items: todo_list() },
            TeamEvent::Todos { member: member.clone(), incarnation, items: TodoList::default() },
        ],
        TeamEvent::Spent { .. } => spent(),
        TeamEvent::Task { .. } => of_tasks.collect::<Vec<_>>(),
        TeamEvent::Group { .. } => of_groups.collect::<Vec<_>>(),
        TeamEvent::Request { .. } => of_requests.collect::<Vec<_>>(),
        TeamEvent::PlanRequired { .. } => required.collect::<Vec<_>>(),
        TeamEvent::PlanLifted { .. } => lifted.collect::<Vec<_>>(),
        TeamEvent::Ceiling { .. } => ceilings(),
        TeamEvent::BudgetsSet { .. } => budgets_set(),
        TeamEvent::Paused { .. } => devices().map(|device| TeamEvent::Paused { device }),
        TeamEvent::Continued { .. } => devices().map(|device| TeamEvent::Continued { device }),
        TeamEvent::BoardReported { .. } => [TeamEvent::BoardReported { changes: 5 }],
        TeamEvent::Lapsed { .. } => [Lapse::Damage, Lapse::Adoption].map(|lapse| TeamEvent::Lapsed {
            lapse,
            why: "records 3 to 4 are missing".to_owned(),
        }),
        TeamEvent::Stopped { .. } => [TeamEvent::Stopped { member: member.clone(), incarnation }],
        TeamEvent::JobStarted { .. } => [
            TeamEvent::JobStarted {
                job: job("b1"),
                member: member.clone(),
                incarnation,
                call: call.clone(),
                title: "cargo test".into(),
            },
        ],
        TeamEvent::JobEnded { .. } => ended.collect::<Vec<_>>(),
        TeamEvent::Ordered { .. } => ordered.collect::<Vec<_>>(),
        TeamEvent::OrderEnded { .. } => orders_ended.collect::<Vec<_>>(),
        TeamEvent::Conversation { .. } => [
            TeamEvent::Conversation { conversation, unfinished: vec![name("lead"), name("alice")], keeps_team: false },
            TeamEvent::Conversation { conversation: ConversationId::FIRST, unfinished: Vec::new(), keeps_team: false },
            TeamEvent::Conversation { conversation, unfinished: Vec::new(), keeps_team: true },
        ],
        TeamEvent::Joined { .. } => [
            TeamEvent::Joined { members: vec![member.clone()], tasks: vec![TaskId::new(3)] },
        ],
        TeamEvent::Dropped { .. } => [TeamEvent::Dropped { conversation: ConversationId::FIRST }],
        TeamEvent::ModelChosen { .. } => [
            TeamEvent::ModelChosen { member: member.clone(), model: Some("openai:gpt-6-sol".parse().unwrap()), effort: None },
            TeamEvent::ModelChosen { member: member.clone(), model: None, effort: Some(Effort::Off) },
        ],
        TeamEvent::Schedule { .. } => of_schedules.collect::<Vec<_>>(),
        TeamEvent::Goal { .. } => of_goals.collect::<Vec<_>>(),
        TeamEvent::Place(_) => place_events().into_iter().map(TeamEvent::Place).collect::<Vec<_>>(),
        TeamEvent::RuleDropped { .. } => [TeamEvent::RuleDropped { rule: "bash(=make)".to_owned() }],
    };
    all.extend(spawned_under_plans());
    all.push(spawned_with_models());
    all.push(spawned_with_an_engine());
    all.push(spawned_with_labels());
    all
}

#[test]
fn every_event_of_a_team_is_written_and_read_as_ever() {
    same_lines("journal-1.jsonl", &team_events());
}

/// What an older version left out is still understood.
#[test]
fn events_without_their_later_fields_are_read() {
    for (line, expected) in [
        (
            r#"{"event":"group","group":"backend","change":"ending","by":"lead"}"#,
            TeamEvent::Group {
                group: GroupName::parse("backend").unwrap(),
                change: GroupEvent::Ending {
                    by: name("lead"),
                    call: Cause::default(),
                },
            },
        ),
        (
            r#"{"event":"idled","member":"alice","incarnation":2,"why":"done"}"#,
            TeamEvent::TurnEnded {
                member: name("alice"),
                incarnation: LIFE,
                why: EndReason::Done,
                turn: None,
                result: String::new(),
            },
        ),
    ] {
        assert_eq!(
            serde_json::from_str::<TeamEvent>(line).unwrap(),
            expected,
            "{line}"
        );
    }
}

/// Whole lines of the first envelope: number, time, checksum, events. Directories of that version stay readable.
#[test]
fn lines_of_the_first_envelope_are_read() {
    let golden = include_str!("../../golden/journal-lines-1.jsonl");
    let mut all = team_events();
    let mut read = Vec::new();
    for (at, line) in (0..).zip(golden.lines()) {
        let record = record::read(line.as_bytes()).unwrap();
        assert_eq!(record.number, at);
        assert_eq!(record.at, Timestamp(1_732_230_000_500 + at));
        read.extend(record.events);
    }
    all.truncate(read.len());
    assert_eq!(read, all);
}

/// The same records as they are written today: sealed, each naming the one before.
#[test]
fn sealed_lines_are_written_and_read_as_ever() {
    let events = team_events();
    let object = |(at, events): (u64, &[TeamEvent])| {
        record::to_json(at, Timestamp(1_732_230_000_500 + at), events)
    };
    let objects: Vec<String> = (0..).zip(events[..8].chunks(2)).map(object).collect();
    let log = Log::journal(common::seal());
    same_bytes("journal-lines-2.jsonl", &sealed_file(&log, &objects));
    let mut prev = LineDigest::NONE;
    for line in include_str!("../../golden/journal-lines-2.jsonl").lines() {
        let linked = log.opened(line.as_bytes()).unwrap();
        assert_eq!(linked.prev, prev);
        prev = linked.digest;
    }
}

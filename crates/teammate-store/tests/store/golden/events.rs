//! The event stream (`events.jsonl`, `--json`): every event that users and other programs are shown.

use teammate_core::{
    Incarnation, MessageId, MessageKind, Sender, Timestamp,
    board::{TaskId, TaskStatusKind},
    event::{
        Closing, Compaction, ContextUse, Event, EventKind, Excerpt, FileChange, MergeEnd,
        NoteAbout, Paid, RefusedBy, RunId, Waits, WaitsOn,
    },
    model::{Effort, StopReason, Usage},
    name::{DeviceName, WorkerName},
    permission::{Mode, OfferedRules},
    price::{Decimal, Money, Prices},
    request::{RequestId, RequestKind, RequestStateKind},
    team::{ConversationId, MemberStatus},
    tool::CallId,
};
use uuid::Uuid;

use super::{
    board::task_events,
    every,
    journal::{job, job_ends, rest_reasons, usage},
    same_lines,
    transcript::stops,
};
use crate::common::name;

fn request_kinds() -> Vec<RequestKind> {
    every! { RequestKind:
        RequestKind::Shutdown => [RequestKind::Shutdown],
        RequestKind::Plan => [RequestKind::Plan],
        RequestKind::Permission => [RequestKind::Permission],
    }
}

fn compactions() -> Vec<Compaction> {
    every! { Compaction:
        Compaction::Shortened => [Compaction::Shortened],
        Compaction::Summarized => [Compaction::Summarized],
        Compaction::Failed => [Compaction::Failed],
    }
}

fn tool_started(subagent: Option<&str>) -> EventKind {
    EventKind::ToolStarted {
        call: CallId::new("c1".into()),
        tool: "bash".into(),
        summary: "cargo test".into(),
        input: None,
        subagent: subagent.map(str::to_owned),
    }
}

fn tool_finished(subagent: Option<&str>) -> EventKind {
    EventKind::ToolFinished {
        call: CallId::new("c1".into()),
        tool: "bash".into(),
        ok: true,
        summary: "fine".into(),
        took_ms: 12,
        exit: None,
        bytes: None,
        lines: None,
        file: None,
        output: None,
        change: None,
        merge: None,
        refused: None,
        subagent: subagent.map(str::to_owned),
    }
}

fn tool_started_with_input() -> EventKind {
    EventKind::ToolStarted {
        call: CallId::new("c1".into()),
        tool: "bash".into(),
        summary: "cargo test".into(),
        input: Some("{\"command\":\"cargo test\"}".into()),
        subagent: None,
    }
}

fn tool_finished_with_output() -> EventKind {
    EventKind::ToolFinished {
        call: CallId::new("c1".into()),
        tool: "bash".into(),
        ok: false,
        summary: "running 3 tests ...".into(),
        took_ms: 12,
        exit: Some(101),
        bytes: Some(90_000),
        lines: Some(1_200),
        file: Some(".team/outputs/alice-c1.txt".into()),
        output: Some(Excerpt {
            head: "running 3 tests\n".into(),
            tail: "test result: FAILED\n".into(),
        }),
        change: None,
        merge: None,
        refused: None,
        subagent: None,
    }
}

fn tool_finished_with_change(is_cut: bool) -> EventKind {
    EventKind::ToolFinished {
        call: CallId::new("c1".into()),
        tool: "edit_file".into(),
        ok: true,
        summary: "Edited src/lex.rs".into(),
        took_ms: 12,
        exit: None,
        bytes: Some(17),
        lines: Some(1),
        file: None,
        output: Some(Excerpt::of("Edited src/lex.rs")),
        change: Some(Box::new(FileChange {
            path: "src/lex.rs".into(),
            added: 2,
            removed: 1,
            diff: "--- src/lex.rs\n+++ src/lex.rs\n@@ -1 +1,2 @@\n-a\n+b\n+c\n".into(),
            is_cut,
        })),
        merge: None,
        refused: None,
        subagent: None,
    }
}

fn tool_refused(by: RefusedBy) -> EventKind {
    EventKind::ToolFinished {
        call: CallId::new("c1".into()),
        tool: "bash".into(),
        ok: false,
        summary: "Not run: a hook of the user refuses it. ...".into(),
        took_ms: 12,
        exit: None,
        bytes: Some(43),
        lines: Some(2),
        file: None,
        output: None,
        change: None,
        merge: None,
        refused: Some(by),
        subagent: None,
    }
}

fn tool_finished_with_merge(merge: MergeEnd) -> EventKind {
    let ok = merge.conflicts.is_empty();
    EventKind::ToolFinished {
        call: CallId::new("c1".into()),
        tool: "finish_worktree".into(),
        ok,
        summary: "Merged".into(),
        took_ms: 12,
        exit: None,
        bytes: None,
        lines: None,
        file: None,
        output: None,
        change: None,
        merge: Some(Box::new(merge)),
        refused: None,
        subagent: None,
    }
}

fn permission_asked(rule: Option<&str>) -> EventKind {
    EventKind::PermissionAsked {
        question: 1,
        tool: "bash".into(),
        shows: "cargo test".into(),
        rules: OfferedRules {
            exact: rule.map(str::to_owned),
            ..OfferedRules::default()
        },
        deadline: rule.map(|_| Timestamp(1_732_230_060_500)),
    }
}

fn of_requests() -> (Vec<EventKind>, Vec<EventKind>) {
    let opened = |kind| EventKind::RequestOpened {
        request: RequestId::new(1),
        kind,
        from: Sender::Member(name("alice")),
        to: "the user".into(),
        shows: "cargo test".into(),
        deadline: (kind == RequestKind::Shutdown).then_some(Timestamp(1_732_230_060_500)),
    };
    let settled = |kind| EventKind::RequestSettled {
        request: RequestId::new(1),
        kind,
        from: Sender::User,
        state: RequestStateKind::Approved,
        how: "approved by the user".into(),
    };
    let kinds = request_kinds();
    (
        kinds.iter().copied().map(opened).collect(),
        kinds.into_iter().map(settled).collect(),
    )
}

fn compacted() -> Vec<EventKind> {
    let of = |how| EventKind::Compacted {
        how,
        before: 170_000,
        after: 20_000,
        usage: usage(),
        summary: "all is well".into(),
    };
    compactions().into_iter().map(of).collect()
}

fn of_tasks() -> Vec<EventKind> {
    let of = |(at, change)| EventKind::Task {
        task: TaskId::new(3),
        subject: "Write the parser".into(),
        status: TaskStatusKind::InProgress,
        owner: (at > 0).then(|| name("bob")),
        change: Box::new(change),
    };
    task_events().into_iter().enumerate().map(of).collect()
}

fn permission_refused(call: Option<&str>) -> EventKind {
    EventKind::PermissionRefused {
        tool: "bash".into(),
        shows: "cargo test".into(),
        hint: "--allow 'bash(cargo test:*)'".into(),
        call: call.map(|call| CallId::new(call.into())),
    }
}

fn closings() -> Vec<Closing> {
    every! { Closing:
        Closing::Settled => [Closing::Settled],
        Closing::Paused => [Closing::Paused],
        Closing::Stopped => [Closing::Stopped],
        Closing::Storage => [Closing::Storage],
    }
}

/// Every event carries its run.
fn in_a_run() -> Event {
    let run = Uuid::from_u128(0x0193_50a8_0000_7000_8000_0000_0000_0001);
    Event {
        at: Timestamp(1_732_230_000_500),
        member: name("lead"),
        run: Some(RunId::new(run)),
        n: None,
        r: None,
        what: EventKind::Note {
            text: "look out".into(),
            about: None,
        },
    }
}

/// Every event but a piece is numbered, and every event knows the journal's length.
fn numbered() -> [Event; 2] {
    let delta = "fi".to_owned();
    [
        Event {
            n: Some(18_231),
            r: Some(402),
            ..in_a_run()
        },
        Event {
            r: Some(402),
            what: EventKind::Text { delta },
            ..in_a_run()
        },
    ]
}

fn waiting() -> Vec<EventKind> {
    let all = every! { WaitsOn:
        WaitsOn::Permission => [WaitsOn::Permission],
        WaitsOn::Plan => [WaitsOn::Plan],
        WaitsOn::Model => [WaitsOn::Model],
        WaitsOn::Mail => [WaitsOn::Mail],
        WaitsOn::Task => [WaitsOn::Task],
        WaitsOn::Budget => [WaitsOn::Budget],
        WaitsOn::Job => [WaitsOn::Job],
    };
    let of = |on| EventKind::Status {
        status: MemberStatus::Idle,
        phase: "idle".into(),
        waits: Some(Waits {
            on,
            id: (on == WaitsOn::Plan).then(|| "req_000007".into()),
            since: Timestamp(1_732_230_000_400),
        }),
    };
    all.into_iter().map(of).collect()
}

/// Of a server that does not report tokens.
fn estimated_answer() -> EventKind {
    EventKind::ModelAnswered {
        text: "fine".into(),
        stop: StopReason::EndTurn,
        usage: Usage {
            estimated: 10,
            ..usage()
        },
        model: Some("anthropic:m".into()),
        money: Some(Paid {
            amount: Money::from("1.25".parse::<Decimal>().unwrap()),
            currency: "USD".to_owned(),
            estimated: true,
        }),
        context: Some(ContextUse {
            used: 10,
            limit: None,
            estimated: true,
        }),
        entry: Some(17),
    }
}

fn counted_answers() -> [EventKind; 2] {
    let prices = Prices::default();
    [Some(200_000), None].map(|limit| EventKind::ModelAnswered {
        text: "fine".into(),
        stop: StopReason::EndTurn,
        usage: usage(),
        model: Some("anthropic:m".into()),
        money: Some(Paid {
            amount: Money::from("1.25".parse::<Decimal>().unwrap()),
            currency: prices.currency.clone(),
            estimated: false,
        }),
        context: Some(ContextUse {
            used: 41_000,
            limit,
            estimated: false,
        }),
        entry: Some(17),
    })
}

fn everything() -> Vec<EventKind> {
    let (opened, settled) = of_requests();
    let answered = |stop, model: Option<&str>| EventKind::ModelAnswered {
        text: "fine".into(),
        stop,
        usage: usage(),
        model: model.map(str::to_owned),
        money: None,
        context: None,
        entry: None,
    };
    let by_model = answered(StopReason::EndTurn, Some("anthropic:m"));
    let answered = stops().into_iter().map(|stop| answered(stop, None));
    let answered = answered.chain([by_model]).chain(counted_answers());
    let answered = answered.chain([estimated_answer()]);
    let rested = rest_reasons().into_iter().map(|why| EventKind::TurnEnded {
        why,
        result: "It is done.".into(),
    });
    let closed = closings()
        .into_iter()
        .map(|why| EventKind::TeamClosed { why });
    let ended = job_ends().into_iter().map(|end| EventKind::JobEnded {
        job: job("b1"),
        title: "cargo test".into(),
        end,
    });
    let (call, kind) = ("c1".to_owned(), "explore".to_owned());
    every! { EventKind:
        EventKind::TeamOpened { .. } => [
            EventKind::TeamOpened {
                team: "default".into(),
                members: vec![name("lead"), name("alice")],
                resumed: true,
                pid: None,
                conversation: None,
                worker: None,
            },
            EventKind::TeamOpened {
                team: "default".into(),
                members: vec![name("lead")],
                resumed: false,
                pid: Some(4711),
                conversation: None,
                worker: None,
            },
            EventKind::TeamOpened {
                team: "default".into(),
                members: vec![name("lead")],
                resumed: true,
                pid: None,
                conversation: ConversationId::from_number(2),
                worker: None,
            },
            EventKind::TeamOpened {
                team: "default".into(),
                members: vec![name("lead")],
                resumed: true,
                pid: Some(4711),
                conversation: ConversationId::from_number(1),
                worker: WorkerName::parse("w1").ok(),
            },
        ],
        EventKind::TeamClosed { .. } => closed.collect::<Vec<_>>(),
        EventKind::Spawned { .. } => [
            EventKind::Spawned {
                role: "coder".into(),
                incarnation: Incarnation(2),
                woken: true,
                model: None,
                mode: None,
                worktree: None,
                by: None,
            },
            EventKind::Spawned {
                role: "coder".into(),
                incarnation: Incarnation(1),
                woken: false,
                model: Some("anthropic:m".parse().unwrap()),
                mode: Some(Mode::AcceptEdits),
                worktree: Some("/w/.team/worktrees/alice".into()),
                by: Some(name("lead")),
            },
        ],
        EventKind::Status { .. } => [
            EventKind::Status { status: MemberStatus::Working, phase: "working".into(), waits: None },
        ].into_iter().chain(waiting()).collect::<Vec<_>>(),
        EventKind::ModelAsked { .. } => [
            EventKind::ModelAsked { round: 1, model: "anthropic:m".into(), effort: Effort::Off },
        ],
        EventKind::Text { .. } => [EventKind::Text { delta: "fi".into() }],
        EventKind::ModelAnswered { .. } => answered.collect::<Vec<_>>(),
        EventKind::Retrying { .. } => [
            EventKind::Retrying { why: "busy".into(), after_ms: 500, attempt: 2 },
        ],
        EventKind::ToolStarted { .. } => [
            tool_started(None),
            tool_started(Some("explore")),
            tool_started_with_input(),
        ],
        EventKind::SubagentStarted { .. } => [
            EventKind::SubagentStarted { call: call.clone(), kind: kind.clone(), title: "look".into() },
        ],
        EventKind::SubagentAnswered { .. } => [
            EventKind::SubagentAnswered { call: call.clone(), usage: usage() },
        ],
        EventKind::SubagentEnded { .. } => [
            EventKind::SubagentEnded { call, kind, ok: true, summary: "found".into() },
        ],
        EventKind::ToolFinished { .. } => [
            tool_finished(None),
            tool_finished(Some("explore")),
            tool_finished_with_output(),
            tool_finished_with_change(false),
            tool_finished_with_change(true),
            tool_finished_with_merge(MergeEnd::merged("alice")),
            tool_finished_with_merge(MergeEnd::conflict("alice", &["src/lex.rs".into()])),
            tool_refused(RefusedBy::Hook),
            tool_refused(RefusedBy::PlanGate),
        ],
        EventKind::PermissionAsked { .. } => [
            permission_asked(None),
            permission_asked(Some("bash(cargo test:*)")),
        ],
        EventKind::PermissionAnswered { .. } => [
            EventKind::PermissionAnswered { question: 1, allowed: true, by: "the user".into(), device: None },
            EventKind::PermissionAnswered { question: 1, allowed: true, by: "user".into(), device: DeviceName::parse("phone").ok() },
        ],
        EventKind::RequestOpened { .. } => opened,
        EventKind::RequestSettled { .. } => settled,
        EventKind::Terminated { .. } => [EventKind::Terminated { how: "it agreed".into() }],
        EventKind::PermissionRefused { .. } => [
            permission_refused(None),
            permission_refused(Some("c1")),
        ],
        EventKind::PersonSaid { .. } => [
            EventKind::PersonSaid {
                id: MessageId::parse("m1").unwrap(),
                to: name("bob"),
                by: "user".into(),
                content: "hi".into(),
                attachments: Vec::new(),
            },
            EventKind::PersonSaid {
                id: MessageId::parse("m1").unwrap(),
                to: name("bob"),
                by: "user".into(),
                content: "see @a.png".into(),
                attachments: super::mail::attached().metadata.attachments.notes(),
            },
        ],
        EventKind::MailSent { .. } => [
            EventKind::MailSent {
                id: MessageId::parse("m1").unwrap(),
                to: name("bob"),
                kind: MessageKind::Message,
                content: "hi".into(),
            },
        ],
        EventKind::MailHeard { .. } => [
            EventKind::MailHeard {
                id: MessageId::parse("m1").unwrap(),
                from: Sender::User,
                kind: MessageKind::Message,
                content: None,
                attachments: Vec::new(),
            },
            EventKind::MailHeard {
                id: MessageId::parse("m1").unwrap(),
                from: Sender::User,
                kind: MessageKind::Message,
                content: Some("hi".into()),
                attachments: Vec::new(),
            },
            EventKind::MailHeard {
                id: MessageId::parse("m1").unwrap(),
                from: Sender::User,
                kind: MessageKind::Message,
                content: Some("see @a.png".into()),
                attachments: super::mail::attached().metadata.attachments.notes(),
            },
        ],
        EventKind::MailRecalled { .. } => [
            EventKind::MailRecalled { id: MessageId::parse("m1").unwrap(), to: name("bob") },
        ],
        EventKind::Compacted { .. } => compacted(),
        EventKind::Task { .. } => of_tasks(),
        EventKind::TurnEnded { .. } => rested.collect::<Vec<_>>(),
        EventKind::JobStarted { .. } => [
            EventKind::JobStarted {
                job: job("b1"),
                title: "cargo test".into(),
                output: ".team/outputs/alice-b1.txt".into(),
            },
        ],
        EventKind::JobEnded { .. } => ended.collect::<Vec<_>>(),
        EventKind::Note { .. } => [None, Some(NoteAbout::Damage)].map(|about| EventKind::Note { text: "look out".into(), about }).to_vec(),
        EventKind::Thinking { .. } => [EventKind::Thinking { delta: "hm".into() }],
        EventKind::ToolProgress { .. } => [
            EventKind::ToolProgress { call: CallId::new("c1".to_owned()), text: "3 of 9".into() },
        ],
        EventKind::ModelChanged { .. } => [
            EventKind::ModelChanged { from: "anthropic:m".into(), to: "openai:n".into(), why: "gone".into() },
        ],
    }
}

fn asked_to_think() -> Event {
    Event {
        at: Timestamp(1_732_230_000_500),
        member: name("alice"),
        run: None,
        n: None,
        r: None,
        what: EventKind::ModelAsked {
            round: 1,
            model: "anthropic:m".into(),
            effort: Effort::High,
        },
    }
}

#[test]
fn every_event_of_the_stream_is_written_and_read_as_ever() {
    let events: Vec<_> = everything()
        .into_iter()
        .map(|what| Event {
            at: Timestamp(1_732_230_000_500),
            member: name("alice"),
            run: None,
            n: None,
            r: None,
            what,
        })
        .chain([in_a_run(), asked_to_think()])
        .chain(numbered())
        .collect();
    same_lines("events-1.jsonl", &events);
}

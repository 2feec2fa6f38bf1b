//! All that can happen to a request.

use teammate_core::{
    Incarnation, Timestamp,
    name::DeviceName,
    permission::{Breadth, Mode, OfferedRules, Touches},
    request::{
        Approver, Digest, PermissionRequest, PlanRequest, Principal, RequestEvent, RequestId,
        RequestPayload, ShutdownRequest,
    },
};

use super::every;
use crate::common::name;

pub(crate) fn parties() -> Vec<Principal> {
    every! { Principal:
        Principal::User => [Principal::User],
        Principal::System => [Principal::System],
        Principal::Member { .. } => [Principal::member(&name("alice"), Incarnation(2))],
    }
}

fn approvers() -> Vec<Approver> {
    every! { Approver:
        Approver::Lead => [Approver::Lead],
        Approver::User => [Approver::User],
        Approver::Rule => [Approver::Rule],
    }
}

pub(crate) fn modes() -> Vec<Mode> {
    every! { Mode:
        Mode::Ask => [Mode::Ask],
        Mode::AcceptEdits => [Mode::AcceptEdits],
        Mode::Bypass => [Mode::Bypass],
    }
}

fn kinds() -> Vec<RequestPayload> {
    let shutdown = |reason: &str, now| {
        RequestPayload::Shutdown(ShutdownRequest {
            member: name("bob"),
            incarnation: Incarnation(1),
            reason: reason.into(),
            now,
        })
    };
    let plans = approvers().into_iter().map(|approver| {
        RequestPayload::Plan(PlanRequest {
            text: "# Plan\n1. read".into(),
            digest: Digest::of_bytes([7; 32]),
            approver,
        })
    });
    let permission = |rule: Option<&str>, lead_may| {
        RequestPayload::Permission(PermissionRequest {
            tool: "bash".into(),
            shows: "cargo test".into(),
            digest: Digest::of_bytes([8; 32]),
            rules: Box::new(OfferedRules {
                exact: rule.map(str::to_owned),
                ..OfferedRules::default()
            }),
            lead_may,
            because: String::new(),
            touches: None,
        })
    };
    let asked = |touches| {
        RequestPayload::Permission(PermissionRequest {
            tool: "bash".into(),
            shows: "curl https://example.org > a < b".into(),
            digest: Digest::of_bytes([8; 32]),
            rules: Box::default(),
            lead_may: false,
            because: "no rule allows it, and the mode is ask".into(),
            touches: Some(Box::new(touches)),
        })
    };
    let wider = RequestPayload::Permission(PermissionRequest {
        tool: "bash".into(),
        shows: "cargo test -p a".into(),
        digest: Digest::of_bytes([8; 32]),
        rules: Box::new(OfferedRules {
            exact: Some("bash(=cargo test -p a)".into()),
            prefix: Some("bash(cargo test *)".into()),
            tool: Some("edit_file".into()),
        }),
        lead_may: false,
        because: String::new(),
        touches: None,
    });
    let touches = Touches {
        reads: vec!["b".into()],
        writes: vec!["a".into()],
        network: vec!["https://example.org".into()],
        is_all: false,
    };
    let nothing = Touches {
        is_all: true,
        ..Touches::default()
    };
    every! { RequestPayload:
        RequestPayload::Shutdown(_) => [shutdown("", false), shutdown("done", true)],
        RequestPayload::Plan(_) => plans.collect::<Vec<_>>(),
        RequestPayload::Permission(_) => [permission(None, false), permission(Some("bash(cargo test:*)"), true), asked(touches), asked(nothing), wider],
    }
}

pub(crate) fn request_events() -> Vec<RequestEvent> {
    let opened = kinds().into_iter().zip(parties().into_iter().cycle());
    let opened = opened.map(|(kind, from)| RequestEvent::Opened {
        deadline: from.incarnation().map(|_| Timestamp(1_732_230_060_500)),
        kind,
        from,
        call: "c1".into(),
        opened: None,
    });
    let elsewhere = RequestEvent::Opened {
        deadline: Some(Timestamp(1_732_230_060_500)),
        kind: kinds().swap_remove(0),
        from: Principal::User,
        call: "c1".into(),
        opened: Some(Timestamp(1_732_230_000_500)),
    };
    let opened = opened.chain([elsewhere]);
    let approved = parties()
        .into_iter()
        .zip(modes())
        .map(|(by, mode)| RequestEvent::Approved {
            note: "go on".into(),
            always: (by == Principal::User).then_some(Breadth::Exact),
            mode: Some(mode),
            by,
            awaits_hearing: false,
            covered_by: None,
            device: None,
        });
    let plainly = RequestEvent::Approved {
        by: Principal::User,
        note: String::new(),
        mode: None,
        always: None,
        awaits_hearing: false,
        covered_by: None,
        device: None,
    };
    let unheard = RequestEvent::Approved {
        by: Principal::User,
        note: String::new(),
        mode: None,
        always: None,
        awaits_hearing: true,
        covered_by: None,
        device: None,
    };
    let always = Breadth::ALL.map(|breadth| RequestEvent::Approved {
        by: Principal::User,
        note: String::new(),
        mode: None,
        always: Some(breadth),
        awaits_hearing: false,
        covered_by: None,
        device: None,
    });
    let covered = RequestEvent::Approved {
        by: Principal::User,
        note: String::new(),
        mode: None,
        always: None,
        awaits_hearing: false,
        covered_by: Some(RequestId::new(1)),
        device: None,
    };
    let rejected = |because: &str, awaits_hearing| RequestEvent::Rejected {
        by: Principal::User,
        because: because.into(),
        awaits_hearing,
        device: None,
    };
    let device = || DeviceName::parse("phone").ok();
    let yes_from_device = RequestEvent::Approved {
        by: Principal::User,
        note: String::new(),
        mode: None,
        always: None,
        awaits_hearing: false,
        covered_by: None,
        device: device(),
    };
    let no_from_device = RequestEvent::Rejected {
        by: Principal::User,
        because: "not now".into(),
        awaits_hearing: false,
        device: device(),
    };
    every! { RequestEvent:
        RequestEvent::Opened { .. } => opened.collect::<Vec<_>>(),
        RequestEvent::Approved { .. } => approved.chain([plainly, unheard]).chain(always).chain([covered, yes_from_device]).collect::<Vec<_>>(),
        RequestEvent::Rejected { .. } => [rejected("", false), rejected("too risky", false), rejected("smaller", true), no_from_device],
        RequestEvent::Expired => [RequestEvent::Expired],
        RequestEvent::Cancelled { .. } => [RequestEvent::Cancelled { why: "bob is gone".into() }],
        RequestEvent::Used => [RequestEvent::Used],
        RequestEvent::Notified => [RequestEvent::Notified],
        RequestEvent::Heard => [RequestEvent::Heard],
    }
}

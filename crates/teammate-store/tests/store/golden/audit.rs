//! The audit log: every entry, and everything in it that is one of several.

use teammate_core::{
    Incarnation, Timestamp,
    audit::{AllowedBy, AuditEntry, AuditEvent, AuditedAction, Surface},
    permission::Mode,
    request::{Digest, Principal, RequestId, RequestKind},
};

use super::{
    every,
    journal::{job, job_ends},
    same_lines,
};
use crate::common::name;

fn digest() -> Digest {
    Digest::of_bytes([7; 32])
}

fn request() -> RequestId {
    RequestId::new(1)
}

fn action() -> AuditedAction {
    AuditedAction {
        call: "alice/1/2/c1".into(),
        tool: "bash".into(),
        shows: "cargo test\n&& echo \"done\"".into(),
        place: "/home/me/work".into(),
        digest: digest(),
    }
}

fn allowances() -> Vec<AllowedBy> {
    every! { AllowedBy:
        AllowedBy::Mode { .. } => [AllowedBy::Mode { mode: Mode::AcceptEdits }],
        AllowedBy::Rules { .. } => [AllowedBy::Rules { rules: vec!["the user's rule 'bash(cargo:*)'".into()] }],
        AllowedBy::Answer { .. } => [AllowedBy::Answer { request: request() }],
        AllowedBy::Setting { .. } => [AllowedBy::Setting { setting: "[web_search]".into() }],
    }
}

fn surfaces() -> Vec<Surface> {
    every! { Surface:
        Surface::Host => [Surface::Host],
        Surface::OtherProcess => [Surface::OtherProcess],
        Surface::Tool => [Surface::Tool],
        Surface::McpClient => [Surface::McpClient],
    }
}

fn answered(surface: Surface, by: Principal, rule: Option<&str>) -> AuditEvent {
    AuditEvent::Answered {
        request: request(),
        kind: RequestKind::Permission,
        shows: "cargo test".into(),
        digest: Some(digest()),
        yes: true,
        always: surface == Surface::Host,
        rule: rule.map(str::to_owned),
        by,
        surface,
    }
}

fn events() -> Vec<AuditEvent> {
    let member = Principal::Member {
        member: name("lead"),
        incarnation: Incarnation::FIRST,
    };
    every! { AuditEvent:
        AuditEvent::Opened { .. } => [None, Some("/etc/teammate/policy.toml".to_owned())].map(|policy| AuditEvent::Opened {
            version: "0.1.0".into(),
            workspace: "/home/me/work".into(),
            mode: Mode::Ask,
            sandbox: "full".into(),
            policy,
        }),
        AuditEvent::Closed => [AuditEvent::Closed],
        AuditEvent::Allowed { .. } => allowances()
            .into_iter()
            .map(|by| AuditEvent::Allowed { action: action(), by })
            .collect::<Vec<_>>(),
        AuditEvent::Refused { .. } => [AuditEvent::Refused { action: action(), why: "Not run: no.".into() }],
        AuditEvent::HookRefused { .. } => [AuditEvent::HookRefused {
            hook: "TaskCompleted".into(),
            shows: "#7 Write the parser".into(),
            why: "[./check.sh]: the tests fail".into(),
        }],
        AuditEvent::Ended { .. } => [Some(0), None].map(|exit| AuditEvent::Ended {
            call: "alice/1/2/c1".into(),
            tool: "bash".into(),
            ok: exit.is_some(),
            exit,
            took_ms: 12,
        }),
        AuditEvent::JobEnded { .. } => job_ends()
            .into_iter()
            .map(|end| AuditEvent::JobEnded {
                job: job("b1"),
                title: "cargo watch".into(),
                exit: Some(1),
                end,
            })
            .collect::<Vec<_>>(),
        AuditEvent::Answered { .. } => surfaces()
            .into_iter()
            .zip([
                Principal::User,
                Principal::System,
                member.clone(),
                Principal::User,
            ])
            .map(|(surface, by)| answered(surface, by, None))
            .chain([answered(
                Surface::Host,
                Principal::User,
                Some("bash(cargo test *)"),
            )])
            .collect::<Vec<_>>(),
        AuditEvent::ModeChosen { .. } => [AuditEvent::ModeChosen { mode: Mode::Bypass, before: Mode::Ask }],
        AuditEvent::Trusted { .. } => [AuditEvent::Trusted { what: "rules".into() }],
        AuditEvent::Purged { .. } => [AuditEvent::Purged { what: "outputs of commands: 2".into() }],
    }
}

#[test]
fn entries_of_the_audit_log() {
    let entry = |what| AuditEntry {
        at: Timestamp(1_700_000_000_000),
        pid: 42,
        member: Some(name("alice")),
        what,
    };
    let mut entries: Vec<AuditEntry> = events().into_iter().map(entry).collect();
    entries[0].member = None;
    same_lines("audit-1.jsonl", &entries);
}

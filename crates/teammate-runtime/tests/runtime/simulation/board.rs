//! What must hold of the board when a simulated team is idle, told from its journal and the transcripts.

use std::collections::{BTreeMap, BTreeSet};

use teammate_core::{
    MemberName, Message, MessageId, Sender, Timestamp,
    board::{NUDGES_MAX, TaskEvent, TaskId, TaskStatus},
    port::Record,
    team::{MemberPhase, TeamEvent, TeamState},
    transcript::{EndReason, Entry},
};

use crate::simulation::check::{Transcripts, heard};

/// Everything about the board.
pub(crate) fn holds(records: &[Record], team: &TeamState, transcripts: &Transcripts) {
    one_hand_each(records);
    claims_are_heard(records, transcripts);
    nothing_is_left(team, transcripts);
    lead_heard(records, team, &transcripts[&MemberName::lead()]);
}

fn events(records: &[Record]) -> impl Iterator<Item = (&TeamEvent, Timestamp)> {
    records
        .iter()
        .flat_map(|record| record.events.iter().map(|event| (event, record.at)))
}

/// Each task is claimed while nobody has it, by somebody who has nothing, in the order of its leases; and only what is in
/// somebody's hand is renewed or reminded of.
fn one_hand_each(records: &[Record]) {
    let mut hands: BTreeMap<TaskId, MemberName> = BTreeMap::new();
    let mut claims: BTreeMap<TaskId, u32> = BTreeMap::new();
    let mut done: BTreeSet<TaskId> = BTreeSet::new();
    let mut blocked_by: BTreeMap<TaskId, BTreeSet<TaskId>> = BTreeMap::new();
    for (event, _) in events(records) {
        let TeamEvent::Task { task, change } = event else {
            continue;
        };
        match change {
            TaskEvent::Claimed { by, claim, .. } => {
                assert!(!hands.values().any(|owner| owner == by), "{by} has two");
                assert_eq!(
                    hands.insert(*task, by.clone()),
                    None,
                    "{task} is claimed twice"
                );
                let earlier = claims.insert(*task, *claim).unwrap_or_default();
                assert_eq!(*claim, earlier + 1, "{task}");
            }
            TaskEvent::Renewed { .. } | TaskEvent::Nudged => {
                assert!(hands.contains_key(task), "{task}: {change:?}");
                continue;
            }
            TaskEvent::Created { blocked_by: by, .. } => {
                let earlier = blocked_by.insert(*task, by.clone());
                assert_eq!(earlier, None, "{task} is made twice");
            }
            TaskEvent::Edited {
                add_blocked_by,
                remove_blocked_by,
                ..
            } => {
                let blockers = blocked_by.entry(*task).or_default();
                blockers.extend(add_blocked_by);
                blockers.retain(|id| !remove_blocked_by.contains(id));
                continue;
            }
            TaskEvent::CheckFailed { .. } => continue,
            TaskEvent::Completed { by, .. } => {
                if let (Sender::Member(by), false) = (by, by == &Sender::Member(MemberName::lead()))
                {
                    assert_eq!(
                        hands.get(task),
                        Some(by),
                        "{task} is completed by who has it"
                    );
                }
                hands.remove(task);
            }
            TaskEvent::Assigned { .. }
            | TaskEvent::Released { .. }
            | TaskEvent::Failed { .. }
            | TaskEvent::Reopened { .. } => {
                hands.remove(task);
            }
            TaskEvent::Deleted { .. } => {
                hands.remove(task);
                for blockers in blocked_by.values_mut() {
                    blockers.remove(task);
                }
            }
        }
        if matches!(
            change,
            TaskEvent::Claimed { .. } | TaskEvent::Completed { .. }
        ) {
            assert!(
                blocked_by[task].is_subset(&done),
                "{task} is blocked: {change:?}"
            );
        }
        if matches!(change, TaskEvent::Completed { .. }) {
            done.insert(*task);
        } else {
            done.remove(task);
        }
    }
}

/// Nobody hears the assignment of a claim that is not its own, or one of them twice; who has a claim in the end knows of it.
fn claims_are_heard(records: &[Record], transcripts: &Transcripts) {
    let mut team = TeamState::default();
    let mut owners: BTreeMap<MessageId, MemberName> = BTreeMap::new();
    for (event, at) in events(records) {
        team.apply(event, at);
        let TeamEvent::Task { task, change } = event else {
            continue;
        };
        let task = team.board().task(*task).unwrap();
        if let TaskEvent::Claimed { by, .. } = change {
            owners.insert(team.task_assignment_id(task).unwrap(), by.clone());
        }
        if let (TaskEvent::Nudged, Some(owner)) = (change, task.holder()) {
            owners.insert(team.nudge_id(task).unwrap(), owner.clone());
        }
    }
    for (name, entries) in transcripts {
        for mail in heard(entries).filter(|mail| mail.metadata.task.is_some()) {
            assert_eq!(owners.get(&mail.id), Some(name), "{}", mail.content);
        }
    }
    // That nobody hears anything twice is checked for all mail.
}

/// No claimable task is left, and every idle member with a task in progress has had its reminders.
fn nothing_is_left(team: &TeamState, transcripts: &Transcripts) {
    assert_eq!(
        team.members_to_wake(),
        [] as [MemberName; 0],
        "nobody is called and does not come"
    );
    let is_willing = |phase: &MemberPhase| {
        let done = EndReason::Done;
        matches!(phase, MemberPhase::Idle { why, .. } if *why == done)
    };
    let willing: Vec<_> = team
        .teammates()
        .filter(|member| is_willing(&member.phase) && !member.gate.is_closed())
        .collect();
    for task in team.board().tasks() {
        match &task.status {
            TaskStatus::InProgress { owner, nudges, .. } if !owner.is_lead() => {
                let is_theirs = |member: &&&teammate_core::team::Member| member.name == *owner;
                let Some(owner) = willing.iter().find(is_theirs) else {
                    continue;
                };
                assert_eq!(*nudges, NUDGES_MAX, "{} rests with {}", owner.name, task.id);
                let id = team.task_assignment_id(task).unwrap();
                let times = heard_times(&transcripts[&owner.name], &id);
                assert_eq!(times, 1, "{} heard of {}", owner.name, task.id);
            }
            TaskStatus::Pending { assigned } if team.board().open_blockers(task).is_empty() => {
                let could = willing.iter().find(|member| {
                    let is_free = team.board().task_of(&member.name).is_none();
                    let is_meant = assigned.as_ref().is_none_or(|to| *to == member.name);
                    is_free && is_meant && task.is_for(member)
                });
                assert_eq!(
                    could.map(|member| &member.name),
                    None,
                    "could take {}",
                    task.id
                );
            }
            TaskStatus::Pending { .. }
            | TaskStatus::InProgress { .. }
            | TaskStatus::Completed { .. }
            | TaskStatus::Failed { .. }
            | TaskStatus::Deleted => {}
        }
    }
}

/// The lead heard one notice for each reported version, and the last version was reported.
fn lead_heard(records: &[Record], team: &TeamState, lead: &[Entry]) {
    assert!(
        !team.is_board_notice_due(),
        "the lead does not know how the board stands"
    );
    let told: BTreeSet<u64> = events(records)
        .filter_map(|(event, _)| match event {
            TeamEvent::BoardReported { changes } => Some(*changes),
            _ => None,
        })
        .collect();
    for changes in &told {
        let id = MessageId::derived(team.id(), &format!("board/{changes}"));
        assert_eq!(heard_times(lead, &id), 1, "version {changes} of the board");
    }
}

fn heard_times(entries: &[Entry], id: &MessageId) -> usize {
    heard(entries)
        .filter(|mail: &&Message| mail.id == *id)
        .count()
}

//! What a board holds in the end, against what was said of it.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

use teammate_core::{
    MemberName,
    board::{TaskEvent, TaskId},
    team::TeamEvent,
};

use super::{Answers, Design, worker};
use crate::torture::verdict::Verdict;

/// Adds a round. No worker may be alive.
pub(super) fn take(
    design: Design,
    root: &Path,
    told: &[(String, String)],
    verdict: &mut Verdict,
) -> Result<(), String> {
    verdict.acknowledged += told.len() as u64;
    let mut claims = BTreeMap::new();
    for (name, line) in told.iter().filter(|(_, line)| line.starts_with("claimed")) {
        if let Some(other) = claims.insert(line, name) {
            verdict
                .doubled
                .push(format!("'{line}' by {other} and {name}"));
        }
    }
    let held: BTreeSet<String> = match design {
        Design::Journal => {
            let (happened, doubled) = read(&worker::history(root)?);
            verdict.doubled.extend(doubled);
            verdict.heard += happened.len() as u64;
            let missing = told.iter().filter(|one| !happened.contains(*one));
            verdict
                .lost
                .extend(missing.map(|(name, line)| format!("'{line}' by {name}")));
            return Ok(());
        }
        Design::File => {
            let lines = worker::lines(root).map_err(|error| error.to_string())?;
            let done = lines.iter().enumerate().filter(|(_, line)| *line == "done");
            done.map(|(at, _)| format!("completed {} 1", at + 1))
                .collect()
        }
    };
    verdict.heard += held.len() as u64;
    let missing = told
        .iter()
        .filter(|(_, line)| line.starts_with("completed") && !held.contains(line));
    verdict
        .lost
        .extend(missing.map(|(name, line)| format!("'{line}' by {name}")));
    Ok(())
}

/// What happened, in the words of those who did it; and which tasks were in two hands.
fn read(history: &[TeamEvent]) -> (Answers, Vec<String>) {
    let mut hands: BTreeMap<TaskId, (MemberName, u32)> = BTreeMap::new();
    let (mut happened, mut doubled) = (Answers::new(), Vec::new());
    for event in history {
        let TeamEvent::Task { task, change } = event else {
            continue;
        };
        match change {
            TaskEvent::Claimed { by, claim, .. } => {
                if hands.values().any(|(owner, _)| owner == by) {
                    doubled.push(format!("{by} has two tasks, {task} is one"));
                }
                happened.insert((by.to_string(), format!("claimed {} {claim}", task.number())));
                if let Some((other, _)) = hands.insert(*task, (by.clone(), *claim)) {
                    doubled.push(format!("{task} by {other} and {by}"));
                }
            }
            TaskEvent::Completed { .. } => match hands.remove(task) {
                Some((by, claim)) => {
                    happened.insert((
                        by.to_string(),
                        format!("completed {} {claim}", task.number()),
                    ));
                }
                None => doubled.push(format!("{task} is completed and nobody had it")),
            },
            TaskEvent::Assigned { .. }
            | TaskEvent::Released { .. }
            | TaskEvent::Failed { .. }
            | TaskEvent::Reopened { .. }
            | TaskEvent::Deleted { .. } => {
                hands.remove(task);
            }
            TaskEvent::Created { .. }
            | TaskEvent::Edited { .. }
            | TaskEvent::Renewed { .. }
            | TaskEvent::Nudged
            | TaskEvent::CheckFailed { .. } => {}
        }
    }
    (happened, doubled)
}

#[cfg(test)]
mod tests {
    use teammate_core::{Incarnation, Sender};

    use super::*;

    fn event(task: u32, change: TaskEvent) -> TeamEvent {
        let task = TaskId::new(task);
        TeamEvent::Task { task, change }
    }

    fn claimed(task: u32, by: &str, claim: u32) -> TeamEvent {
        let by = MemberName::teammate(by).expect("a name");
        let incarnation = Incarnation::FIRST;
        event(
            task,
            TaskEvent::Claimed {
                by,
                incarnation,
                claim,
            },
        )
    }

    fn completed(task: u32) -> TeamEvent {
        let (by, result) = (Sender::System, String::new());
        event(
            task,
            TaskEvent::Completed {
                by,
                result,
                evidence: None,
            },
        )
    }

    #[test]
    fn each_fault_is_seen() {
        let faults = |history: &[TeamEvent]| read(history).1.len();
        assert_eq!(
            faults(&[claimed(1, "a", 1), completed(1), claimed(2, "a", 1)]),
            0
        );
        assert_eq!(faults(&[claimed(1, "a", 1), claimed(1, "b", 2)]), 1);
        assert_eq!(faults(&[claimed(1, "a", 1), claimed(2, "a", 1)]), 1);
        assert_eq!(faults(&[completed(1)]), 1);
        let (happened, _) = read(&[claimed(1, "a", 1), completed(1)]);
        assert!(happened.contains(&("a".to_owned(), "completed 1 1".to_owned())));
    }
}

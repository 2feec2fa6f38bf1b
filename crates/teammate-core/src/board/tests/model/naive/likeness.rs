//! What of the naive board can be compared with the real one.

use super::{super::member, *};

impl Naive {
    pub(in super::super) fn has_news(&self) -> bool {
        self.told < self.stirred
    }

    /// Counts as the notice does.
    pub(in super::super) fn hears(&mut self, event: &TeamEvent) {
        match event {
            TeamEvent::Task { change, .. } => {
                self.changes += 1;
                let is_theirs = match change.by() {
                    Some(by) => by == Sender::User || by == Sender::Member(MemberName::lead()),
                    None => false,
                };
                if !is_theirs {
                    self.stirred = self.changes;
                }
            }
            TeamEvent::TurnEnded { member, .. } | TeamEvent::Stopped { member, .. }
                if !member.is_lead() =>
            {
                self.stirred = self.changes;
            }
            TeamEvent::BoardReported { changes } => self.told = self.told.max(*changes),
            _ => {}
        }
    }

    /// Compares all that can be seen.
    pub(in super::super) fn is_like(&self, team: &TeamState) {
        let board = team.board();
        let mut progress = Progress::default();
        assert_eq!(board.all_with_deleted().count(), self.items.len());
        for item in &self.items {
            let task = board.task(id(item.number)).unwrap();
            let blocked_by: BTreeSet<u32> = task.blocked_by.iter().map(|id| id.number()).collect();
            assert_eq!(blocked_by, item.blocked_by, "{item:?}");
            let waits = |other: &&Item| other.blocked_by.contains(&item.number);
            let blocks: BTreeSet<TaskId> = self
                .items
                .iter()
                .filter(waits)
                .map(|other| id(other.number))
                .collect();
            assert_eq!(task.blocks, blocks, "{item:?}");
            assert_eq!(
                (task.claims, task.setbacks),
                (item.claims, item.setbacks),
                "{item:?}"
            );
            assert!(
                self.stands(team, &task.status, item),
                "{item:?}: {:?}",
                task.status
            );
            match item.at {
                At::Pending(_) => progress.pending += 1,
                At::Hand { .. } => progress.in_progress += 1,
                At::Done(_) => progress.completed += 1,
                At::Failed => progress.failed += 1,
                At::Deleted => {}
            }
        }
        assert_eq!(board.progress(), progress);
        let mut busy = 0;
        for who in 0..MEMBERS {
            let name = member(who);
            let known = team.member(&name).unwrap();
            let held = self.all_held(who);
            assert!(held.len() <= 1, "{name} has {held:?} in hand");
            assert_eq!(
                board.task_of(&name).map(|task| task.id.number()),
                held.first().copied()
            );
            let of = |ids: Vec<TaskId>| ids.into_iter().map(TaskId::number).collect::<Vec<_>>();
            assert_eq!(
                of(board.index.ready(known).collect()),
                self.ready(None, who)
            );
            let assigned = board
                .index
                .assigned(&name)
                .filter(|id| board.task(*id).unwrap().is_for(known));
            assert_eq!(of(assigned.collect()), self.ready(Some(who), who));
            busy += held.len();
        }
        assert_eq!(busy, progress.in_progress, "a task is in one hand");
        assert_eq!(names(&team.members_to_wake()), self.called());
    }

    fn stands(&self, team: &TeamState, state: &TaskStatus, item: &Item) -> bool {
        let sender = |who: usize| match who {
            USER => Sender::User,
            who => Sender::Member(member(who)),
        };
        match (state, &item.at) {
            (TaskStatus::Pending { assigned }, At::Pending(to)) => *assigned == to.map(member),
            (
                TaskStatus::InProgress {
                    owner,
                    lease,
                    checks,
                    nudges,
                },
                At::Hand {
                    who,
                    checks: c,
                    nudges: n,
                },
            ) => {
                let known = team.member(owner).unwrap();
                *owner == member(*who)
                    && (checks, nudges) == (c, n)
                    && lease.incarnation == known.incarnation
                    && lease.claim == item.claims
            }
            (TaskStatus::Completed { by, .. }, At::Done(who)) => *by == sender(*who),
            (TaskStatus::Failed { .. }, At::Failed) | (TaskStatus::Deleted, At::Deleted) => true,
            _ => false,
        }
    }

    fn called(&self) -> Vec<String> {
        let (mut given, mut called) = (BTreeSet::new(), Vec::new());
        for who in 1..MEMBERS {
            if !matches!(self.people[who].doing, Doing::Idle(EndReason::Done, _)) {
                continue;
            }
            let task = match self.held(who) {
                Some(held) => match self.items[held as usize - 1].at {
                    At::Hand { nudges, .. } if nudges < NUDGES_MAX => Some(held),
                    _ => None,
                },
                None => {
                    let mut ready = self.ready(Some(who), who);
                    ready.extend(self.ready(None, who));
                    ready.into_iter().find(|task| !given.contains(task))
                }
            };
            if let Some(task) = task {
                given.insert(task);
                called.push(member(who).to_string());
            }
        }
        called
    }
}

fn names(members: &[MemberName]) -> Vec<String> {
    members.iter().map(ToString::to_string).collect()
}

//! Holds back the members that an answer spawns until the answer's other calls to the team have run: the tasks that it puts on
//! the board are there when they begin. Nothing of it is kept; after a crash a member begins at once.

use std::{collections::HashMap, sync::Mutex};

use teammate_core::{MemberName, board::TaskId, lock::Hold};
use tokio::sync::watch;

/// The lead's answer, as far as members wait for it. Only the lead spawns, so there is one.
pub(crate) struct SpawnHold {
    /// The first task that this answer can make; `None` if nothing is held back.
    answer: watch::Sender<Option<TaskId>>,
    /// The members that it spawned and that have not begun, with that answer's first task.
    spawned: Mutex<HashMap<MemberName, TaskId>>,
}

impl SpawnHold {
    pub(super) fn new() -> Self {
        Self {
            answer: watch::Sender::new(None),
            spawned: Mutex::default(),
        }
    }

    /// The lead's answer begins to call the team, or goes on; `next` is the first task that it can make.
    pub(crate) fn hold(&self, next: TaskId) {
        self.answer.send_if_modified(|answer| {
            let is_new = answer.is_none();
            answer.get_or_insert(next);
            is_new
        });
    }

    /// The answer's calls to the team have run, or one of them waits for others: the members that were held back begin.
    pub(crate) fn release(&self) {
        self.answer
            .send_if_modified(|answer| answer.take().is_some());
    }

    /// The answer spawns this member.
    pub(crate) fn add(&self, name: &MemberName) {
        if let Some(first) = *self.answer.borrow() {
            self.spawned.hold().insert(name.clone(), first);
        }
    }

    /// Resolves when a member may begin; with the first task that the answer could make by which it was spawned, if it was held
    /// back.
    pub(crate) async fn until_released(&self, name: &MemberName) -> Option<TaskId> {
        let first = self.spawned.hold().remove(name)?;
        // It is never closed while a member holds the base.
        let _ = self.answer.subscribe().wait_for(Option::is_none).await;
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn members_begin_when_the_answer_that_spawned_them_has_run() {
        let task = TaskId::new;
        let [bob, eve] = ["bob", "eve"].map(|name| MemberName::teammate(name).unwrap());
        let hold = SpawnHold::new();
        hold.add(&eve);
        assert_eq!(hold.until_released(&eve).await, None);

        hold.hold(task(3));
        hold.hold(task(4));
        hold.add(&bob);
        let mut waits = std::pin::pin!(hold.until_released(&bob));
        tokio::select! {
            biased;
            _ = &mut waits => panic!("it did not wait"),
            () = std::future::ready(()) => hold.release(),
        }
        assert_eq!(waits.await, Some(task(3)));
        assert_eq!(hold.until_released(&bob).await, None);
    }
}

//! Saves one member's work while its loop goes on: each minute of a turn, and at the turn's end, when it is delivered as well. It
//! has no timer while the member idles, and keeps nobody waiting but the end of the loop.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    MemberName,
    port::{LeftOut, SavedWork},
    team::{Command, PlaceCommand},
};
use tokio::{
    sync::watch,
    task::JoinHandle,
    time::{Instant, sleep_until, timeout},
};

use super::carried::Carried;
use crate::base::Base;

/// How long work goes unsaved while a turn runs.
const BETWEEN_SAVES: Duration = Duration::from_secs(60);
/// How long the end of a loop waits for the last save.
const LAST_SAVE: Duration = Duration::from_secs(30);

/// Saves in a task of its own; dropped, it saves once more if there is something, and ends.
pub(crate) struct WorkSaver {
    base: Arc<Base>,
    member: MemberName,
    turns: watch::Sender<Turns>,
    task: JoinHandle<()>,
}

/// The known turns of the member.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Turns {
    ended: u64,
    is_running: bool,
}

impl WorkSaver {
    /// Nothing where the member's work stays on this machine.
    pub(crate) fn of(base: &Arc<Base>, member: &MemberName) -> Option<Self> {
        let carried = Carried::of(base, member)?;
        let (turns, seen) = watch::channel(Turns::default());
        let saving = Saving {
            base: base.clone(),
            carried,
            last_notes: LastNotes::default(),
        };
        Some(Self {
            base: base.clone(),
            member: member.clone(),
            turns,
            task: tokio::spawn(saving.run(seen)),
        })
    }

    pub(crate) fn turn_began(&self) {
        self.turns.send_modify(|turns| turns.is_running = true);
    }

    pub(crate) fn turn_ended(&self) {
        self.turns.send_modify(|turns| {
            turns.is_running = false;
            turns.ended += 1;
        });
    }

    /// Waits for the last save, but not for long.
    pub(crate) async fn finish(self) {
        drop(self.turns);
        if timeout(LAST_SAVE, self.task).await.is_err() {
            let seconds = LAST_SAVE.as_secs();
            let text =
                format!("the last save of its work takes longer than {seconds} s and goes on");
            self.base.feed.note(&self.member, text);
        }
    }
}

struct Saving {
    base: Arc<Base>,
    carried: Carried,
    last_notes: LastNotes,
}

/// The last notes, so that none is repeated each minute.
#[derive(Default)]
struct LastNotes {
    error: Option<String>,
    left_out: Vec<LeftOut>,
}

impl Saving {
    async fn run(mut self, mut seen: watch::Receiver<Turns>) {
        let mut delivered = 0;
        loop {
            let turns = *seen.borrow_and_update();
            if turns.ended > delivered {
                delivered = turns.ended;
                if let Some(saved) = self.save().await {
                    self.deliver(saved).await;
                }
                continue;
            }
            let next = Instant::now() + BETWEEN_SAVES;
            tokio::select! {
                changed = seen.changed() => if changed.is_err() {
                    // The loop has ended, perhaps in the middle of a turn.
                    if turns.is_running {
                        self.save().await;
                    }
                    return;
                },
                () = sleep_until(next), if turns.is_running => {
                    self.save().await;
                }
            }
        }
    }

    async fn save(&mut self) -> Option<SavedWork> {
        match self.carried.transfer.save(&self.carried.work()).await {
            Ok(saved) => {
                self.last_notes.error = None;
                if self.last_notes.left_out != saved.left_out {
                    self.last_notes.left_out.clone_from(&saved.left_out);
                    self.note_left_out(&saved.left_out);
                }
                Some(saved)
            }
            Err(error) => {
                let text = format!("its work was not saved for other machines: {error}");
                if self.last_notes.error.as_ref() != Some(&text) {
                    self.note(text.clone());
                    self.last_notes.error = Some(text);
                }
                None
            }
        }
    }

    fn note_left_out(&self, left_out: &[LeftOut]) {
        if !left_out.is_empty() {
            self.note(format!(
                "not saved for other machines: {}",
                LeftOut::list(left_out)
            ));
        }
    }

    /// Records the commit, if it is another than the last. A member that was moved meanwhile has delivered nothing.
    async fn deliver(&self, saved: SavedWork) {
        let deliver = PlaceCommand::Deliver {
            by: self.carried.holding.clone(),
            commit: saved.commit,
        };
        if let Err(error) = self.base.ledger.decide(Command::Place(deliver)).await {
            self.note(format!("its work was not recorded as delivered: {error}"));
        }
    }

    fn note(&self, text: String) {
        self.base.feed.note(&self.carried.holding.member, text);
    }
}

//! Writes down what users and other programs read while a team runs: its events, and the views: `config.json`, a file for
//! each task, and one for each plan.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use crate::ownership::Proof;
use teammate_core::{
    contained::{BUGS_MAX, contained, may_fail_here},
    lock::Hold,
    port::{Clock, Disk, Durability, EventStore},
    team::TeamState,
};
use teammate_runtime::{EventFeed, Host};
use teammate_store::{files::TeamDir, view_files};
use tokio::{
    sync::{Notify, watch},
    task::JoinHandle,
};

/// Events within this time are written together: each write wakes a thread, and no reader is faster.
const EVENTS_PAUSE: Duration = Duration::from_millis(20);

/// Changes of the team within this time are written as one.
const VIEW_PAUSE: Duration = Duration::from_millis(50);

/// How far the logs went is written down so long after a change: what a crash then leaves unremembered cannot be missed.
const HEADS_PAUSE: Duration = Duration::from_secs(1);

/// Writes the views of a team.
type WriteView = Arc<dyn Fn(&Arc<TeamState>) + Send + Sync>;

/// The tasks that keep them.
pub(crate) struct Recorder {
    proof: Proof,
    heads: JoinHandle<()>,
    events: JoinHandle<()>,
    flush_now: Arc<Notify>,
    view: JoinHandle<()>,
    stop_view_files: Arc<Notify>,
    write_view: WriteView,
}

impl Recorder {
    pub(crate) fn start(
        host: &Host,
        log: Arc<dyn EventStore>,
        (disk, dir): (&Arc<dyn Disk>, &TeamDir),
        clock: &Arc<dyn Clock>,
        proof: Proof,
    ) -> Self {
        let write_view = {
            let (disk, dir, clock) = (disk.clone(), dir.clone(), clock.clone());
            let shown = Mutex::new(Arc::<TeamState>::default());
            Arc::new(move |team: &Arc<TeamState>| {
                // A view that cannot be written is out of date, and nothing else: it is never read back.
                let _ = view_files::write_config(&*disk, &dir, team, clock.now(), Durability::Lazy);
                let mut shown = shown.hold();
                let tasks = view_files::write_tasks(&*disk, &dir, shown.board(), team.board());
                let plans =
                    view_files::write_plans(&*disk, &dir, shown.requests(), team.requests());
                if tasks.is_ok() && plans.is_ok() {
                    *shown = team.clone();
                }
            })
        };
        let (hurry, view_ends) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
        Self {
            heads: tokio::spawn(keep_heads(host.team_changes(), proof.clone())),
            proof,
            events: tokio::spawn(record_events(host.events(), hurry.clone(), log)),
            flush_now: hurry,
            view: tokio::spawn(record_view_files(
                host.team_changes(),
                view_ends.clone(),
                write_view.clone(),
            )),
            stop_view_files: view_ends,
            write_view,
        }
    }

    /// The proof of the records of the team that is kept.
    pub(crate) fn proof(&self) -> Proof {
        self.proof.clone()
    }

    /// After the host was closed: writes what is left. `team` is how it ended.
    pub(crate) async fn finish(self, team: TeamState) {
        self.heads.abort();
        let _ = self.heads.await;
        // If this is not stored, its later loss goes unnoticed; nothing else breaks.
        let _ = self.proof.remember();
        // The feed has ended, so the task ends once everything is written.
        self.flush_now.notify_one();
        let _ = self.events.await;
        // Not aborted: what it is writing must not come after what is written here.
        self.stop_view_files.notify_one();
        let _ = self.view.await;
        (self.write_view)(&Arc::new(team));
    }
}

async fn record_events(mut feed: EventFeed, hurry: Arc<Notify>, log: Arc<dyn EventStore>) {
    for _ in 0..BUGS_MAX {
        let record = record_all(&mut feed, &hurry, &*log);
        if contained("the event log", record).await.is_ok() {
            return;
        }
    }
}

async fn record_all(feed: &mut EventFeed, hurry: &Notify, log: &dyn EventStore) {
    let pieces = log.pieces();
    while let Some(first) = feed.next().await {
        may_fail_here("events");
        // The notice stays for the rounds after it.
        if tokio::time::timeout(EVENTS_PAUSE, hurry.notified())
            .await
            .is_ok()
        {
            hurry.notify_one();
        }
        let mut events = Vec::new();
        let mut next = Some(first);
        while let Some(event) = next {
            match (event.what.is_piece(), &pieces) {
                (false, _) => events.push(event),
                (true, Some(pieces)) => pieces.emit(&event).await,
                (true, None) => {}
            }
            next = feed.try_next();
        }
        // The log is for the user: losing a line of it must not stop a team.
        let _ = log.append(&events).await;
    }
}

async fn keep_heads(mut changes: watch::Receiver<Arc<TeamState>>, proof: Proof) {
    while changes.changed().await.is_ok() {
        tokio::time::sleep(HEADS_PAUSE).await;
        changes.borrow_and_update();
        let proof = proof.clone();
        let _ = tokio::task::spawn_blocking(move || proof.remember()).await;
    }
}

async fn record_view_files(
    mut changes: watch::Receiver<Arc<TeamState>>,
    ends: Arc<Notify>,
    write: WriteView,
) {
    loop {
        let (team, write) = (changes.borrow_and_update().clone(), write.clone());
        let _ = tokio::task::spawn_blocking(move || write(&team)).await;
        let pause = async {
            let changed = changes.changed().await;
            tokio::time::sleep(VIEW_PAUSE).await;
            changed
        };
        tokio::select! {
            changed = pause => if changed.is_err() { return },
            () = ends.notified() => return,
        }
    }
}

//! Facts for a screen or prompt: from the running team's own feed, or from the files of another process's.

mod outside;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use teammate::{
    EventFeed, Happening, Team, TeamError, TeamHistory,
    contained::{BUGS_MAX, contained, may_fail_here},
};
use teammate_view::{Fact, KeptEntries, TeamView};
use tokio::{sync::mpsc, task::JoinHandle};

pub(super) use self::outside::of_files;

/// How many facts may wait for a screen. What brings more waits then: the feed leaves out pieces of answers meanwhile, and the files
/// wait to be read.
const FACTS_MAX: usize = 1024;

/// The facts that a screen begins with, and those that come after.
pub(super) struct Facts {
    pub(super) first: TeamView,
    pub(super) next: mpsc::Receiver<Fact>,
    /// Ends with the team's feed, or when it is aborted.
    pub(super) pump: JoinHandle<()>,
}

fn fact(happening: Happening) -> Fact {
    match happening {
        Happening::Record(record) => Fact::Record(record),
        Happening::Event(event) => Fact::Event(event),
    }
}

/// Folds everything that is known and was not read yet into a view.
pub(super) async fn fold_all(history: &mut TeamHistory) -> Result<TeamView, TeamError> {
    fold_each(history, |_| ()).await
}

/// Folds everything, with every entry of every conversation, and all mail.
pub(super) async fn fold_whole(history: &mut TeamHistory) -> Result<TeamView, TeamError> {
    fold_into(TeamView::keeping(KeptEntries::All), history, |_| ()).await
}

/// Folds everything, with a look at the view after each fact.
pub(super) async fn fold_each(
    history: &mut TeamHistory,
    see: impl FnMut(&TeamView) + Send,
) -> Result<TeamView, TeamError> {
    fold_into(TeamView::default(), history, see).await
}

async fn fold_into(
    mut view: TeamView,
    history: &mut TeamHistory,
    mut see: impl FnMut(&TeamView) + Send,
) -> Result<TeamView, TeamError> {
    let fold = |happening| {
        view.apply(&fact(happening));
        see(&view);
    };
    history.read_each(fold).await?;
    Ok(view)
}

/// Everything that is known and was not read yet.
#[cfg(any(feature = "tui", feature = "web", test))]
pub(super) async fn read_all(history: &mut TeamHistory) -> Result<Vec<Fact>, TeamError> {
    let read = history.read_on().await?;
    Ok(read.into_iter().map(fact).collect())
}

/// Of a team that this process runs.
pub(super) async fn of_host(team: &Team) -> Result<Facts, TeamError> {
    let feed = team.events();
    let mut changes = team.changes();
    let mut history = team.look().await?.history();
    let (mut first, mut next_event) = (TeamView::default(), 0);
    let fold = |happening: Happening| {
        if let Happening::Event(event) = &happening {
            next_event = event.n.map_or(next_event, |number| number + 1);
        }
        first.apply(&fact(happening));
    };
    history.read_each(fold).await?;
    let (sender, next) = mpsc::channel(FACTS_MAX);
    changes.mark_changed();
    let mut pump = HostPump {
        feed,
        next_event,
        changes,
        history,
        sender,
    };
    let pump = tokio::spawn(async move {
        for _ in 0..BUGS_MAX {
            if contained("the feed of a face", pump.run()).await.is_ok() {
                return;
            }
        }
    });
    Ok(Facts { first, next, pump })
}

struct HostPump {
    feed: EventFeed,
    /// The number of the first event that is not in the history that was read.
    next_event: u64,
    changes: tokio::sync::watch::Receiver<Arc<teammate::TeamState>>,
    history: TeamHistory,
    sender: mpsc::Sender<Fact>,
}

impl HostPump {
    async fn run(&mut self) {
        let Self {
            feed,
            next_event,
            changes,
            history,
            sender,
        } = self;
        pump_host(feed, *next_event, changes, history, sender).await;
    }
}

async fn pump_host(
    feed: &mut EventFeed,
    next_event: u64,
    changes: &mut tokio::sync::watch::Receiver<Arc<teammate::TeamState>>,
    history: &mut TeamHistory,
    sender: &mpsc::Sender<Fact>,
) {
    let mut has_changes = true;
    loop {
        let event = tokio::select! {
            changed = changes.changed(), if has_changes => {
                // The last events of a team that is closed are still to come.
                has_changes = changed.is_ok();
                if send_records(history, sender).await.is_err() {
                    return;
                }
                continue;
            }
            event = feed.next() => event,
        };
        let Some(event) = event else { return };
        may_fail_here("feed");
        if event.n.is_some_and(|number| number < next_event) {
            continue;
        }
        // What the journal had by then comes first.
        if changes.has_changed().unwrap_or(false) {
            changes.borrow_and_update();
            if send_records(history, sender).await.is_err() {
                return;
            }
        }
        if sender.send(Fact::Event(event)).await.is_err() {
            return;
        }
    }
}

async fn send_records(history: &mut TeamHistory, sender: &mpsc::Sender<Fact>) -> Result<(), ()> {
    // A journal that cannot be read just now is read again at the next change.
    for record in history.records_on().await.unwrap_or_default() {
        sender.send(Fact::Record(record)).await.map_err(|_| ())?;
    }
    Ok(())
}

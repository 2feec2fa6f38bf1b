//! A team that is looked at: one view, kept up to date, for all streams and questions of the page.

use std::{
    collections::HashMap,
    sync::{Arc, RwLock, RwLockReadGuard},
};

use teammate_core::{
    MemberName, Timestamp,
    contained::{contained_call, may_fail_here},
    event::EventKind,
    lock::HoldRw,
};
use teammate_view::{Door, Fact, TeamView, Timeline, Words};
use tokio::{
    sync::{Mutex, broadcast, watch},
    task::AbortHandle,
};

use crate::{OpenTeam, TeamFacts, Teams, beside::Beside, once::Once};

/// So many facts are taken at once before streams look.
const FACTS_AT_ONCE: usize = 512;

/// So many pieces of answers a stream may be behind before it is given all of it anew.
const PIECES_BEHIND: usize = 256;

/// The past is kept for so long after somebody has looked at it.
const PAST_KEPT_MILLIS: u64 = 60_000;

/// A piece of an answer that is on its way.
#[derive(Debug, Clone)]
pub(crate) struct AnswerPiece {
    pub(crate) member: MemberName,
    pub(crate) text: String,
}

/// A team, as all of the page sees it.
pub(crate) struct TeamFeed {
    pub(crate) door: Arc<dyn Door>,
    pub(crate) words: Arc<dyn Words + Send + Sync>,
    pub(crate) facts: TeamFacts,
    pub(crate) once: Once,
    view: RwLock<TeamView>,
    /// Counts changes of the view, pieces of text apart.
    changes: watch::Sender<u64>,
    pieces: broadcast::Sender<AnswerPiece>,
    /// With the moment at which somebody looked at it last.
    past: Mutex<Option<(Timeline, Timestamp)>>,
    pump: AbortHandle,
}

impl TeamFeed {
    fn begin(team: OpenTeam, teams: Arc<dyn Teams>, beside: &Beside) -> Arc<Self> {
        let feed = Arc::new(Self {
            door: team.door,
            words: team.words,
            facts: team.facts,
            once: Once::default(),
            view: RwLock::new(team.first),
            // A page that is started again counts on from a higher number.
            changes: watch::Sender::new(teams.now().0),
            pieces: broadcast::Sender::new(PIECES_BEHIND),
            past: Mutex::new(None),
            pump: team.pump,
        });
        let taking = Arc::downgrade(&feed);
        let mut next = team.next;
        beside.spawn("the feed of a page", async move {
            let mut facts = Vec::new();
            while next.recv_many(&mut facts, FACTS_AT_ONCE).await > 0 {
                let Some(feed) = taking.upgrade() else { return };
                // What one fact does must not keep the next from the page.
                let _ = contained_call("a fact of a page", || feed.take(&facts, &*teams));
                facts.clear();
            }
        });
        feed
    }

    fn take(&self, facts: &[Fact], teams: &dyn Teams) {
        may_fail_here("fact");
        let mut is_changed = false;
        {
            // A reader that panicked has changed nothing.
            let mut view = self.view.hold_write();
            for fact in facts {
                view.apply(fact);
                match fact {
                    Fact::Event(event) => match &event.what {
                        EventKind::Text { delta, .. } => {
                            let (member, text) = (event.member.clone(), delta.clone());
                            // Nobody may be listening.
                            let _ = self.pieces.send(AnswerPiece { member, text });
                        }
                        _ => is_changed = true,
                    },
                    Fact::Record(_) | Fact::HostEnded { .. } | Fact::Presence(_) => {
                        is_changed = true;
                    }
                    Fact::Clock(_) => {}
                }
            }
            view.apply(&Fact::Clock(teams.now()));
        }
        if is_changed {
            self.changes.send_modify(|count| *count += 1);
        }
    }

    /// The view as it is now. Hold it for no longer than it takes to read.
    pub(crate) fn view(&self) -> RwLockReadGuard<'_, TeamView> {
        self.view.hold_read()
    }

    /// The number of the last change.
    pub(crate) fn number(&self) -> u64 {
        *self.changes.borrow()
    }

    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    pub(crate) fn pieces(&self) -> broadcast::Receiver<AnswerPiece> {
        self.pieces.subscribe()
    }

    /// The result of `read` on the view after so many facts of the past, and how many there are. What was read is kept until
    /// nobody has looked at it for a while; somebody who goes beyond its end has it read anew.
    pub(crate) async fn past<T>(
        &self,
        at: usize,
        now: Timestamp,
        read: impl FnOnce(&Timeline) -> T,
    ) -> Result<T, String> {
        let mut past = self.past.lock().await;
        let known = past.take().map(|(timeline, _)| timeline);
        let mut timeline = match known.filter(|known| at <= known.len()) {
            Some(timeline) => timeline,
            None => Timeline::new(self.door.history().await?),
        };
        timeline.go_to(at);
        let (timeline, _) = past.insert((timeline, now));
        Ok(read(timeline))
    }

    /// Somebody looks at the present: perhaps nobody looks at the past any more.
    pub(crate) fn forget_past(&self, now: Timestamp) {
        if let Ok(mut past) = self.past.try_lock() {
            past.take_if(|(_, looked)| now.millis_since(*looked) > PAST_KEPT_MILLIS);
        }
    }
}

impl Drop for TeamFeed {
    fn drop(&mut self) {
        self.pump.abort();
    }
}

/// The teams that are looked at, each opened once.
pub(crate) struct Feeds {
    teams: Arc<dyn Teams>,
    beside: Arc<Beside>,
    open: Mutex<HashMap<String, Arc<TeamFeed>>>,
}

/// The most teams that are looked at at once.
const TEAMS_MAX: usize = 32;

impl Feeds {
    pub(crate) fn new(teams: Arc<dyn Teams>, beside: Arc<Beside>) -> Self {
        Self {
            teams,
            beside,
            open: Mutex::default(),
        }
    }

    pub(crate) fn teams(&self) -> &Arc<dyn Teams> {
        &self.teams
    }

    /// The team with this id.
    ///
    /// Errors: a sentence for the user.
    pub(crate) async fn get(&self, id: &str) -> Result<Arc<TeamFeed>, String> {
        let mut open = self.open.lock().await;
        if let Some(feed) = open.get(id) {
            return Ok(feed.clone());
        }
        if open.len() >= TEAMS_MAX {
            // Those that nobody looks at at the moment are opened again when somebody does.
            open.retain(|_, feed| Arc::strong_count(feed) > 1);
        }
        if open.len() >= TEAMS_MAX {
            return Err(format!(
                "{TEAMS_MAX} teams are open already: close some pages"
            ));
        }
        let feed = TeamFeed::begin(self.teams.open(id).await?, self.teams.clone(), &self.beside);
        open.insert(id.to_owned(), feed.clone());
        Ok(feed)
    }
}

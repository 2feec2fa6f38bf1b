//! Facts of a team that another process runs: from its files, and from its socket, which is ahead of the event log and has pieces
//! of answers besides.

mod pieces;
mod presence;

use std::{collections::VecDeque, sync::Arc};

use teammate::{
    Event, EventKind, Happening, HistoryWatch, LiveEvents, LivePlace, TeamClient, TeamError,
    TeamHistory,
    contained::{BUGS_MAX, contained, may_fail_here},
    platform::process_ends,
    store::SeenPresence,
};
use teammate_view::{Fact, TeamView};
use tokio::sync::mpsc;

use self::{pieces::PieceOrder, presence::SeenAgain};
use super::{FACTS_MAX, Facts, fact};

/// Of a team that another process runs.
pub(in crate::commands) async fn of_files(client: &TeamClient) -> Result<Facts, TeamError> {
    let mut history = client.history();
    let watch = history.watch();
    let place = client.live();
    // Before the log is read: what happens meanwhile comes by both.
    let live = place.connect().await;
    let (mut first, mut given) = (TeamView::default(), GivenFacts::default());
    let mut order = (!place.is_local()).then(PieceOrder::default);
    let fold = |happening: Happening| {
        given.has(&happening);
        if let (Some(order), Happening::Event(event)) = (&mut order, &happening) {
            // None waits yet.
            order.take(event);
        }
        first.apply(&fact(happening));
    };
    history.read_each(fold).await?;
    let seen = (!place.is_local()).then(|| {
        let seen = SeenPresence {
            holder: client.holder(),
            ..SeenPresence::default()
        };
        first.apply(&Fact::Presence(seen.clone()));
        SeenAgain::of(client.presence(), seen)
    });
    let (sender, next) = mpsc::channel(FACTS_MAX);
    let mut outside = Outside {
        history,
        sender,
        given,
        first_live: live.as_ref().map(LiveEvents::first),
        held: VecDeque::new(),
        order,
    };
    let host = client.host_process();
    // It ends when nobody looks any more.
    let pump = tokio::spawn(async move {
        let mut ways = Ways {
            watch,
            place,
            live,
            seen,
        };
        for _ in 0..BUGS_MAX {
            let pumped = outside.pump(&mut ways, host);
            if contained("the feed of a face", pumped).await.is_ok() {
                return;
            }
        }
    });
    Ok(Facts { first, next, pump })
}

/// Nobody takes facts any more.
struct Unread;

/// How this process hears of the others.
struct Ways {
    watch: HistoryWatch,
    place: LivePlace,
    live: Option<LiveEvents>,
    /// Of a team on servers.
    seen: Option<SeenAgain>,
}

/// How far it was read and given.
#[derive(Default)]
struct GivenFacts {
    /// How many records of the journal.
    records: u64,
    /// The number of the next event.
    next: u64,
    /// The process that has opened the team last.
    opener: Option<u32>,
}

impl GivenFacts {
    fn has(&mut self, happening: &Happening) {
        match happening {
            Happening::Record(record) => self.records = record.number + 1,
            Happening::Event(event) => {
                self.next = event.n.map_or(self.next, |number| number + 1);
                self.opener = opening(event).unwrap_or(self.opener);
            }
        }
    }

    /// Whether this event was given. A process that was killed may have given more than it had written: the next one counts on from
    /// what is in the log, and its opening is new whatever its number is.
    fn had(&self, event: &Event) -> bool {
        let is_counted = event.n.is_some_and(|number| number < self.next);
        is_counted && opening(event).is_none_or(|opener| opener == self.opener)
    }
}

/// The process that opens the team with this event, as far as it is known, if it is such an event.
fn opening(event: &Event) -> Option<Option<u32>> {
    match &event.what {
        EventKind::TeamOpened { pid, .. } => Some(*pid),
        _ => None,
    }
}

/// The facts given so far, and the next ones.
struct Outside {
    history: TeamHistory,
    sender: mpsc::Sender<Fact>,
    given: GivenFacts,
    /// From which number on the socket gives events; nothing without it.
    first_live: Option<u64>,
    /// Events of the log that the socket gives, too, in their place between pieces.
    held: VecDeque<Arc<Event>>,
    /// Where pieces come by another way than all other events.
    order: Option<PieceOrder>,
}

impl Outside {
    async fn pump(&mut self, ways: &mut Ways, mut host: Option<u32>) -> Result<(), Unread> {
        let Ways {
            watch,
            place,
            live,
            seen,
        } = ways;
        let mut end = Box::pin(process_ends(host));
        loop {
            tokio::select! {
                biased;
                event = next_live(live), if live.is_some() => match event {
                    Some(event) => self.take_live(event).await?,
                    None => {
                        *live = None;
                        self.give_held().await?;
                    }
                },
                () = watch.changed() => {
                    if let Some(opened) = self.read_on().await? {
                        host = opened.filter(|_| place.is_local());
                        end = Box::pin(process_ends(host));
                        *live = place.connect().await;
                        self.first_live = live.as_ref().map(LiveEvents::first);
                    }
                }
                found = seen_again(seen), if seen.is_some() => {
                    // What happened before they were gone comes first.
                    self.read_on().await?;
                    self.give(Fact::Presence(found)).await?;
                }
                () = &mut end => {
                    end = Box::pin(process_ends(None));
                    // What it wrote before it ended comes first.
                    *live = None;
                    self.give_held().await?;
                    self.read_on().await?;
                    if let Some(pid) = host.take() {
                        self.give(Fact::HostEnded { pid }).await?;
                    }
                }
            }
        }
    }

    /// Gives what was added to the files. Returns the process that has opened the team meanwhile.
    async fn read_on(&mut self) -> Result<Option<Option<u32>>, Unread> {
        let mut opened = None;
        // Files that cannot be read just now are read again at the next change.
        for happening in self.history.read_on().await.unwrap_or_default() {
            if let Happening::Event(event) = &happening {
                if self.is_live(event) {
                    self.held.push_back(event.clone());
                    continue;
                }
                opened = opening(event).or(opened);
            }
            self.give_happening(happening).await?;
        }
        Ok(opened)
    }

    /// Whether the socket gives this event in its place.
    fn is_live(&self, event: &Event) -> bool {
        let (Some(first), Some(number)) = (self.first_live, event.n) else {
            return false;
        };
        number >= first.max(self.given.next)
    }

    async fn take_live(&mut self, event: Arc<Event>) -> Result<(), Unread> {
        may_fail_here("feed");
        if let Some(order) = &mut self.order {
            return match order.piece(event) {
                Some(piece) => self.give(Fact::Event(piece)).await,
                None => Ok(()),
            };
        }
        // What happened before the socket gave anything is in the log only.
        if event.n.is_some_and(|number| number > self.given.next) {
            self.read_on().await?;
        }
        // The records that it follows from come first.
        if event.r.is_some_and(|known| known > self.given.records) {
            for record in self.history.records_on().await.unwrap_or_default() {
                self.give_happening(Happening::Record(record)).await?;
            }
        }
        self.give_happening(Happening::Event(event)).await?;
        let next = self.given.next;
        self.held
            .retain(|held| held.n.is_some_and(|number| number >= next));
        Ok(())
    }

    /// The socket gives nothing more: what it did not come to is in the log.
    async fn give_held(&mut self) -> Result<(), Unread> {
        self.first_live = None;
        for event in std::mem::take(&mut self.held) {
            self.give_happening(Happening::Event(event)).await?;
        }
        Ok(())
    }

    async fn give_happening(&mut self, happening: Happening) -> Result<(), Unread> {
        if let Happening::Event(event) = &happening
            && self.given.had(event)
        {
            return Ok(());
        }
        self.given.has(&happening);
        let pieces = match (&mut self.order, &happening) {
            (Some(order), Happening::Event(event)) => order.take(event),
            (Some(_) | None, _) => Vec::new(),
        };
        self.give(fact(happening)).await?;
        for piece in pieces {
            self.give(Fact::Event(piece)).await?;
        }
        Ok(())
    }

    async fn give(&mut self, fact: Fact) -> Result<(), Unread> {
        self.sender.send(fact).await.map_err(|_| Unread)
    }
}

async fn next_live(live: &mut Option<LiveEvents>) -> Option<Arc<Event>> {
    live.as_mut()?.next().await
}

async fn seen_again(seen: &mut Option<SeenAgain>) -> SeenPresence {
    match seen {
        Some(seen) => seen.changed().await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(number: u64, what: &str) -> Happening {
        let line = format!(r#"{{"n":{number},"at":1,"member":"lead",{what}}}"#);
        Happening::Event(Arc::new(serde_json::from_str(&line).unwrap()))
    }

    fn opened_by(number: u64, pid: u32) -> Happening {
        let what =
            format!(r#""event":"team_opened","team":"t","members":[],"resumed":false,"pid":{pid}"#);
        event(number, &what)
    }

    #[test]
    fn what_the_next_process_does_is_new_though_the_one_that_was_killed_gave_more_than_it_wrote() {
        let note = r#""event":"notice","text":"x""#;
        let mut given = GivenFacts::default();
        let had = |given: &GivenFacts, happening: &Happening| match happening {
            Happening::Event(event) => given.had(event),
            Happening::Record(_) => false,
        };
        for happening in [opened_by(0, 7), event(1, note), event(2, note)] {
            assert!(!had(&given, &happening));
            given.has(&happening);
        }
        // By both ways.
        assert!(had(&given, &opened_by(0, 7)) && had(&given, &event(2, note)));
        // Of 1 and 2 the log has nothing.
        for happening in [opened_by(1, 8), event(2, note)] {
            assert!(!had(&given, &happening), "{happening:?}");
            given.has(&happening);
        }
        assert!(had(&given, &event(2, note)));
    }
}

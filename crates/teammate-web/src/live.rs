//! The one stream of a browser: parts of screens that have changed, and pieces of answers. It is made from the view as it is when
//! the browser has taken what came before, so a slow reader misses steps on the way and holds no memory but that of one step.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    convert::Infallible,
    sync::Arc,
    time::Duration,
};

use axum::body::Bytes;
use http_body_util::channel::Sender;
use serde_json::json;
use teammate_core::contained::may_fail_here;
use tokio::{
    sync::{
        broadcast::{Receiver, error::RecvError},
        watch,
    },
    time::{Instant, sleep_until, timeout},
};

use crate::{
    feed::{AnswerPiece, TeamFeed},
    screens::{PageScreen, Shown},
};

/// After so long without anything else a comment says that the stream is alive.
const COMMENT_AFTER: Duration = Duration::from_secs(20);

/// A browser that takes nothing for so long has gone.
const GONE_AFTER: Duration = Duration::from_secs(60);

/// Screens are looked at once in this time at most: changes that come meanwhile are sent together. The first one after a pause does
/// not wait.
const TOGETHER: Duration = Duration::from_millis(30);

/// So often at most it is looked whether the browser's key still is one.
const KEY_LOOKED_AT_EVERY: Duration = Duration::from_secs(1);

/// The most bytes of what is sent at once; screens that would be more are fetched by the browser instead.
pub(crate) const BYTES_MAX: usize = 1 << 20;

/// The state of the screens that the browser sees.
struct Stream<F> {
    feed: Arc<TeamFeed>,
    out: Sender<Bytes, Infallible>,
    screens: BTreeMap<PageScreen, SentParts>,
    /// The pieces that were written after the view was looked at last.
    pieces: Receiver<AnswerPiece>,
    may_see: F,
}

/// The parts that were sent of one screen.
#[derive(Default)]
struct SentParts {
    order: Vec<String>,
    parts: HashMap<String, String>,
}

/// The next step of a stream.
enum StreamStep {
    Change,
    Piece(AnswerPiece),
    /// The list of all teams is another one.
    Teams,
    /// Pieces were missed: the browser took nothing for too long.
    Behind,
    Nothing,
}

/// The browser has gone, or its key has ended.
struct Gone;

/// Runs until the browser goes, or may see nothing more. `from` is the number of the change that it has already.
pub(crate) async fn run(
    feed: Arc<TeamFeed>,
    see: Vec<PageScreen>,
    from: u64,
    teams: watch::Receiver<u64>,
    out: Sender<Bytes, Infallible>,
    may_see: impl Fn() -> bool + Send,
) {
    let screens = see.into_iter().map(|screen| (screen, SentParts::default()));
    let mut stream = Stream {
        screens: screens.collect(),
        pieces: feed.pieces(),
        feed,
        out,
        may_see,
    };
    let _ = stream.follow(from, teams).await;
}

impl<F: Fn() -> bool + Send> Stream<F> {
    async fn follow(&mut self, from: u64, teams: watch::Receiver<u64>) -> Result<(), Gone> {
        // Nothing if nobody tells.
        let mut teams = Some(teams);
        let mut changes = self.feed.changes();
        let number = *changes.borrow_and_update();
        match from == number {
            true => {
                self.look(number);
            }
            false => self.give_all(number).await?,
        }
        let mut comment = Instant::now() + COMMENT_AFTER;
        let (mut key_looked_at, mut next_look) = (Instant::now(), Instant::now());
        loop {
            let next = tokio::select! {
                changed = changes.changed() => changed.map(|()| StreamStep::Change).map_err(|_| Gone)?,
                piece = self.pieces.recv() => match piece {
                    Ok(piece) => StreamStep::Piece(piece),
                    Err(RecvError::Lagged(_)) => StreamStep::Behind,
                    Err(RecvError::Closed) => return Err(Gone),
                },
                told = next_list(&mut teams), if teams.is_some() => {
                    teams = teams.filter(|_| told);
                    StreamStep::Teams
                }
                () = sleep_until(comment) => StreamStep::Nothing,
            };
            if key_looked_at.elapsed() >= KEY_LOOKED_AT_EVERY {
                if !(self.may_see)() {
                    return Err(Gone);
                }
                key_looked_at = Instant::now();
            }
            match next {
                StreamStep::Change => {
                    sleep_until(next_look).await;
                    next_look = Instant::now() + TOGETHER;
                    let number = *changes.borrow_and_update();
                    self.give_changes(number).await?;
                }
                StreamStep::Piece(piece) => self.give_piece(piece).await?,
                StreamStep::Teams => self.send("event: teams\ndata: {}\n\n".to_owned()).await?,
                StreamStep::Behind => self.give_all(self.feed.number()).await?,
                StreamStep::Nothing => self.send(": here\n\n".to_owned()).await?,
            }
            comment = Instant::now() + COMMENT_AFTER;
        }
    }

    /// Forgets what the browser has, and gives it everything.
    async fn give_all(&mut self, number: u64) -> Result<(), Gone> {
        self.screens
            .values_mut()
            .for_each(|sent| *sent = SentParts::default());
        let from = json!({ "from": number });
        self.send(format!("event: reset\ndata: {from}\n\n")).await?;
        self.give_changes(number).await
    }

    async fn give_changes(&mut self, number: u64) -> Result<(), Gone> {
        for patch in self.look(number) {
            self.send(patch).await?;
        }
        Ok(())
    }

    /// Looks at the screens; returns what is new in each.
    fn look(&mut self, number: u64) -> Vec<String> {
        may_fail_here("stream");
        let view = self.feed.view();
        // All text until now is in this view, and none is added while it is read.
        self.pieces = self.feed.pieces();
        let mut patches = Vec::new();
        for (screen, sent) in &mut self.screens {
            let parts = Shown::of(screen, &view, &self.feed.facts, None).parts();
            let order: Vec<String> = parts.iter().map(|part| part.id.clone()).collect();
            let mut new = serde_json::Map::new();
            for part in parts {
                if sent.parts.get(&part.id).map(String::as_str) != Some(part.html.as_str()) {
                    new.insert(part.id.clone(), part.html.as_str().into());
                    sent.parts.insert(part.id, part.html.as_str().to_owned());
                }
            }
            let known: HashSet<&String> = order.iter().collect();
            sent.parts.retain(|id, _| known.contains(id));
            let is_moved = order != sent.order;
            if new.is_empty() && !is_moved {
                continue;
            }
            let mut data = json!({ "screen": screen.to_string(), "parts": new });
            if is_moved {
                data["order"] = json!(order);
                sent.order = order;
            }
            let data = data.to_string();
            patches.push(match data.len() {
                0..BYTES_MAX => format!("id: {number}\nevent: patch\ndata: {data}\n\n"),
                _ => format!(
                    "event: reset\ndata: {}\n\n",
                    json!({ "from": number, "fetch": screen.to_string() })
                ),
            });
        }
        patches
    }

    async fn give_piece(&mut self, piece: AnswerPiece) -> Result<(), Gone> {
        let screen = PageScreen::Member(piece.member);
        let Some(sent) = self.screens.get_mut(&screen) else {
            return Ok(());
        };
        let PageScreen::Member(name) = &screen else {
            return Ok(());
        };
        // The browser has more than was sent as a part.
        sent.parts
            .remove(&crate::screens::writing_id(name.as_str()));
        let data = json!({ "m": name.as_str(), "text": teammate_view::clean::clean(&piece.text) });
        self.send(format!("event: piece\ndata: {data}\n\n")).await
    }

    async fn send(&mut self, text: String) -> Result<(), Gone> {
        let sent = timeout(GONE_AFTER, self.out.send_data(Bytes::from(text))).await;
        sent.map_err(|_| Gone)?.map_err(|_| Gone)
    }
}

/// The list of all teams has changed; false if nobody tells any more.
async fn next_list(teams: &mut Option<watch::Receiver<u64>>) -> bool {
    match teams {
        Some(teams) => teams.changed().await.is_ok(),
        None => false,
    }
}

//! How far the running calls of a connection are, as its server says: for each call the latest note, shown now and then.

use std::{
    collections::HashMap,
    convert::Infallible,
    future::pending,
    sync::{Arc, Mutex},
    time::Duration,
};

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use teammate_core::{lock::Hold, port::CallProgress};
use tokio::{sync::watch, time::sleep};

/// The least time between two notes of a call that are shown: four a second are as many as anybody reads.
const PAUSE: Duration = Duration::from_millis(250);

/// How much of a note is kept.
const MESSAGE_CHARS_MAX: usize = 400;

/// The latest notes of all calls that run.
#[derive(Default)]
pub(crate) struct Progress(Mutex<Notes>);

#[derive(Default)]
struct Notes {
    followed: HashMap<ProgressToken, watch::Sender<Option<Note>>>,
    /// The last note of a call that nobody follows: a server may be quicker than we are.
    early: Option<(ProgressToken, Note)>,
}

#[derive(Debug, Clone, PartialEq)]
struct Note {
    reached: f64,
    total: Option<f64>,
    message: Option<String>,
}

impl Note {
    fn of(params: ProgressNotificationParam) -> Self {
        let cut = |message: String| message.chars().take(MESSAGE_CHARS_MAX).collect();
        Self {
            reached: params.progress,
            total: params.total,
            message: params.message.map(cut),
        }
    }

    /// In words of the server, and in numbers.
    fn text(&self) -> String {
        let numbers = match self.total {
            Some(total) => format!("{} of {total}", self.reached),
            None => self.reached.to_string(),
        };
        match self.message.as_deref().map(str::trim) {
            None | Some("") => numbers,
            Some(message) if self.total.is_some() => format!("{message}, {numbers}"),
            Some(message) => message.to_owned(),
        }
    }
}

impl Progress {
    /// Notes reach us in no certain order; how far a call is only grows.
    pub(crate) fn take(&self, params: ProgressNotificationParam) {
        let token = params.progress_token.clone();
        let note = Note::of(params);
        let mut notes = self.0.hold();
        let Some(followed) = notes.followed.get(&token) else {
            notes.early = Some((token, note));
            return;
        };
        followed.send_if_modified(|latest| {
            let is_later = |latest: &Note| note.reached > latest.reached;
            let is_news = latest.as_ref().is_none_or(is_later);
            if is_news {
                *latest = Some(note);
            }
            is_news
        });
    }

    /// Follows the call with this token.
    pub(crate) fn follow(self: &Arc<Self>, token: ProgressToken) -> FollowedCall {
        let (sender, latest) = watch::channel(None);
        let mut notes = self.0.hold();
        if let Some((_, note)) = notes.early.take_if(|(early, _)| *early == token) {
            sender.send_replace(Some(note));
        }
        notes.followed.insert(token.clone(), sender);
        FollowedCall {
            all: self.clone(),
            token,
            latest,
        }
    }
}

/// A call that is followed until this is dropped.
pub(crate) struct FollowedCall {
    all: Arc<Progress>,
    token: ProgressToken,
    latest: watch::Receiver<Option<Note>>,
}

impl FollowedCall {
    /// Shows the latest note, and after a pause the one that is then the latest.
    pub(crate) async fn show(&mut self, shown: &dyn CallProgress) -> Infallible {
        while self.latest.changed().await.is_ok() {
            let text = self.latest.borrow_and_update().as_ref().map(Note::text);
            if let Some(text) = text {
                shown.show(&text);
                sleep(PAUSE).await;
            }
        }
        pending().await
    }
}

impl Drop for FollowedCall {
    fn drop(&mut self) {
        self.all.0.hold().followed.remove(&self.token);
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::NumberOrString;
    use tokio::time::{Instant, timeout};

    use super::*;

    #[derive(Default)]
    struct Seen(Mutex<Vec<String>>);

    impl CallProgress for Seen {
        fn show(&self, text: &str) {
            self.0.lock().unwrap().push(text.to_owned());
        }
    }

    fn token(number: i64) -> ProgressToken {
        ProgressToken(NumberOrString::Number(number))
    }

    fn note(call: i64, reached: f64) -> ProgressNotificationParam {
        ProgressNotificationParam::new(token(call), reached)
    }

    #[tokio::test(start_paused = true)]
    async fn four_a_second_are_shown_and_the_last_one_is_among_them() {
        let (progress, seen) = (Arc::new(Progress::default()), Seen::default());
        let mut followed = progress.follow(token(1));
        let begun = Instant::now();
        let notes = async {
            for step in 0..50_000 {
                progress.take(note(1, f64::from(step)));
                if step % 50 == 0 {
                    sleep(Duration::from_millis(1)).await;
                }
            }
            // Longer than the pause after the last note but one, which ends at that moment at the latest.
            sleep(PAUSE * 2).await;
        };
        tokio::select! {
            () = notes => {}
            never = followed.show(&seen) => match never {},
        }
        let quarters = begun.elapsed().as_millis() / PAUSE.as_millis() + 1;
        let seen = seen.0.into_inner().unwrap();
        assert!(
            seen.len() as u128 <= quarters,
            "{} in {quarters}",
            seen.len()
        );
        assert_eq!(seen.last().map(String::as_str), Some("49999"));
    }

    #[tokio::test(start_paused = true)]
    async fn notes_of_before_and_of_other_calls() {
        let (progress, seen) = (Arc::new(Progress::default()), Seen::default());
        progress.take(note(7, 2.0).with_total(9.0).with_message("Reads"));
        let mut followed = progress.follow(token(7));
        let _ = timeout(PAUSE * 2, followed.show(&seen)).await;
        progress.take(note(8, 5.0));
        progress.take(note(7, 1.0));
        let _ = timeout(PAUSE * 2, followed.show(&seen)).await;
        assert_eq!(*seen.0.lock().unwrap(), ["Reads, 2 of 9"]);
        drop(followed);
        assert!(progress.0.hold().followed.is_empty());
    }

    #[test]
    fn a_long_message_is_kept_in_part() {
        let long = Note::of(note(1, 1.0).with_message("x".repeat(1 << 20)));
        assert_eq!(long.text().len(), MESSAGE_CHARS_MAX);
    }
}

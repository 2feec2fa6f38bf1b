//! Sends what the fold makes: two tasks, of which one takes every event at once and the other waits for the collector. Between
//! them is a queue with a bound. The team waits for neither.

use std::{
    collections::VecDeque,
    future::poll_fn,
    pin::Pin,
    sync::{Arc, Mutex},
    time::Duration,
};

use futures_core::Stream;
use teammate_core::{
    Timestamp,
    contained::{contained, may_fail_here},
    event::Event,
    lock::Hold,
};
use tokio::{
    sync::Notify,
    task::{JoinSet, spawn_blocking},
    time::{Instant, sleep, timeout},
};

use crate::{
    fold::{About, SpanFold},
    metrics::Metrics,
    send::{CollectorSender, NotTaken},
    settings::Settings,
    span::{TraceId, TraceSpan},
    wire::{WireOrigin, rejected},
};

/// How many finished spans wait at most; more are dropped.
const QUEUE_MAX: usize = 4_096;

/// How many spans are sent at once.
const BATCH: usize = 512;

/// How long spans wait for others.
const PAUSE: Duration = Duration::from_secs(5);

/// How often counts are sent.
const METRICS_PAUSE: Duration = Duration::from_secs(15);

/// How long a collector that fails is left alone, at first and at most.
const BACKOFF: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));

/// Why something was not sent that the end has cut off.
const NO_ANSWER: &str = "it does not answer in time";

/// How long the end of a team is held up at most.
pub const FLUSH_MAX: Duration = Duration::from_secs(2);

/// Says something to the user while the team runs.
pub type Warn = Box<dyn Fn(String) + Send + Sync>;

/// Traces and metrics of a run, on their way.
pub struct Telemetry {
    shared: Arc<Collected>,
    /// Both tasks, which end with it.
    tasks: JoinSet<()>,
}

struct Collected {
    server: String,
    state: Mutex<ExportState>,
    /// There is a batch, or nothing comes any more.
    hurry: Notify,
}

struct ExportState {
    fold: SpanFold,
    start: Option<Timestamp>,
    queue: VecDeque<TraceSpan>,
    in_flight: usize,
    dropped: u64,
    /// The last reason why something was not taken.
    why: Option<String>,
    /// Why the collector does not have the counts as they were last sent.
    counts_missing: Option<String>,
    has_ended: bool,
}

impl Telemetry {
    /// Begins with the events of `feed`, which must end when the run does. What keeps them from the collector is said once.
    pub fn begin<F>(settings: Settings, about: About, feed: F, warn: Warn) -> Self
    where
        F: Stream<Item = Arc<Event>> + Send + Unpin + 'static,
    {
        let about = About {
            contents: settings.contents,
            ..about
        };
        let origin = WireOrigin {
            trace: TraceId::of(about.run),
            service: settings.service.clone(),
            run: about.run.to_string(),
        };
        let shared = Arc::new(Collected {
            server: settings.shown(),
            state: Mutex::new(ExportState {
                fold: SpanFold::new(about),
                start: None,
                queue: VecDeque::new(),
                in_flight: 0,
                dropped: 0,
                why: None,
                counts_missing: None,
                has_ended: false,
            }),
            hurry: Notify::new(),
        });
        let mut tasks = JoinSet::new();
        tasks.spawn(part(fold(feed, shared.clone()), shared.clone()));
        tasks.spawn(part(
            send(settings, origin, shared.clone(), warn),
            shared.clone(),
        ));
        Self { shared, tasks }
    }

    /// After the last event: sends what is left, within [`FLUSH_MAX`]. What the user should know of what was not sent.
    pub async fn finish(mut self) -> Option<String> {
        let whole = async { while self.tasks.join_next().await.is_some() {} };
        // What a task that is cut off has left is counted below.
        let _ = timeout(FLUSH_MAX, whole).await;
        self.tasks.shutdown().await;
        let state = self.shared.state.hold();
        let dropped = state.dropped + (state.queue.len() + state.in_flight) as u64;
        let (what, why) = match (dropped, &state.counts_missing) {
            (0, None) => return None,
            (0, Some(why)) => ("The metrics".to_owned(), why.as_str()),
            (_, _) => {
                let why = state.why.as_deref().unwrap_or(NO_ANSWER);
                (format!("{dropped} spans"), why)
            }
        };
        let server = &self.shared.server;
        Some(format!(
            "{what} of this run were not sent to {server}: {why}"
        ))
    }
}

impl ExportState {
    fn add(&mut self, spans: Vec<TraceSpan>) {
        for span in spans {
            match self.queue.len() + self.in_flight < QUEUE_MAX {
                true => self.queue.push_back(span),
                false => self.dropped += 1,
            }
        }
    }
}

/// One of both tasks. If a bug ends it the other ends, too, and what is left counts as not sent.
async fn part(work: impl Future<Output = ()>, shared: Arc<Collected>) {
    if let Err(bug) = contained("traces and metrics", work).await {
        let mut state = shared.state.hold();
        state.why = Some(bug.to_string());
        state.counts_missing = Some(bug.to_string());
        state.has_ended = true;
        shared.hurry.notify_one();
    }
}

async fn fold<F>(mut feed: F, shared: Arc<Collected>)
where
    F: Stream<Item = Arc<Event>> + Unpin,
{
    while let Some(event) = poll_fn(|context| Pin::new(&mut feed).poll_next(context)).await {
        may_fail_here("telemetry");
        let mut state = shared.state.hold();
        state.start.get_or_insert(event.at);
        let spans = state.fold.take(&event);
        state.add(spans);
        if state.queue.len() >= BATCH {
            shared.hurry.notify_one();
        }
    }
    let mut state = shared.state.hold();
    let spans = state.fold.finish();
    state.add(spans);
    state.has_ended = true;
    shared.hurry.notify_one();
}

/// The side that waits for the collector.
struct Exporter {
    sender: CollectorSender,
    origin: WireOrigin,
    shared: Arc<Collected>,
    warn: Warn,
    has_told: bool,
}

async fn send(settings: Settings, origin: WireOrigin, shared: Arc<Collected>, warn: Warn) {
    let Ok(sender) = spawn_blocking(|| CollectorSender::open(settings)).await else {
        return;
    };
    let mut exporter = Exporter {
        sender,
        origin,
        shared,
        warn,
        has_told: false,
    };
    let (mut pause, mut backoff) = (PAUSE, BACKOFF.0);
    let mut counted: Option<Instant> = None;
    loop {
        let hurry = exporter.shared.hurry.notified();
        let _ = timeout(pause, hurry).await;
        let has_ended = exporter.shared.state.hold().has_ended;
        let mut is_taken = exporter.send_spans().await;
        if is_taken && (has_ended || counted.is_none_or(|at| at.elapsed() >= METRICS_PAUSE)) {
            is_taken = exporter.send_metrics().await;
            counted = Some(Instant::now());
        }
        if has_ended {
            return;
        }
        if is_taken {
            (pause, backoff) = (PAUSE, BACKOFF.0);
        } else {
            exporter.wait_out(backoff).await;
            backoff = (backoff * 2).min(BACKOFF.1);
            pause = Duration::ZERO;
        }
    }
}

impl Exporter {
    /// A pause that only the end cuts short: a full queue is no reason to ask again.
    async fn wait_out(&self, pause: Duration) {
        let ended = async {
            while !self.shared.state.hold().has_ended {
                self.shared.hurry.notified().await;
            }
        };
        tokio::select! {
            () = sleep(pause) => {}
            () = ended => self.shared.hurry.notify_one(),
        }
    }

    /// Sends all that wait. False: the collector takes nothing now.
    async fn send_spans(&mut self) -> bool {
        loop {
            let batch: Vec<TraceSpan> = {
                let mut state = self.shared.state.hold();
                let count = state.queue.len().min(BATCH);
                state.in_flight = count;
                state.queue.drain(..count).collect()
            };
            if batch.is_empty() {
                return true;
            }
            let sent = self.sender.send("traces", self.origin.spans(&batch)).await;
            let mut state = self.shared.state.hold();
            state.in_flight = 0;
            match sent {
                Ok(answer) => {
                    let rejected = rejected(&answer).min(batch.len() as u64);
                    state.dropped += rejected;
                    if rejected > 0 {
                        state.why = Some("it rejected them".to_owned());
                    }
                }
                Err(NotTaken::Later(why)) => {
                    for span in batch.into_iter().rev() {
                        state.queue.push_front(span);
                    }
                    state.why = Some(why.clone());
                    drop(state);
                    self.warn(&why);
                    return false;
                }
                Err(NotTaken::Refused(why)) => {
                    state.dropped += batch.len() as u64;
                    state.why = Some(why.clone());
                    drop(state);
                    self.warn(&why);
                }
            }
        }
    }

    /// Sends the counts as they are now. False: the collector takes nothing now. If it never takes any, it may have no place for
    /// them, which spans do not suffer from.
    async fn send_metrics(&mut self) -> bool {
        let (metrics, start, now): (Metrics, _, _) = {
            let mut state = self.shared.state.hold();
            let Some(start) = state.start else {
                return true;
            };
            // Until it has answered.
            state.counts_missing = Some(NO_ANSWER.to_owned());
            (state.fold.metrics().clone(), start, state.fold.last())
        };
        let body = self.origin.metrics(&metrics, start, now);
        match self.sender.send("metrics", body).await {
            Ok(_) => {
                self.shared.state.hold().counts_missing = None;
                true
            }
            Err(not_taken) => {
                self.shared.state.hold().counts_missing = Some(not_taken.why().to_owned());
                self.warn(not_taken.why());
                matches!(not_taken, NotTaken::Refused(_))
            }
        }
    }

    fn warn(&mut self, why: &str) {
        if !std::mem::replace(&mut self.has_told, true) {
            (self.warn)(format!(
                "Traces and metrics do not reach {}: {why}. The team goes on, and what cannot be sent is dropped",
                self.shared.server
            ));
        }
    }
}

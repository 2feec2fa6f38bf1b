//! A doorbell: one ordered consumer of headers that rings for each subject of a team.
//!
//! It carries nothing. A core subscription would ring before the message can be read; a consumer
//! delivers what is committed. It begins with the last message of each subject, so that what came
//! before anybody listened rings, too.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_nats::jetstream::consumer::{DeliverPolicy, push};
use futures_util::StreamExt as _;
use tokio::{sync::Notify, task::AbortHandle, time::sleep};

use crate::{engine::Engine, read::consumer_name};

/// The pause before a consumer that could not be made is tried again.
const AGAIN: Duration = Duration::from_millis(500);

/// The doorbell of the subjects that match one filter. It ends when it is dropped.
pub(crate) struct Bell {
    bells: Arc<Bells>,
    listening: Mutex<Option<AbortHandle>>,
    engine: Engine,
    stream: String,
    filter: String,
}

#[derive(Default)]
struct Bells {
    by_subject: Mutex<HashMap<String, Arc<Notify>>>,
    /// Messages up to this one are known: they do not ring.
    seen: Option<Arc<AtomicU64>>,
}

impl Bell {
    /// Listens from the first wait on.
    pub(crate) fn start(
        engine: Engine,
        stream: String,
        filter: String,
        seen: Option<Arc<AtomicU64>>,
    ) -> Arc<Self> {
        Arc::new(Self {
            bells: Arc::new(Bells {
                by_subject: Mutex::default(),
                seen,
            }),
            listening: Mutex::default(),
            engine,
            stream,
            filter,
        })
    }

    /// Resolves when something may have come on the subject since this was last awaited.
    pub(crate) async fn rang(&self, subject: &str) {
        self.listen();
        self.bells.of(subject).notified().await;
    }

    fn listen(&self) {
        let mut listening = locked(&self.listening);
        if listening.is_none() {
            let (engine, bells) = (self.engine.clone(), self.bells.clone());
            let (stream, filter) = (self.stream.clone(), self.filter.clone());
            let task = tokio::spawn(async move {
                loop {
                    bells.ring_from(&engine, &stream, &filter).await;
                    sleep(AGAIN).await;
                }
            });
            *listening = Some(task.abort_handle());
        }
    }
}

/// Rings whenever a message comes that matches the filter, until it is aborted.
pub(crate) fn watch(
    engine: Engine,
    stream: String,
    filter: String,
    ring: Arc<dyn Fn() + Send + Sync>,
) -> AbortHandle {
    let task = tokio::spawn(async move {
        loop {
            each_from(&engine, &stream, &filter, |_, _| ring()).await;
            sleep(AGAIN).await;
        }
    });
    task.abort_handle()
}

impl Drop for Bell {
    fn drop(&mut self) {
        if let Some(task) = locked(&self.listening).take() {
            task.abort();
        }
    }
}

impl Bells {
    /// Rings for what one consumer delivers, until it ends for good.
    async fn ring_from(&self, engine: &Engine, stream: &str, filter: &str) {
        let mut is_first = true;
        let ring = |subject: &str, sequence| {
            let seen = self
                .seen
                .as_ref()
                .map_or(0, |seen| seen.load(Ordering::Acquire));
            // A consumer begins with the last message: an earlier one than is known says that messages are missing.
            let is_less = std::mem::take(&mut is_first) && sequence < seen;
            if sequence > seen || is_less {
                self.of(subject).notify_one();
            }
        };
        each_from(engine, stream, filter, ring).await;
    }

    fn of(&self, subject: &str) -> Arc<Notify> {
        let mut bells = locked(&self.by_subject);
        bells.entry(subject.to_owned()).or_default().clone()
    }
}

/// Gives subject and sequence of what one consumer delivers, until it ends for good.
async fn each_from(engine: &Engine, stream: &str, filter: &str, mut each: impl FnMut(&str, u64)) {
    let config = push::OrderedConfig {
        name: Some(consumer_name()),
        deliver_subject: engine.client.new_inbox(),
        filter_subject: filter.to_owned(),
        headers_only: true,
        deliver_policy: DeliverPolicy::LastPerSubject,
        ..push::OrderedConfig::default()
    };
    let Ok(consumer) = engine.jet.create_consumer_on_stream(config, stream).await else {
        return;
    };
    let Ok(mut messages) = consumer.messages().await else {
        return;
    };
    while let Some(message) = messages.next().await {
        // It may be another stream by now, restored from a backup: begins with the last message again.
        let Ok(message) = message else { return };
        let sequence = message.info().map_or(u64::MAX, |info| info.stream_sequence);
        each(message.subject.as_str(), sequence);
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

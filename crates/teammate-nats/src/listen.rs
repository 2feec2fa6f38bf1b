//! Listens to what is stored on subjects, by one ordered consumer after the other.
//!
//! A core subscription would hear of a message before it can be read; a consumer delivers what is committed. Each begins with the last
//! message of each subject, so that what came before anybody listened is heard, too.

use std::time::Duration;

use async_nats::jetstream::consumer::{DeliverPolicy, push};
use futures_util::StreamExt as _;
use tokio::{task::AbortHandle, time::sleep};

use crate::{
    engine::Engine,
    read::{StoredMessage, WantedPart, consumer_name, stored},
};

/// The pause before a consumer that could not be made is tried again.
const AGAIN: Duration = Duration::from_millis(500);

/// The subjects that are listened to.
#[derive(Clone)]
pub(crate) struct Subjects {
    pub(crate) engine: Engine,
    pub(crate) stream: String,
    pub(crate) filter: String,
}

/// Where a message is among those of its consumer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DeliveryPlace {
    /// The first one: messages before it may never have been heard.
    First,
    /// Nothing is missing between it and the one before it.
    Next,
}

/// Somebody listens until this is dropped.
pub(crate) struct Listening(AbortHandle);

impl Drop for Listening {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Subjects {
    /// Hands over what comes.
    pub(crate) fn listen(
        &self,
        wanted: WantedPart,
        mut each: impl FnMut(StoredMessage, DeliveryPlace) + Send + 'static,
    ) -> Listening {
        let source = self.clone();
        let task = tokio::spawn(async move {
            loop {
                source.listen_once(wanted, &mut each).await;
                sleep(AGAIN).await;
            }
        });
        Listening(task.abort_handle())
    }

    /// Hands over what one consumer delivers, until it ends for good.
    async fn listen_once(
        &self,
        wanted: WantedPart,
        each: &mut (impl FnMut(StoredMessage, DeliveryPlace) + Send),
    ) {
        let config = push::OrderedConfig {
            name: Some(consumer_name()),
            deliver_subject: self.engine.client.new_inbox(),
            filter_subject: self.filter.clone(),
            headers_only: matches!(wanted, WantedPart::Headers),
            deliver_policy: DeliverPolicy::LastPerSubject,
            ..push::OrderedConfig::default()
        };
        let jet = &self.engine.jet;
        let Ok(consumer) = jet.create_consumer_on_stream(config, &self.stream).await else {
            return;
        };
        let Ok(mut messages) = consumer.messages().await else {
            return;
        };
        let mut turn = DeliveryPlace::First;
        while let Some(message) = messages.next().await {
            // It may be another stream by now, restored from a backup: begins with the last message again.
            let Ok(message) = message else { return };
            let Ok(info) = message.info() else { return };
            let (sequence, at) = (info.stream_sequence, info.published.into());
            each(stored(sequence, at, message.message), turn);
            turn = DeliveryPlace::Next;
        }
    }
}

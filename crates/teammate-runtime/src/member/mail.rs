//! A member's ear: takes mail out of its mailbox, and forgets it there once it is in the transcript.

use std::time::Duration;

use teammate_core::Message;
use tokio::time::Instant;

use super::Driver;

/// The pause after a mailbox could not be read.
const LISTEN_AGAIN: Duration = Duration::from_secs(1);

impl Driver {
    pub(super) async fn listen(&mut self) -> Vec<Message> {
        self.listen_again = None;
        match self.shared.world.mailbox.claim(&self.name).await {
            Ok(claims) => {
                let mut mail = Vec::new();
                for claim in claims {
                    for line in claim.damaged {
                        let text = format!(
                            "a line of mail could not be read ({}); it is kept in {}",
                            line.why, line.kept_in
                        );
                        self.shared.feed.notice(&self.name, text);
                    }
                    self.claims.push(claim.id);
                    mail.extend(claim.messages);
                }
                let ids = mail.iter().map(|message: &Message| &message.id);
                self.shared.activity.takes(&self.name, ids);
                mail
            }
            Err(error) => {
                self.shared
                    .feed
                    .notice(&self.name, format!("{error}; looking again in a moment"));
                self.shared.activity.is_deaf(&self.name);
                self.listen_again = Some(Instant::now() + LISTEN_AGAIN);
                Vec::new()
            }
        }
    }

    pub(super) async fn settle(&mut self) {
        for claim in std::mem::take(&mut self.claims) {
            // What stays claimed is read again at the next opening and skipped by its ids.
            if let Err(error) = self.shared.world.mailbox.settle(&self.name, claim).await {
                self.shared.feed.notice(&self.name, error.to_string());
            }
        }
    }
}

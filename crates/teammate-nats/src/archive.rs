//! What an ended group leaves stays where it is: a line in each transcript ends a life, with the mail
//! that nobody has heard. A member of the same name begins behind it.

use serde::{Deserialize, Serialize};
use teammate_core::{
    MemberName, Message,
    port::{Archive, BoxFuture},
};
use teammate_wire::mail;

use std::sync::Arc;

use crate::{append::AppendError, mail::NatsMail, transcript::NatsTranscripts};

/// How often mail that came meanwhile is put with the rest.
const ATTEMPTS_MAX: u32 = 16;

/// The line that ends a life.
#[derive(Serialize, Deserialize)]
struct End {
    /// The label of the archive.
    archived: String,
    /// Mail that was not settled, as lines.
    mail: Vec<String>,
}

/// The archive of one team.
pub(crate) struct NatsArchive {
    pub(crate) transcripts: Arc<NatsTranscripts>,
    pub(crate) mail: Arc<NatsMail>,
}

impl NatsArchive {
    async fn end(&self, label: &str, member: &MemberName) -> Result<(), String> {
        let failed = |error: String| format!("{member} cannot be archived: {error}");
        for _ in 0..ATTEMPTS_MAX {
            let unread = self.mail.unread(member).await;
            let (mail, last) = unread.map_err(|error| failed(error.to_string()))?;
            let read = self.transcripts.read(member).await;
            let (entries, tip) = read.map_err(|error| failed(error.to_string()))?;
            if entries.is_empty() && mail.is_empty() {
                return Ok(());
            }
            let mut log = self.transcripts.writer(member, tip);
            match log.append_object(&end(label, &mail)).await {
                Ok(()) => {}
                Err(AppendError::Conflict { .. }) => continue,
                Err(error) => return Err(failed(error.to_string())),
            }
            // Refused if more came: the next round puts that behind.
            let settled = self.mail.settle_through(member, last).await;
            settled.map_err(|error| failed(error.to_string()))?;
        }
        Err(failed("it goes on getting mail".to_owned()))
    }
}

fn end(label: &str, mail: &[Message]) -> String {
    let end = End {
        archived: label.to_owned(),
        mail: mail.iter().map(mail::to_json).collect(),
    };
    serde_json::to_string(&end).expect("strings are JSON")
}

impl Archive for NatsArchive {
    fn archive<'a>(
        &'a self,
        label: &'a str,
        members: &'a [MemberName],
    ) -> BoxFuture<'a, Result<String, String>> {
        Box::pin(async move {
            for member in members {
                self.end(label, member).await?;
            }
            let stream = self.transcripts.parts.place.partition.log();
            Ok(format!(
                "the transcripts in stream {stream}, before '{label}'"
            ))
        })
    }
}

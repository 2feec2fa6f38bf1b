//! The archive of ended groups, whose parts stay where they are: a line in each transcript ends a life, with the mail that
//! nobody has heard. A member of the same name begins behind it.

use std::sync::Arc;

use teammate_core::{
    MemberName,
    port::{Archive, BoxFuture},
};

use crate::{append::AppendError, life, mail::NatsMail, transcript::NatsTranscripts};

/// How often mail that came meanwhile is put with the rest.
const ATTEMPTS_MAX: u32 = 16;

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
            match log.append_object(&life::end(label, &mail)).await {
                Ok(()) => {}
                Err(AppendError::Conflict { .. }) => continue,
                Err(error) => return Err(failed(error.to_string())),
            }
            // What came meanwhile is behind: the next round sees it.
            let settled = self.mail.settle_through(member, last).await;
            settled.map_err(|error| failed(error.to_string()))?;
        }
        Err(failed("it goes on getting mail".to_owned()))
    }
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

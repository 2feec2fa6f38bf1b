//! How the team of a session is opened, by its first prompt.

use teammate::Conversation;

use super::Session;
use crate::acp::open_team::OpenTeam;

impl Session {
    /// Opens the team, unless it is open. What the user should know is said.
    pub(super) async fn open(&mut self) -> Result<(), String> {
        if self.open.is_some() {
            return Ok(());
        }
        let builder = self.program.builder(&self.place)?;
        let builder = builder
            .mode(self.mode.of_team())
            .conversation(Conversation::Last);
        let team = builder.prepare().await.map_err(|error| error.to_string())?;
        let mut notes = std::mem::take(&mut self.notes);
        notes.extend(team.warnings().iter().cloned());
        let open = OpenTeam::new(team);
        let started = open.run.team.start().await;
        self.open = Some(open);
        if let Err(error) = started {
            self.close("cancelled").await;
            return Err(error.to_string());
        }
        for note in notes {
            self.note(&note).await;
        }
        Ok(())
    }
}

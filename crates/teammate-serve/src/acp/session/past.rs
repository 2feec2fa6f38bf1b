//! The past of a session when it is loaded: everything that its event log has. The team is not opened for that.

use serde_json::json;
use teammate::{Happening, TeamClient, TeamError};

use super::Session;
use crate::acp::{board, outbox::Reply, refusal::Refusal, shown::Shown, update};

impl Session {
    /// Tells the past, and then that it was shown.
    pub(super) async fn load(&mut self, reply: Reply) {
        if self.is_busy() {
            let why = "this session works on a prompt; cancel it, or wait for its end";
            return reply.refuse(Refusal::now(why)).await;
        }
        let shown = self.send_past().await;
        let modes = self.mode.choices();
        reply.give(shown.map(|()| json!({ "modes": modes }))).await;
        self.offer_commands().await;
    }

    async fn send_past(&mut self) -> Result<(), Refusal> {
        let options = self.program.look_options().map_err(Refusal::failed)?;
        let client = TeamClient::open_with(self.place.clone(), &self.program.user(), options).await;
        let client = client.map_err(|error| match error {
            TeamError::NoTeam(_) => Refusal::session(self.id.as_str()),
            error => Refusal::failed(error.to_string()),
        })?;
        let past = client.history().read_on().await;
        let past = past.map_err(|error| Refusal::failed(error.to_string()))?;
        self.shown = Shown::new(self.place.workspace().to_owned());
        for happening in past {
            if let Happening::Event(event) = happening {
                self.take(&event).await;
            }
        }
        for update in self.shown.past_ends() {
            self.send(update).await;
        }
        self.plan = board::plan(client.board());
        if let Some(plan) = self.plan.clone() {
            self.send(plan).await;
        }
        self.send(update::mode(self.mode)).await;
        Ok(())
    }
}

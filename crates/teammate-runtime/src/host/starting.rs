//! How a team begins: it is made if it is not there, and its members are started.

use teammate_core::{
    MemberName,
    port::TranscriptError,
    team::{Command, Member, MemberPhase},
};

use super::{Host, OpenError};
use crate::members::{MemberError, StartKind};

impl Host {
    /// Makes the team if it is not there; true if it was.
    pub(super) async fn create_or_open(&self) -> Result<bool, OpenError> {
        let existed = self.base.ledger.team().exists();
        if !existed {
            let id = self.base.ports.ids.new_id();
            self.base
                .ledger
                .decide(Command::Create {
                    id,
                    name: self.base.setup.team_name.clone(),
                })
                .await?;
        }
        if self.base.deployment.opens_team() {
            self.lead.record_opening().await?;
        }
        Ok(existed)
    }

    /// If money is limited, every model in use, now or before, must have a price.
    pub(super) fn require_prices(&self) -> Result<(), OpenError> {
        if !self.base.setup.config.budgets.limits_money() {
            return Ok(());
        }
        let team = self.base.ledger.team();
        let models = team.members().filter_map(|m| m.options.model.as_ref());
        let models = std::iter::once(&self.base.setup.config.model).chain(models);
        let used = team.spending().model_names();
        let mut models = models
            .map(ToString::to_string)
            .chain(used.into_iter().map(str::to_owned));
        match models.find(|model| self.base.setup.config.prices.of(model).is_none()) {
            Some(model) => Err(OpenError::NoPrice(model)),
            None => Ok(()),
        }
    }

    /// Chooses the conversation and emits that the team is open. Returns the members to start.
    pub(super) async fn begin(&self) -> Result<Vec<MemberName>, OpenError> {
        // Before: the notices of lost jobs belong to the conversation in which they ran.
        self.jobs.mark_lost().await;
        let paused = self.lead.choose_conversation().await?;
        self.lead.show_open(paused);
        let team = self.base.ledger.team();
        // The members of a team that ends do not begin again.
        let begins = |m: &&Member| {
            m.phase != MemberPhase::Stopped
                && !team.is_in_ending_group(m)
                && team.paused_for(&m.name).is_none()
        };
        let name = |member: &Member| member.name.clone();
        Ok(team.members().filter(begins).map(name).collect())
    }

    /// Starts the members with which the team begins.
    pub(super) async fn start_members(&self, members: &[MemberName]) -> Result<(), OpenError> {
        // No member counts as idle before all have started: a resumed wait must not end because the others have not
        // started yet.
        for member in members {
            self.base.activity.set_busy(member, true);
        }
        for name in members {
            match self.members.start(name, StartKind::IfAbsent).await {
                Ok(()) => {}
                Err(MemberError::Transcript(error)) if concerns_all(name, &error) => {
                    return Err(error.into());
                }
                Err(error) => self.members.note_failure(name, &error).await,
            }
        }
        Ok(())
    }
}

/// Whether a team cannot go on when this transcript cannot be opened. Without a teammate the others can: it is set aside, with
/// the reason, until it is woken again.
fn concerns_all(name: &MemberName, error: &TranscriptError) -> bool {
    match error {
        // Another process runs members of this team.
        TranscriptError::Owned { .. } => true,
        TranscriptError::Broken { why, .. } => name.is_lead() || why.is_of_disk(),
    }
}

//! Which models members work with, and how the user chooses others.

use teammate_core::{
    MemberName, Sender,
    model::{Effort, ModelRef},
    port::Refusal,
    team::Command,
};

use super::Host;
use crate::model_chain::{ModelChain, ModelInUse};

impl Host {
    /// Chooses another model for a member, another effort, or both: from its next model call on, and at later openings. An error
    /// says who is not there, or why the model cannot be used.
    pub async fn choose_model(
        &self,
        member: &str,
        model: Option<ModelRef>,
        effort: Option<Effort>,
    ) -> Result<MemberName, Refusal> {
        let member = self.mailer.resolve_recipient(&Sender::User, member)?;
        if let Some(model) = &model {
            let opened = self.base.ports.models.open(model);
            opened.map_err(|failure| Refusal::Rule(failure.what))?;
        }
        let choose = Command::ChooseModel {
            member: member.clone(),
            model,
            effort,
        };
        self.base.ledger.decide(choose).await?;
        Ok(member)
    }

    /// Which model a member asks now, how much that thinks, and what the catalogue calls its family.
    pub fn model_in_use(&self, member: &MemberName) -> Option<ModelInUse> {
        let team = self.base.ledger.team();
        let chain = ModelChain::of(&self.base, &team.member(member)?.options);
        Some(chain.in_use())
    }
}

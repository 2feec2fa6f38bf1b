//! `interrupt`: ends the turn of a member, or of all.

use clap::Args;
use serde_json::json;
use teammate::handle;
use teammate_view::t;

use super::verb::{TeamVerb, VerbCall, VerbOutput};

/// Interrupt a member, or everybody: end what they are doing now
///
/// What they have done stays in their conversations, and background jobs go on. A message lets them continue. To have a
/// teammate leave for good, or to pause the team, use `teammate stop`.
#[derive(Args)]
pub(crate) struct Interrupt {
    /// The member: lead, or a teammate's name; without a name, everybody
    name: Option<String>,
}

impl TeamVerb for Interrupt {
    const WORD: &str = "/interrupt";
    const USAGE: &str = "[NAME]";
    const ABOUT: &str = "end the turn of NAME, or all turns; a message lets them go on";

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
        let named = self.name.as_deref();
        let member = named.map(|name| call.member(name)).transpose()?;
        let line = match &member {
            Some(member) => t!("Interrupted {member}", member),
            None => t("Interrupted all turns").to_owned(),
        };
        let json = json!({ "interrupted": member });
        call.team.ask(handle::Interrupt { member }).await?;
        VerbOutput::of(json, vec![line])
    }
}

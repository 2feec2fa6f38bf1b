//! `interrupt`: ends the turn of a member, or of all.

use clap::Args;
use serde::Serialize;
use teammate::{MemberName, handle};

use super::verb::{TeamVerb, VerbCall};
use crate::screen::Style;

/// Interrupt a member, or everybody: end what they are doing now
///
/// What they have done stays in their conversations, and background jobs go on. A message lets them continue. To have a
/// teammate leave for good, or to pause the team, use `teammate stop`.
#[derive(Args)]
pub(crate) struct Interrupt {
    /// The member: lead, or a teammate's name; without a name, everybody
    name: Option<String>,
}

/// Whose turn ended: this member's, or everybody's.
#[derive(Serialize)]
pub(crate) struct Interrupted {
    interrupted: Option<MemberName>,
}

impl TeamVerb for Interrupt {
    const USAGE: &str = "[NAME]";
    const ABOUT: &str = "end the turn of NAME, or all turns; a message lets them go on";
    type Done = Interrupted;

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<Interrupted> {
        let named = self.name.as_deref();
        let member = named.map(|name| call.member(Some(name))).transpose()?;
        let interrupt = handle::Interrupt {
            member: member.clone(),
        };
        call.team.ask(interrupt).await?;
        Ok(Interrupted {
            interrupted: member,
        })
    }

    fn lines(done: &Interrupted, _: Style) -> Vec<String> {
        vec![match &done.interrupted {
            Some(member) => format!("Interrupted {member}"),
            None => "Interrupted all turns".to_owned(),
        }]
    }
}

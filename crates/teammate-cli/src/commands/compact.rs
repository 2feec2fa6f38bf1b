//! `compact`: has a member's conversation summarized.

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;
use teammate::{MemberName, handle};

use super::verb::{TeamVerb, VerbCall};
use crate::screen::Style;

/// Make a member's conversation shorter, with a summary by its own model
///
/// It happens between two calls of the model, or at once if the member is idle; `teammate log -f` tells how it went.
#[derive(Args)]
pub(crate) struct Compact {
    /// The member: lead (if there is no name), or a teammate's name
    name: Option<String>,

    /// What the summary should keep above all
    focus: Vec<String>,
}

/// Whose conversation becomes shorter.
#[derive(Serialize)]
pub(crate) struct Compacts {
    compacts: MemberName,
    focus: Option<String>,
}

impl TeamVerb for Compact {
    const USAGE: &str = "[NAME] [FOCUS]";
    const ABOUT: &str = "summarize a member's conversation, to free context";
    type Done = Compacts;

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<Compacts> {
        let focus = Some(self.focus.join(" ").trim().to_owned()).filter(|it| !it.is_empty());
        let done = async {
            let member = call.member(self.name.as_deref())?;
            let compact = handle::Compact {
                member: member.clone(),
                focus: focus.clone(),
            };
            call.team.ask(compact).await.map(|()| member)
        };
        let compacts = done.await.context("Not compacted")?;
        Ok(Compacts { compacts, focus })
    }

    fn lines(done: &Compacts, _: Style) -> Vec<String> {
        vec![format!("{} makes its conversation shorter", done.compacts)]
    }
}

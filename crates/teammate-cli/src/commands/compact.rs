//! `compact`: has a member's conversation summarized.

use anyhow::Context as _;
use clap::Args;
use serde_json::json;
use teammate::handle;
use teammate_view::t;

use super::verb::{TeamVerb, VerbCall, VerbOutput};

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

impl TeamVerb for Compact {
    const WORD: &str = "/compact";
    const USAGE: &str = "[NAME] [FOCUS]";
    const ABOUT: &str = "summarize a member's conversation, to free context";

    async fn carry_out(self, call: &VerbCall<'_>) -> anyhow::Result<VerbOutput> {
        let focus = Some(self.focus.join(" ").trim().to_owned()).filter(|it| !it.is_empty());
        let done = async {
            let member = call.member(self.name.as_deref().unwrap_or("lead"))?;
            let compact = handle::Compact {
                member: member.clone(),
                focus: focus.clone(),
            };
            call.team.ask(compact).await.map(|()| member)
        };
        let member = done.await.context("Not compacted")?;
        let line = t!("{member} makes its conversation shorter", member);
        VerbOutput::of(json!({ "compacts": member, "focus": focus }), vec![line])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use teammate::TeamState;

    #[test]
    fn at_a_prompt_everything_after_the_name_is_the_focus() {
        let words = "alice keep --all of -it";
        let Compact { name, focus } = Compact::typed(words, &TeamState::default()).unwrap();
        assert_eq!(name.as_deref(), Some("alice"));
        assert_eq!(focus.join(" "), "keep --all of -it");
    }
}

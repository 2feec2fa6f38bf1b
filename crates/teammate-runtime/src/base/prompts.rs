//! The hooks' verdict on words of the user to a member, before it hears them. The same for words that are typed where the
//! team runs, and for mail of another process.

use teammate_core::{
    Incarnation, MemberName,
    hook::{HookDecision, HookEvent, Occasion},
    permission::Mode,
};

use super::{Base, Scene};

/// The verdict of hooks on a prompt.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum PromptVerdict {
    /// The member may hear it, with what hooks add.
    Passes(Option<String>),
    /// The member must not hear it, and why.
    Refused(String),
}

/// The text about a refusal for the user.
pub(crate) fn refused_prompt(why: &str) -> String {
    format!("a hook refuses it; nothing was sent.\n{why}")
}

impl Base {
    /// Has hooks judge what the user says to a member. They read it without secrets, by whatever door it came.
    pub(crate) async fn judge_prompt(&self, to: &MemberName, mut prompt: String) -> PromptVerdict {
        self.setup.secrets.hide(&mut prompt);
        let said = || {
            (
                self.scene_of_user(to),
                Occasion::UserPromptSubmit { prompt },
            )
        };
        let verdict = self.consult(HookEvent::UserPromptSubmit, said).await;
        match &verdict.decision {
            HookDecision::Refuse(why) => PromptVerdict::Refused(why.clone()),
            HookDecision::Ask(_) | HookDecision::Pass => {
                PromptVerdict::Passes(verdict.fenced_context())
            }
        }
    }

    /// The scene of what the user does to a member, or to the team.
    pub(crate) fn scene_of_user(&self, name: &MemberName) -> Scene {
        let team = self.ledger.team();
        let member = team.member(name);
        let own = member.and_then(|member| member.options.mode);
        Scene {
            member: name.clone(),
            incarnation: member.map_or(Incarnation::FIRST, |member| member.incarnation),
            subagent: None,
            mode: own.unwrap_or(Mode::Bypass).min(self.mode()),
            place: self.workspace.clone(),
        }
    }
}

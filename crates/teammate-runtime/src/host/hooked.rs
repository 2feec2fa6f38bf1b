//! Hooks of the team as a whole: when it is opened and closed, and when the user says something to a member.

use std::time::Duration;

use teammate_core::{
    MemberName,
    cause::Cause,
    event::Closing,
    hook::{HookEvent, Occasion},
    port::Refusal,
    team::MessageCause,
};

use super::{Host, LeadDuties};
use crate::{
    base::{PromptVerdict, refused_prompt},
    mailer::{MailDraft, truncated_to_limit},
};

/// How long hooks may hold up the end of the program.
const END_WITHIN: Duration = Duration::from_secs(5);

impl LeadDuties {
    /// The team was opened and nobody works yet. What hooks add, the lead hears with whatever it hears first.
    pub(super) async fn show_hooks_start(&self) {
        let source = if self.is_resumed() {
            "resume"
        } else {
            "startup"
        };
        let lead = MemberName::lead();
        let opened = || {
            (
                self.base.scene_of_user(&lead),
                Occasion::SessionStart { source },
            )
        };
        let verdict = self.base.consult(HookEvent::SessionStart, opened).await;
        let Some(context) = verdict.fenced_context() else {
            return;
        };
        let cause = Cause::user(self.base.ports.ids.new_id());
        let id = (self.base.ledger.team()).message_id(MessageCause::Said(&cause));
        let draft = MailDraft::notice(id, &lead, truncated_to_limit(context));
        if let Err(error) = self.mailer.send(draft).await {
            let text = format!("the lead did not get what a hook adds: {error}");
            self.base.feed.note(&lead, text);
        }
    }
}

impl Host {
    /// The team is closed and no member works. Nothing waits long for that.
    pub(super) async fn show_hooks_end(&self, why: Closing) {
        self.base.end_hooks(END_WITHIN).await;
        let reason = match why {
            Closing::Settled => "settled",
            Closing::Paused => "paused",
            Closing::Stopped => "stopped",
            Closing::Storage => "storage",
        };
        let lead = MemberName::lead();
        let closed = || {
            (
                self.base.scene_of_user(&lead),
                Occasion::SessionEnd { reason },
            )
        };
        let ending = self.base.consult(HookEvent::SessionEnd, closed);
        if tokio::time::timeout(END_WITHIN, ending).await.is_err() {
            let text = format!(
                "SessionEnd hooks took longer than {} s and were ended",
                END_WITHIN.as_secs()
            );
            self.base.feed.note(&lead, text);
        }
    }

    /// The words of the user to a member, with what hooks add to them.
    pub(super) async fn ask_hooks_to_say(
        &self,
        to: &MemberName,
        prompt: String,
    ) -> Result<String, Refusal> {
        match self.base.judge_prompt(to, prompt.clone()).await {
            PromptVerdict::Refused(why) => Err(Refusal::Rule(refused_prompt(&why))),
            PromptVerdict::Passes(Some(adds)) => Ok(format!("{prompt}\n\n{adds}")),
            PromptVerdict::Passes(None) => Ok(prompt),
        }
    }
}

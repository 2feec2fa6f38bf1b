//! Words of the user that another process wrote: hooks judge them when they come, also in a turn. The member hears them once that
//! is done, in their order, and none that are refused. Who waits for the verdict gets it by an order (`UserOrder::Judge`).

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use teammate_core::{
    Message, MessageId,
    hook::HookEvent,
    port::Batch,
    team::{Command, OrderEnd},
};
use tokio::{
    task::{JoinError, JoinSet},
    time::Instant,
};

use super::Driver;
use crate::{
    activity::SendGuard,
    base::{PromptVerdict, refused_prompt},
};

/// The most mail of one member that hooks judge side by side.
const AT_ONCE_MAX: usize = 16;

/// The pause after hooks could not be run, because of a bug.
const RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The hooks' verdicts on mail that lies in the mailbox.
#[derive(Default)]
pub(super) struct Judging {
    /// Dropped, they are ended.
    running: JoinSet<Judged>,
    /// By mail; `None` while they run. What is no longer in the mailbox is forgotten.
    verdicts: BTreeMap<MessageId, Option<PromptVerdict>>,
}

/// Hooks have judged.
pub(super) struct Judged {
    mail: MessageId,
    verdict: PromptVerdict,
    /// The team is not idle before the member has taken it up.
    busy: SendGuard,
}

impl Judging {
    /// Resolves when hooks have judged something; `None` if nothing is being judged.
    pub(super) async fn next(&mut self) -> Option<Result<Judged, JoinError>> {
        self.running.join_next().await
    }
}

impl Driver {
    /// Mail may have come, and the member may not take it yet.
    pub(super) async fn judge_arrived(&mut self) {
        if !self.base.listens(HookEvent::UserPromptSubmit) {
            return;
        }
        // What cannot be read now is judged when it is taken.
        let waiting = self.parts.mailer.waiting(&self.name).await;
        for mail in waiting.unwrap_or_default() {
            self.judge(&mail);
        }
    }

    /// Has hooks judge mail, if it needs that and they have not begun.
    fn judge(&mut self, mail: &Message) {
        let is_new = mail.metadata.unjudged
            && !self.judging.verdicts.contains_key(&mail.id)
            && !self.agent.conversation().has_heard(&mail.id);
        if !is_new || self.judging.running.len() >= AT_ONCE_MAX {
            return;
        }
        self.judging.verdicts.insert(mail.id.clone(), None);
        let busy = self.base.activity.begin();
        let (base, to, mail) = (self.base.clone(), self.name.clone(), mail.clone());
        self.judging.running.spawn(async move {
            Judged {
                verdict: base.judge_prompt(&to, mail.content).await,
                mail: mail.id,
                busy,
            }
        });
    }

    /// Takes up a verdict, and tells it. The value is to be held until the member has looked into its mailbox.
    pub(super) async fn on_judged(
        &mut self,
        judged: Result<Judged, JoinError>,
    ) -> Option<SendGuard> {
        let Judged {
            mail,
            verdict,
            busy,
        } = match judged {
            Ok(judged) => judged,
            Err(error) => {
                self.base.feed.note(&self.name, format!("a bug: {error}"));
                self.judging.running.abort_all();
                self.judging.verdicts.retain(|_, verdict| verdict.is_some());
                self.retry_mail_at = Some(Instant::now() + RETRY_PAUSE);
                return None;
            }
        };
        let end = match &verdict {
            PromptVerdict::Passes(_) => OrderEnd::Done,
            PromptVerdict::Refused(why) => OrderEnd::Refused {
                why: refused_prompt(why),
            },
        };
        let asked = self.base.ledger.team().orders().judging(&mail);
        match (asked, &verdict) {
            (Some(id), _) => {
                if let Err(error) = self.base.ledger.decide(Command::EndOrder { id, end }).await {
                    let text = format!("who sent mail {mail} did not get the verdict: {error}");
                    self.base.feed.note(&self.name, text);
                }
            }
            // Who sent it is gone, or did not wait.
            (None, PromptVerdict::Refused(why)) => {
                let text = format!(
                    "a hook refuses what you sent to {} from another process; it is not heard.\n{why}",
                    self.name
                );
                self.base.feed.note(&self.name, text);
            }
            (None, PromptVerdict::Passes(_)) => {}
        }
        self.judging.verdicts.insert(mail, Some(verdict));
        Some(busy)
    }

    /// Takes out of a batch what hooks refuse, and what they have not judged, with all such mail behind it. True if some is yet to
    /// be judged: the batch stays claimed. `waits` is whether that was so of a batch before.
    pub(super) fn leave_unjudged(&mut self, claim: &mut Batch, waits: &mut bool) -> bool {
        let listens = self.base.listens(HookEvent::UserPromptSubmit);
        if listens {
            claim.messages.iter().for_each(|mail| self.judge(mail));
        }
        let (mut is_held, heard) = (false, self.agent.conversation());
        let verdicts = &self.judging.verdicts;
        claim.messages.retain_mut(|mail| {
            if !mail.metadata.unjudged || heard.has_heard(&mail.id) {
                return true;
            }
            if !listens {
                mail.metadata.unjudged = false;
                return true;
            }
            match verdicts.get(&mail.id) {
                Some(Some(PromptVerdict::Refused(_))) => false,
                Some(Some(PromptVerdict::Passes(adds))) if !*waits => {
                    if let Some(adds) = adds {
                        mail.content = format!("{}\n\n{adds}", mail.content);
                    }
                    mail.metadata.unjudged = false;
                    true
                }
                Some(Some(PromptVerdict::Passes(_)) | None) | None => {
                    (is_held, *waits) = (true, true);
                    false
                }
            }
        });
        is_held
    }

    /// Forgets the verdicts about all but this mail, which stays in the mailbox.
    pub(super) fn forget_verdicts(&mut self, but: &BTreeSet<MessageId>) {
        let verdicts = &mut self.judging.verdicts;
        verdicts.retain(|mail, verdict| verdict.is_none() || but.contains(mail));
    }
}

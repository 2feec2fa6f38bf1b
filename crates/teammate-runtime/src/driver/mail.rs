//! A member's ear: takes mail out of its mailbox, and forgets it there once it is in the transcript.

use std::{collections::BTreeSet, time::Duration};

use teammate_core::{
    Message, MessageId,
    fence::escaped_line,
    mail::ClaimedSender,
    port::{Batch, MailError, UnverifiedLine},
    request::RequestCommand,
    team::Command,
    team::MessageCause,
};
use tokio::time::Instant;

use super::Driver;
use crate::mailer::ends_wait;

/// The pause after a mailbox could not be read.
const MAIL_RETRY_PAUSE: Duration = Duration::from_secs(1);

/// The most unverified lines of one batch that are noted one by one.
const UNVERIFIED_NOTED_MAX: usize = 5;

impl Driver {
    pub(super) async fn take_mail(&mut self) -> Vec<Message> {
        self.retry_mail_at = None;
        self.results_until = None;
        let end = self.mail_end().await;
        let lying = self.lying_mail();
        match self.base.ports.mailbox.take(&self.name).await {
            Ok(claims) => {
                let (mut mail, mut waits, mut unjudged) = (Vec::new(), false, BTreeSet::new());
                for mut claim in claims {
                    let ids = claim.messages.iter().map(|message| &message.id);
                    self.base.activity.mail_taken(&self.name, ids);
                    let team = self.base.ledger.team();
                    let is_recalled = |mail: &Message| team.orders().is_recalled(&mail.id);
                    claim.messages.retain(|mail| !is_recalled(mail));
                    let is_for_others = self.leave_for_others(&mut claim);
                    let asks = claim.messages.iter().filter(|mail| mail.metadata.unjudged);
                    unjudged.extend(asks.map(|mail| mail.id.clone()));
                    let is_held = self.leave_unjudged(&mut claim, &mut waits) || is_for_others;
                    // Another process may know fewer secrets.
                    let secrets = &self.base.setup.secrets;
                    for mail in &mut claim.messages {
                        mail.each_text(|text| secrets.hide(text));
                    }
                    mail.append(&mut claim.messages);
                    if is_held && !self.held.insert(claim.id) {
                        // It was looked through before.
                        continue;
                    }
                    for line in claim.damaged {
                        let text = format!(
                            "a line in the inbox could not be read ({}); it is kept in {}",
                            line.why, line.kept_in
                        );
                        self.base.feed.note_damage(&self.name, text);
                    }
                    for gap in claim.gaps {
                        self.base.feed.note_damage(&self.name, gap);
                    }
                    self.note_unverified(&claim.unsealed);
                    if !is_held {
                        self.claims.push(claim.id);
                    }
                }
                // What lay there and was not found is gone: the holder before had heard it, and forgot it there just now.
                self.base.activity.mail_taken(&self.name, &lying);
                let is_read_up = end.is_ok() && !self.is_mail_coming();
                if !is_read_up {
                    self.retry_mail_at = Some(Instant::now() + MAIL_RETRY_PAUSE);
                }
                if let Ok(end) = end {
                    self.base.activity.mail_read(&self.name, end);
                }
                self.forget_verdicts(&unjudged);
                self.parts.loops.hear(&self.name, &mail);
                mail
            }
            Err(error) => {
                self.base
                    .feed
                    .note(&self.name, format!("{error}; looking again in a moment"));
                self.base.activity.forget_unread_mail(&self.name);
                self.retry_mail_at = Some(Instant::now() + MAIL_RETRY_PAUSE);
                Vec::new()
            }
        }
    }

    /// How much mail there is: at least that much is read by the take that follows. Nobody asks where one process runs the team.
    async fn mail_end(&self) -> Result<Option<u64>, MailError> {
        match self.base.deployment.moves_members() {
            true => self.base.ports.mailbox.end(&self.name).await,
            false => Ok(None),
        }
    }

    /// Mail that lies in the mailbox for certain. Nobody else takes it where one process runs the team.
    fn lying_mail(&self) -> Vec<MessageId> {
        match self.base.deployment.moves_members() {
            true => self.base.activity.stored_mail(&self.name),
            false => Vec::new(),
        }
    }

    /// Whether mail is on its way here, which a holder before may take and forget: then nothing rings.
    fn is_mail_coming(&self) -> bool {
        self.base.deployment.moves_members() && self.base.activity.has_unheard(&self.name)
    }

    /// Mail may have come from another process. What is not taken at once counts from now on: it may end a wait, or be a result
    /// that waits for more.
    pub(super) async fn count_arrived(&mut self) {
        let is_taken_at_once = self.agent.is_idle() && !self.name.is_lead();
        if !self.base.deployment.moves_members() || is_taken_at_once {
            return;
        }
        let Ok(waiting) = self.parts.mailer.waiting(&self.name).await else {
            // Nothing rings for it a second time.
            self.retry_mail_at = Some(Instant::now() + MAIL_RETRY_PAUSE);
            return;
        };
        let heard = self.agent.conversation();
        let new = waiting.iter().filter(|mail| !heard.has_heard(&mail.id));
        let new = new.map(|mail| (&mail.id, ends_wait(mail)));
        self.base.activity.mail_arrived(&self.name, new);
    }

    /// Takes out of a batch what is for another conversation of the lead. True if there is any: the batch stays claimed until
    /// that conversation continues.
    fn leave_for_others(&self, claim: &mut Batch) -> bool {
        let team = self.base.ledger.team();
        let heard = self.agent.conversation();
        let all = claim.messages.len();
        let is_for_others =
            |mail: &Message| !team.is_for_current(mail) && !heard.has_heard(&mail.id);
        claim.messages.retain(|mail| !is_for_others(mail));
        claim.messages.len() < all
    }

    /// An answer to the member's plan takes effect when it is in the transcript: before the next model call, so
    /// that nothing follows from an answer that its author does not know.
    pub(super) async fn hear_answer(&self) {
        let team = self.base.ledger.team();
        let member = team.member(&self.name);
        let member = member.filter(|member| member.incarnation == self.incarnation);
        let Some(request) = member.and_then(|member| member.gate.unheard()) else {
            return;
        };
        let conversation = self.agent.conversation();
        if !conversation.has_heard(&team.message_id(MessageCause::Settled(request))) {
            return;
        }
        let heard = RequestCommand::Heard {
            request,
            member: self.name.clone(),
            incarnation: self.incarnation,
        };
        if let Err(error) = self.base.ledger.decide(Command::Request(heard)).await {
            // It is noted before the next call of the model.
            let text = format!(
                "the record that the answer to {request} was read could not be written: {error}"
            );
            self.base.feed.note(&self.name, text);
        }
    }

    /// Notes unverified mail for the user; the member hears it as from an unknown sender.
    fn note_unverified(&self, lines: &[UnverifiedLine]) {
        for line in lines.iter().take(UNVERIFIED_NOTED_MAX) {
            let what = match line.pretends {
                Some(kind) => format!("a {kind}"),
                None => "mail".to_owned(),
            };
            let text = format!(
                "{what} in {}'s inbox was not written by the team's mail and claims to be from '{}'. The member sees it marked unverified; it cannot command or approve anything. A copy is in {}",
                self.name,
                escaped_line(ClaimedSender::new(&line.claims).as_str()),
                line.kept_in
            );
            self.base.feed.note(&self.name, text);
        }
        let more = lines.len().saturating_sub(UNVERIFIED_NOTED_MAX);
        if more > 0 {
            let text = format!("{more} more such lines are in {}'s inbox", self.name);
            self.base.feed.note(&self.name, text);
        }
    }

    pub(super) async fn ack_mail(&mut self) {
        if self.is_working && !self.claims.is_empty() {
            // Other processes see mail that waits or a member that works, at every moment.
            self.base.ledger.written().await;
        }
        for claim in std::mem::take(&mut self.claims) {
            // What stays claimed is read again at the next opening and skipped by its ids.
            if let Err(error) = self.base.ports.mailbox.ack(&self.name, claim).await {
                self.base.feed.note(&self.name, error.to_string());
            }
        }
    }
}

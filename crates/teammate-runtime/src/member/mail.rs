//! A member's ear: takes mail out of its mailbox, and forgets it there once it is in the transcript.

use std::time::Duration;

use teammate_core::{
    Message,
    fence::escaped_line,
    mail::Claimed,
    port::{Claim, UnsealedLine},
    request::RequestCommand,
    team::Command,
    team::MessageCause,
};
use tokio::time::Instant;

use super::Driver;

/// The pause after a mailbox could not be read.
const LISTEN_AGAIN: Duration = Duration::from_secs(1);

/// How many lines of one batch that nobody vouches for are told one by one.
const UNSEALED_TOLD_MAX: usize = 5;

impl Driver {
    pub(super) async fn listen(&mut self) -> Vec<Message> {
        self.listen_again = None;
        match self.base.world.mailbox.claim(&self.name).await {
            Ok(claims) => {
                let mut mail = Vec::new();
                for mut claim in claims {
                    let ids = claim.messages.iter().map(|message| &message.id);
                    self.base.activity.takes(&self.name, ids);
                    let is_held = self.leave_for_others(&mut claim);
                    mail.append(&mut claim.messages);
                    if is_held && !self.held.insert(claim.id) {
                        // It was looked through before.
                        continue;
                    }
                    for line in claim.damaged {
                        let text = format!(
                            "a line of mail could not be read ({}); it is kept in {}",
                            line.why, line.kept_in
                        );
                        self.base.feed.notice(&self.name, text);
                    }
                    for gap in claim.gaps {
                        self.base.feed.notice(&self.name, gap);
                    }
                    self.tell_unsealed(&claim.unsealed);
                    if !is_held {
                        self.claims.push(claim.id);
                    }
                }
                self.parts.loops.hear(&self.name, &mail);
                mail
            }
            Err(error) => {
                self.base
                    .feed
                    .notice(&self.name, format!("{error}; looking again in a moment"));
                self.base.activity.forget_unread_mail(&self.name);
                self.listen_again = Some(Instant::now() + LISTEN_AGAIN);
                Vec::new()
            }
        }
    }

    /// Takes out of a batch what is for another conversation of the lead. True if there is any: the batch stays claimed until
    /// that conversation goes on.
    fn leave_for_others(&self, claim: &mut Claim) -> bool {
        let team = self.base.ledger.team();
        let heard = self.agent.conversation();
        let all = claim.messages.len();
        let is_for_others =
            |mail: &Message| !team.is_for_current(mail) && !heard.has_heard(&mail.id);
        claim.messages.retain(|mail| !is_for_others(mail));
        claim.messages.len() < all
    }

    /// An answer to the member's plan counts from when it is in the transcript: before the model is asked again, so that nothing
    /// follows from an answer that its author does not know.
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
            let text =
                format!("that the answer to {request} was heard could not be noted: {error}");
            self.base.feed.notice(&self.name, text);
        }
    }

    /// What something else put into the mailbox is told to the person; the member hears it as words of somebody unknown.
    fn tell_unsealed(&self, lines: &[UnsealedLine]) {
        for line in lines.iter().take(UNSEALED_TOLD_MAX) {
            let what = match line.pretends {
                Some(kind) => format!("a {kind}"),
                None => "mail".to_owned(),
            };
            let text = format!(
                "{what} that the team's mail did not write lay in {}'s inbox; it says it is from '{}'. It has no effect and is \
                 told as unverified; it is kept in {}",
                self.name,
                escaped_line(Claimed::new(&line.claims).as_str()),
                line.kept_in
            );
            self.base.feed.notice(&self.name, text);
        }
        let more = lines.len().saturating_sub(UNSEALED_TOLD_MAX);
        if more > 0 {
            let text = format!("{more} more such lines lay in {}'s inbox", self.name);
            self.base.feed.notice(&self.name, text);
        }
    }

    pub(super) async fn settle(&mut self) {
        for claim in std::mem::take(&mut self.claims) {
            // What stays claimed is read again at the next opening and skipped by its ids.
            if let Err(error) = self.base.world.mailbox.settle(&self.name, claim).await {
                self.base.feed.notice(&self.name, error.to_string());
            }
        }
    }
}

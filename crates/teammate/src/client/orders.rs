//! Orders from another process to the one that runs the team: written to the journal here, carried out there, and waited for.

use std::time::{Duration, Instant};

use teammate_core::{
    MemberName, Message, MessageId,
    cause::Cause,
    permission::Mode,
    port::{Ids as _, Refusal},
    team::{Command, OrderEnd, UserOrder},
};
use teammate_runtime::unheard_words;
use teammate_store::clock::UuidV7Ids;

use super::TeamClient;
use crate::TeamError;

/// How long the host may take. It does little but tell a member; the member may be writing.
const ACT_TIMEOUT: Duration = Duration::from_secs(30);

/// After this time the journal is read again, even without a hint of the kernel, and the host's lock is checked.
const RECHECK_EVERY: Duration = Duration::from_secs(1);

impl TeamClient {
    /// Ends the turn of a member, or of every member; what they have done stays in their transcripts. Returns when they have
    /// been told.
    ///
    /// Errors: the team does not run, or its process does not act on it.
    pub async fn interrupt(&mut self, member: Option<&MemberName>) -> Result<(), TeamError> {
        let member = member.cloned();
        self.order(UserOrder::Interrupt { member }).await
    }

    /// Has a member's conversation summarized as soon as there is a moment for it; `focus` is what the summary keeps above all.
    /// Returns when the member knows. Errors as for [`interrupt`](Self::interrupt).
    pub async fn compact(
        &mut self,
        member: &MemberName,
        focus: Option<&str>,
    ) -> Result<(), TeamError> {
        let (member, focus) = (member.clone(), focus.map(str::to_owned));
        self.order(UserOrder::Compact { member, focus }).await
    }

    /// Takes back mail of the user that no member has heard: this one, or the last. Returns it.
    ///
    /// Errors: who has heard it, or that there is none; as for [`interrupt`](Self::interrupt).
    pub async fn recall(&mut self, mail: Option<&MessageId>) -> Result<Message, TeamError> {
        let store = &self.store.store;
        let found = unheard_words(self.team(), &*store.mailbox, &*store.transcripts, mail).await?;
        let order = UserOrder::Recall {
            mail: found.id.clone(),
            member: found.to.clone(),
        };
        self.order(order).await?;
        Ok(found)
    }

    /// Chooses another permission mode for the team, until it is closed: from the next call of any member on.
    ///
    /// Errors: the machine's administrator forbids it; as for [`interrupt`](Self::interrupt).
    pub async fn choose_mode(&mut self, mode: Mode) -> Result<(), TeamError> {
        self.order(UserOrder::Mode { mode }).await
    }

    /// Begins a new conversation with the lead, which rests; the team, its board and its mail stay, and so does what was said.
    ///
    /// Errors: the lead works; as for [`interrupt`](Self::interrupt).
    pub async fn clear(&mut self) -> Result<(), TeamError> {
        self.order(UserOrder::Clear).await
    }

    async fn order(&mut self, order: UserOrder) -> Result<(), TeamError> {
        self.require_user()?;
        self.holder = self.store.presence.holder().await?;
        if self.holder.is_none() {
            return Err(TeamError::NotRunning);
        }
        let call = Cause::user(UuidV7Ids.new_id());
        let command = Command::Order {
            order,
            call: call.clone(),
        };
        let _listening = self.store.doorbells.listen();
        self.decide(&command).await?;
        match self.end_of_order(&call).await? {
            OrderEnd::Done => Ok(()),
            OrderEnd::Refused { why } => Err(Refusal::Rule(why).into()),
            OrderEnd::Dropped => Err(closed_before()),
        }
    }

    /// Follows the journal until the order has ended.
    async fn end_of_order(&mut self, call: &Cause) -> Result<OrderEnd, TeamError> {
        let begun = Instant::now();
        loop {
            // Asked for first: what the host wrote before it ended is read then.
            let holder = self.store.presence.holder().await?;
            self.catch_up().await?;
            let given = self.team().orders().given_by(call);
            if let Some(end) = given.and_then(|given| given.end.clone()) {
                return Ok(end);
            }
            let Some(holder) = holder else {
                return Err(closed_before());
            };
            if begun.elapsed() > ACT_TIMEOUT {
                let text = format!(
                    "not done yet: {holder}, which runs the team, did not act on it. It will when it goes on, if it is not closed first"
                );
                return Err(Refusal::Rule(text).into());
            }
            // Heard or not, it is looked again.
            let _ = tokio::time::timeout(RECHECK_EVERY, self.store.store.journal.grew()).await;
        }
    }
}

fn closed_before() -> TeamError {
    let text = "the team was closed before it could act on that; it is not done later";
    Refusal::Rule(text.to_owned()).into()
}

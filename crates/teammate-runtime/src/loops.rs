//! Ends loops of several members: refuses mail that only mail has led to, and spawns without end. What counts as one is core's
//! to say (`loops`); how much is too much, the setup's.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use teammate_core::{
    MemberName, Message,
    cause::Cause,
    lock::Hold,
    loops::{Hops, Pace},
    mail::Metadata,
    port::{Caller, Refusal},
    team::MessageCause,
};

use crate::{
    base::Base,
    mailer::{MailDraft, Mailer},
};

/// The place of each member in a chain of mail.
pub(crate) struct Loops {
    base: Arc<Base>,
    mailer: Arc<Mailer>,
    state: Mutex<LoopsState>,
}

#[derive(Default)]
struct LoopsState {
    hops: BTreeMap<MemberName, Hops>,
    /// Pairs of whom the lead knows that they only answer each other.
    told: BTreeSet<[MemberName; 2]>,
    spawns: Pace,
    is_storm_told: bool,
}

impl Loops {
    pub(crate) fn new(base: Arc<Base>, mailer: Arc<Mailer>) -> Self {
        Self {
            base,
            mailer,
            state: Mutex::default(),
        }
    }

    /// The member has heard this.
    pub(crate) fn hear(&self, member: &MemberName, mail: &[Message]) {
        self.state
            .hold()
            .hops
            .entry(member.clone())
            .or_default()
            .hear(mail);
    }

    /// The member calls a tool.
    pub(crate) fn call(&self, member: &MemberName, call: &Cause) {
        self.state
            .hold()
            .hops
            .entry(member.clone())
            .or_default()
            .call(call);
    }

    /// That call is none but talk.
    pub(crate) fn talk(&self, caller: &Caller) {
        if let Some(hops) = self.state.hold().hops.get_mut(&caller.name) {
            hops.talk(&caller.call);
        }
    }

    /// The member's turn is over.
    pub(crate) fn turn_ended(&self, member: &MemberName) {
        if let Some(hops) = self.state.hold().hops.get_mut(member) {
            hops.turn_ended();
        }
    }

    fn next(&self, member: &MemberName) -> u32 {
        self.state
            .hold()
            .hops
            .entry(member.clone())
            .or_default()
            .send()
    }

    /// The number of hops of the notice that a member's turn is over, and whether it may wake the lead.
    pub(crate) fn hops_of_notice(&self, member: &MemberName) -> (u32, bool) {
        let (hops, most) = (self.next(member), self.base.setup.config.limits.hops_max);
        (hops, most == 0 || hops <= most)
    }

    /// The hop that mail of a member to these others carries besides, if it may be sent.
    ///
    /// Errors: only mail has led to it, too often in a row. The lead gets one notice.
    pub(crate) async fn hop(
        &self,
        caller: &Caller,
        to: &[MemberName],
    ) -> Result<Metadata, Refusal> {
        self.talk(caller);
        let (hops, most) = (
            self.next(&caller.name),
            self.base.setup.config.limits.hops_max,
        );
        if most > 0 && hops > most {
            for other in to {
                self.send_loop_notice(caller, other, most).await;
            }
            return Err(Refusal::Rule(format!(
                "the last {most} messages only answered one another, with no work in between; that is the limit, and nothing was sent. Do not answer: do some work, or end your turn"
            )));
        }
        if hops == 1 {
            let mut state = self.state.hold();
            for other in to {
                state.told.remove(&pair(&caller.name, other));
            }
        }
        Ok(Metadata {
            hops: Some(hops),
            ..Metadata::default()
        })
    }

    async fn send_loop_notice(&self, caller: &Caller, other: &MemberName, most: u32) {
        let from = &caller.name;
        if !self.state.hold().told.insert(pair(from, other)) {
            return;
        }
        let text = format!(
            "{from} and {other} only answer each other: the last {most} messages answered one another, with no work in between. The next one, from {from}, was not sent."
        );
        self.base.feed.note(from, text.clone());
        if from.is_lead() {
            // It reads why in the outcome of its call.
            return;
        }
        let cause = MessageCause::Loop(&caller.call, other);
        let id = self.base.ledger.team().message_id(cause);
        let draft = MailDraft {
            wakes: !other.is_lead(),
            ..MailDraft::notice(id, &MemberName::lead(), text)
        };
        if let Err(error) = self.mailer.send(draft).await {
            let text = format!(
                "the lead did not get the notice that members only answer each other: {error}"
            );
            self.base.feed.note(from, text);
        }
    }

    /// Whether one more teammate may be spawned or woken now.
    ///
    /// Errors: too many were within the last minute.
    pub(crate) fn may_spawn(&self, caller: &Caller) -> Result<(), Refusal> {
        let (now, most) = (
            self.base.ports.clock.now(),
            self.base.setup.config.limits.spawns_max,
        );
        let mut state = self.state.hold();
        if state.spawns.take(now, most) {
            state.is_storm_told = false;
            return Ok(());
        }
        let why = format!(
            "{most} teammates were spawned or woken within a minute, and that is the limit (max_spawns)"
        );
        if !std::mem::replace(&mut state.is_storm_told, true) {
            self.base
                .feed
                .note(&caller.name, format!("{why}; further spawns are refused"));
        }
        Err(Refusal::Rule(format!(
            "{why}; no teammate was spawned. Give the work to existing teammates, or wait"
        )))
    }
}

/// A pair of members, in either direction.
fn pair(one: &MemberName, other: &MemberName) -> [MemberName; 2] {
    let mut pair = [one.clone(), other.clone()];
    pair.sort();
    pair
}

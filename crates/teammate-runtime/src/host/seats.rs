//! Who sits where: the team is made if it is not there, its members' tasks are started, told things and ended.

use std::{collections::HashMap, sync::Arc};

use teammate_core::{
    MemberName,
    event::What,
    port::{Refusal, WorktreeError},
    team::{Command, Member, Phase},
};
use tokio::sync::oneshot;

use super::{OpenError, PATIENCE, Shared};
use crate::{
    member::{Driver, DriverError, Order},
    supervise::{self, Seat},
};

impl Shared {
    /// Makes the team if it is not there; true if it was.
    pub(super) async fn found(&self) -> Result<bool, OpenError> {
        let existed = self.ledger.team().exists();
        if !existed {
            let id = self.world.ids.new_id();
            self.ledger
                .decide(Command::Create {
                    id,
                    name: self.setup.team_name.clone(),
                })
                .await?;
        }
        let open = Command::Open {
            mode: self.setup.mode,
            model: self.setup.model.clone(),
        };
        self.ledger.decide(open).await?;
        Ok(existed)
    }

    /// Where money is limited, all that somebody uses or has used has a price.
    pub(super) fn all_priced(&self) -> Result<(), OpenError> {
        if !self.setup.budgets.limits_money() {
            return Ok(());
        }
        let team = self.ledger.team();
        let models = team.members().filter_map(|m| m.terms.model.as_ref());
        let models = std::iter::once(&self.setup.model).chain(models);
        let used = team.spending().names_of_models();
        let mut models = models
            .map(ToString::to_string)
            .chain(used.into_iter().map(str::to_owned));
        match models.find(|model| self.setup.prices.of(model).is_none()) {
            Some(model) => Err(OpenError::NoPrice(model)),
            None => Ok(()),
        }
    }

    /// Chooses the conversation and says that the team is open; the members that are to be seated.
    pub(super) async fn begin(&self, resumed: bool) -> Result<Vec<MemberName>, OpenError> {
        // Before: what is told of lost jobs belongs to the conversation in which they ran.
        self.lose_jobs().await;
        let paused = self.choose_conversation().await?;
        let (name, conversation, members, living) = {
            let team = self.ledger.team();
            // The members of a team that ends do not begin again.
            let begins = |m: &&Member| {
                m.phase != Phase::Stopped
                    && !team.is_in_ending_group(m)
                    && team.paused_for(&m.name).is_none()
            };
            let all = team.members().map(|member| member.name.clone());
            let living = team.members().filter(begins);
            (
                team.name().to_owned(),
                team.conversation(),
                all.collect(),
                living.map(|member| member.name.clone()).collect(),
            )
        };
        let opened = What::TeamOpened {
            team: name,
            members,
            resumed,
            pid: Some(std::process::id()),
            conversation: Some(conversation),
        };
        self.feed.tell(&MemberName::lead(), opened);
        if let Some(text) = paused {
            self.feed.notice(&MemberName::lead(), text);
        }
        Ok(living)
    }

    /// Seats the members with which the team begins.
    pub(super) async fn seat_all(
        self: &Arc<Self>,
        members: &[MemberName],
    ) -> Result<(), OpenError> {
        // Nobody rests before all have begun: a wait that goes on must not end because the others are not there yet.
        for member in members {
            self.activity.works(member, true);
        }
        for member in members {
            match self.seat_if_absent(member).await {
                Ok(()) => {}
                Err(DriverError::Transcript(error)) => return Err(error.into()),
                Err(DriverError::Home(error)) => self.is_homeless(member, &error).await,
            }
        }
        Ok(())
    }

    /// The others go on without a member that has no place to work.
    pub(super) async fn is_homeless(self: &Arc<Self>, name: &MemberName, error: &WorktreeError) {
        let member = self.ledger.team().member(name).cloned();
        if let Some(member) = member {
            self.feed.notice(name, error.to_string());
            supervise::fail(self, &member, error.to_string()).await;
        }
        self.activity.leaves(name);
    }

    /// Starts a member's task in its current life; ends an earlier one first.
    pub(crate) async fn seat(self: &Arc<Self>, name: &MemberName) -> Result<(), DriverError> {
        let mut seats = self.seats.lock().await;
        let Some(seats) = seats.as_mut().filter(|_| !self.closing.has_begun()) else {
            // It begins when the team is opened again.
            return Ok(());
        };
        if let Some(earlier) = seats.remove(name) {
            earlier.stop(PATIENCE).await;
        }
        self.seat_among(seats, name).await
    }

    /// Starts the task of a member that has none in this process.
    pub(crate) async fn seat_if_absent(
        self: &Arc<Self>,
        name: &MemberName,
    ) -> Result<(), DriverError> {
        let mut seats = self.seats.lock().await;
        match seats.as_mut() {
            Some(seats) if !seats.contains_key(name) => self.seat_among(seats, name).await,
            Some(_) | None => Ok(()),
        }
    }

    async fn seat_among(
        self: &Arc<Self>,
        seats: &mut HashMap<MemberName, Seat>,
        name: &MemberName,
    ) -> Result<(), DriverError> {
        let member = self.ledger.team().member(name).cloned();
        // It may have been stopped before it could begin.
        let Some(member) = member.filter(|member| member.phase != Phase::Stopped) else {
            return Ok(());
        };
        let driver = Driver::open(self.clone(), &member).await?;
        if member.phase == Phase::Starting && !name.is_lead() {
            self.feed.tell(name, driver.spawned(&member));
        }
        seats.insert(name.clone(), Seat::start(self.clone(), driver, member));
        Ok(())
    }

    /// Tells a member's task something; a member without one hears nothing.
    /// Orders something of a member that runs. Returns when the member knows.
    pub(crate) async fn order_and_wait(
        &self,
        name: &MemberName,
        order: impl FnOnce(oneshot::Sender<()>) -> Order,
    ) -> Result<(), Refusal> {
        let (known, knows) = oneshot::channel();
        {
            let seats = self.seats.lock().await;
            let seat = seats.as_ref().and_then(|seats| seats.get(name));
            let seat = seat.ok_or_else(|| Refusal::Rule(format!("'{name}' does not run")))?;
            // A task that has ended drops it, and `known` with it.
            let _ = seat.orders.send(order(known));
        }
        // An error means that the member has just ended: there is nothing to do any more.
        let _ = knows.await;
        Ok(())
    }

    pub(crate) async fn order(&self, member: &MemberName, order: Order) {
        let seats = self.seats.lock().await;
        if let Some(seat) = seats.as_ref().and_then(|seats| seats.get(member)) {
            // A task that has ended obeys nobody.
            let _ = seat.orders.send(order);
        }
    }
}

//! The team's spending while it runs: the journal's sums, what is not handed over yet, and whether there is more to spend.
//! The rules are in core (`team::spending`, `budget`).
//!
//! The answers of a member that its transcript holds and the journal does not count yet are its tab. The driver hands it
//! over with the end of a turn, so counting costs no extra append; a crash loses nothing, because the tab is made
//! anew from the transcript.
//!
//! Where several workers run the team, [`shared`] sees to it that each of them knows enough of what the others spend.

mod hand_over;
mod shared;
mod stopwatch;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex},
};

use teammate_core::{
    Incarnation, MemberName,
    budget::{BudgetScope, BudgetStatus, BudgetUnit},
    lock::Hold,
    model::Usage,
    next_step::NextStep,
    team::{ActiveTime, Command, Spending, TeamEvent, UsageItem, UsageReport, UsageTotal},
};

use self::stopwatch::Stopwatch;
use crate::base::Base;

/// Counts the usage that is not in the journal yet.
pub(crate) struct UsageMeter {
    base: Arc<Base>,
    running: Mutex<SessionUsage>,
}

#[derive(Default)]
struct SessionUsage {
    tabs: BTreeMap<MemberName, Vec<UsageItem>>,
    /// Since the team was opened.
    session: Spending,
    members: BTreeMap<MemberName, Stopwatch>,
    team: Stopwatch,
    working: usize,
    /// Limits that a warning was given for.
    warned: BTreeSet<(BudgetScope, BudgetUnit)>,
}

impl UsageMeter {
    pub(crate) fn new(base: Arc<Base>) -> Self {
        Self {
            base,
            running: Mutex::default(),
        }
    }

    /// A member begins or ends to be in a turn. Said again, it changes nothing.
    pub(crate) fn set_working(&self, name: &MemberName, is_working: bool) {
        let running = &mut *self.running.hold();
        let own = running.members.entry(name.clone()).or_default();
        if own.is_running() == is_working {
            return;
        }
        own.set_running(is_working);
        if is_working {
            running.working += 1;
        } else {
            running.working -= 1;
        }
        // Of several workers one counts the team's time.
        if !self.base.deployment.shares_budgets() {
            running.team.set_running(running.working > 0);
        }
    }

    /// A member's turn has ended.
    pub(crate) fn turn_ended(&self, events: &[TeamEvent]) {
        let mut running = self.running.hold();
        events
            .iter()
            .for_each(|event| running.session.end_turn(event));
    }

    /// The spending since the team was opened.
    pub(crate) fn session(&self) -> Spending {
        let running = self.running.hold();
        let mut session = running.session.clone();
        running.add_time(&mut session);
        session
    }
}

impl SessionUsage {
    fn add_time(&self, spending: &mut Spending) {
        spending.worked += self.team.read();
        for (name, watch) in self.members.iter().filter(|(_, watch)| watch.read() > 0) {
            let worked = ActiveTime {
                member: watch.read(),
                team: 0,
            };
            spending.add_active_time(name, worked);
        }
    }

    fn take_time(&mut self, name: &MemberName, takes_team: bool) -> ActiveTime {
        let worked = ActiveTime {
            member: self.members.entry(name.clone()).or_default().take(),
            team: if takes_team { self.team.take() } else { 0 },
        };
        self.session.add_active_time(name, worked);
        worked
    }
}

impl UsageMeter {
    /// A request of a member was answered: the one way in which spending is noted. `at` is the entry of its transcript
    /// that holds the answer; nothing, if none does.
    pub(crate) fn record(
        &self,
        (name, incarnation): (&MemberName, Incarnation),
        at: Option<u64>,
        model: &str,
        usage: Usage,
    ) {
        let mut running = self.running.hold();
        running.session.add(name, model, UsageTotal::one(usage));
        let model = model.to_owned();
        match at {
            Some(at) => {
                let tab = running.tabs.entry(name.clone()).or_default();
                tab.push(UsageItem { at, model, usage });
            }
            None => self.base.ledger.submit(Command::RecordUsage(UsageReport {
                member: name.clone(),
                incarnation,
                totals: vec![(model, UsageTotal::one(usage))],
                active_time: ActiveTime::default(),
                part: None,
            })),
        }
    }

    /// Everything that was spent, up to this moment.
    pub(crate) fn spending(&self) -> Spending {
        // In this order, so that a tab is not shortened between the two looks.
        let running = self.running.hold();
        let mut spending = self.base.ledger.team().spending().clone();
        for (name, tab) in &running.tabs {
            spending.add_pending(name, tab);
        }
        running.add_time(&mut spending);
        spending
    }

    /// Errors if a budget is used up. Must be called before every model request, also of subagents.
    ///
    /// Errors: which budget is spent, and how to continue.
    pub(crate) fn require_budget(&self, name: &MemberName) -> Result<(), String> {
        let (budgets, config) = (self.base.budgets(), &self.base.setup.config);
        let (prices, wording) = (&config.prices, config.wording);
        if budgets.is_empty() {
            return Ok(());
        }
        let spending = self.spending();
        if budgets.limits_money() {
            let mut used = spending.model_names().into_iter();
            if let Some(model) = used.find(|model| prices.of(model).is_none()) {
                let step = wording.words(&NextStep::PriceModel(model.to_owned()));
                return Err(format!(
                    "money is limited, but '{model}' has no price; to continue, the user can {step}"
                ));
            }
        }
        for standing in budgets.statuses(&spending, prices, name) {
            if standing.is_reached {
                let limit = (standing.scope.clone(), standing.kind);
                let raise = match self.base.deployment.shares_budgets() {
                    true => NextStep::RaiseSharedBudget(limit.0, limit.1),
                    false => NextStep::RaiseBudget(limit.0, limit.1),
                };
                return Err(format!(
                    "{}; to continue, the user can {}",
                    standing.refusal(),
                    wording.words(&raise)
                ));
            }
            self.warn_once(name, &standing);
        }
        Ok(())
    }

    /// Says that a budget is nearly spent. The team's is one worker's to say.
    fn warn_once(&self, name: &MemberName, standing: &BudgetStatus) {
        if standing.scope == BudgetScope::Team && !self.base.has_lead() {
            return;
        }
        let limit = (standing.scope.clone(), standing.kind);
        if self.running.hold().warned.insert(limit) {
            self.base.feed.note(name, standing.notice());
        }
    }

    /// A member's transcript was opened: these of its answers are not counted yet.
    pub(crate) fn restore_pending(&self, name: &MemberName, tab: Vec<UsageItem>) {
        self.running.hold().tabs.insert(name.clone(), tab);
    }
}

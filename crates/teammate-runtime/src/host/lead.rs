//! The duties of the process that runs the lead, for the team as a whole: it opens the conversation, fires schedules, keeps the team at
//! its goal, tells
//! the lead of the board, ends groups. A process that is alone does it for as long as it runs; a worker while it holds the
//! lead.

use std::sync::{Arc, OnceLock};

use teammate_core::{
    MemberName,
    event::EventKind,
    hook::HookEvent,
    team::{Command, Member},
};

use super::OpenError;
use crate::{
    base::Base, goals::GoalWatch, mailer::Mailer, open_requests::OpenRequests,
    reactions::BoardWatch, schedules::Scheduling, team_service::TeamService,
    user_orders::UserOrders,
};

/// The parts that this takes.
pub(crate) struct LeadDuties {
    pub(super) base: Arc<Base>,
    pub(super) mailer: Arc<Mailer>,
    pub(super) requests: Arc<OpenRequests>,
    pub(super) orders: Arc<UserOrders>,
    pub(super) watch: BoardWatch,
    pub(super) schedules: Scheduling,
    pub(super) goals: GoalWatch,
    pub(super) team_service: TeamService,
    pub(super) found: OnceLock<OpeningFindings>,
}

/// The findings at the opening of the team.
#[derive(Default)]
pub(super) struct OpeningFindings {
    /// It was there.
    pub(super) resumed: bool,
    /// The damage of the journal, for the user when members start.
    pub(super) damaged: Vec<String>,
    /// The dropped orders of an earlier run, for the user when members start.
    pub(super) dropped: Vec<String>,
}

impl LeadDuties {
    /// Records what the team is opened with.
    pub(super) async fn record_opening(&self) -> Result<(), OpenError> {
        let open = Command::Open {
            mode: self.base.setup.config.mode,
            model: self.base.setup.config.model.clone(),
            judges_prompts: self.base.listens(HookEvent::UserPromptSubmit),
        };
        self.base.ledger.decide(open).await?;
        Ok(())
    }

    /// Shows that the team is open, and what stays paused.
    pub(super) fn show_open(&self, paused: Option<String>) {
        let team = self.base.ledger.team();
        let name = |member: &Member| member.name.clone();
        let opened = EventKind::TeamOpened {
            team: team.name().to_owned(),
            members: team.members().map(name).collect(),
            resumed: self.is_resumed(),
            pid: Some(std::process::id()),
            conversation: Some(team.conversation()),
            worker: self.base.deployment.worker().cloned(),
        };
        self.base.feed.emit(&MemberName::lead(), opened);
        if let Some(text) = paused {
            self.base.feed.note(&MemberName::lead(), text);
        }
    }

    /// Begins what goes on while the lead runs. Not before members have begun: one that has not taken up its turn yet seems to
    /// rest.
    pub(super) fn begin_team(&self) {
        // Those that came meanwhile.
        self.orders.carry_out();
        self.watch.send_board_notice();
        // Not waited for: what is unfinished takes answers and deadlines that only an opened team has.
        self.requests.ask_to_take_up();
        self.schedules.begin(&self.base);
        self.goals.begin();
        let service = self.team_service.clone();
        drop(tokio::spawn(async move { service.end_groups().await }));
        for line in self.found.get().iter().flat_map(|found| &found.damaged) {
            self.base.feed.note_damage(&MemberName::lead(), line);
        }
        for line in self.found.get().iter().flat_map(|found| &found.dropped) {
            self.base.feed.note(&MemberName::lead(), line);
        }
    }

    pub(super) fn is_resumed(&self) -> bool {
        self.found.get().is_some_and(|found| found.resumed)
    }
}

//! The rules: a command against the team's value gives events, or a refusal that says what would have worked.

use crate::{
    GroupName, Incarnation, MemberName,
    board::TaskRefusal,
    cause::Cause,
    port::Durability,
    request::{Demand, RequestRefusal},
    team::{
        ActiveTime, Command, ConversationId, JOBS_MAX, MEMBERS_MAX, Member, MemberOptions,
        MemberPhase, Spawn, TeamEvent, TeamState, UsageReport, UsageTotal,
    },
    transcript::EndReason,
};

/// What follows from a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// What happens; nothing, if it had happened before.
    pub events: Vec<TeamEvent>,
    /// How durable the events must be before they are published.
    pub durability: Durability,
}

/// Why a command was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TeamRefusal {
    /// Only the lead spawns.
    #[error("only the lead can spawn teammates; ask it by mail")]
    NotTheLead,
    /// The member is in a turn.
    #[error("'{name}' is currently {status}; send it a message instead")]
    Busy {
        /// Who.
        name: MemberName,
        /// What it is doing.
        status: &'static str,
    },
    /// The team is full.
    #[error("the team has {count} members, the most it may have; re-use an idle one")]
    Full {
        /// How many there are.
        count: usize,
    },
    /// A spawn may not give more rights than the spawner has.
    #[error("mode '{asked}' is above your own ('{own}'); spawn with '{own}' or less")]
    AboveOwnMode {
        /// What was asked.
        asked: crate::permission::Mode,
        /// What the spawner has.
        own: crate::permission::Mode,
    },
    /// Its plan gate is closed.
    #[error("{0}")]
    Gated(String),
    /// A member has too much running in the background.
    #[error(
        "{JOBS_MAX} jobs are running in the background, the most a member may have; stop one first"
    )]
    TooManyJobs,
    /// The rules of requests refuse it.
    #[error(transparent)]
    Request(#[from] RequestRefusal),
    /// Its loop has ended.
    #[error("'{0}' is stopped; a spawn wakes it")]
    Stopped(MemberName),
    /// Its shutdown is under way.
    #[error("'{0}' is being shut down; spawn it again in a moment, when it has stopped")]
    Leaving(MemberName),
    /// The board refuses it.
    #[error(transparent)]
    Task(#[from] TaskRefusal),
    /// Only the lead makes and ends teams.
    #[error("only the lead can make and end teams")]
    OnlyLeadTeams,
    /// The team's name is taken.
    #[error("team '{0}' exists already; spawn teammates into it (team: \"{0}\")")]
    TeamExists(GroupName),
    /// There is no such team.
    #[error("there is no team '{name}'; {known}")]
    NoTeam {
        /// What was asked for.
        name: GroupName,
        /// What there is.
        known: String,
    },
    /// The lead has no such conversation.
    #[error("there is no conversation {asked}; the last one is {last}")]
    NoConversation {
        /// What was asked for.
        asked: ConversationId,
        /// The last one.
        last: ConversationId,
    },
    /// There is no member of that name.
    #[error("there is no member '{0}'")]
    Unknown(MemberName),
    /// What was asked belongs to an earlier incarnation of the member.
    #[error("'{name}' was spawned again as incarnation {now}; incarnation {asked} has ended")]
    Stale {
        /// Who.
        name: MemberName,
        /// The incarnation that was meant.
        asked: Incarnation,
        /// The current incarnation.
        now: Incarnation,
    },
}

impl TeamState {
    /// Decides a command. The value does not change: the events do that, once they are in the journal.
    pub fn decide(&self, command: &Command) -> Result<Decision, TeamRefusal> {
        match command {
            Command::Create { id, name } => Ok(self.create(*id, name)),
            Command::Adopt {
                member,
                role,
                stopped,
            } => Ok(self.adopt(member, role, *stopped)),
            Command::Spawn(spawn) => self.spawn(spawn),
            Command::StartTurn {
                member,
                incarnation,
            } => {
                let known = self.current_running(member, *incarnation)?;
                let event = TeamEvent::Working {
                    member: member.clone(),
                    incarnation: *incarnation,
                };
                Ok(decision_if(
                    known.phase != MemberPhase::Working,
                    event,
                    Durability::Lazy,
                ))
            }
            Command::Wait {
                member,
                incarnation,
                on,
            } => {
                let known = self.current_running(member, *incarnation)?;
                let event = TeamEvent::Waiting {
                    member: member.clone(),
                    incarnation: *incarnation,
                    on: *on,
                };
                Ok(decision_if(
                    known.phase != MemberPhase::Waiting(*on),
                    event,
                    Durability::Lazy,
                ))
            }
            Command::EndTurn {
                member,
                incarnation,
                why,
                turn,
                result,
            } => {
                let known = self.current_running(member, *incarnation)?;
                let is_known = known.phase
                    == MemberPhase::Idle {
                        why: why.clone(),
                        turn: *turn,
                    };
                let event = TeamEvent::TurnEnded {
                    member: member.clone(),
                    incarnation: *incarnation,
                    why: why.clone(),
                    turn: *turn,
                    result: result.clone(),
                };
                let dropped = match why {
                    EndReason::Failed { what } => {
                        self.release_task_of(member, &format!("{member} failed: {what}"))
                    }
                    EndReason::Done
                    | EndReason::Interrupted
                    | EndReason::Limit { .. }
                    | EndReason::Waiting { .. } => None,
                };
                let dropped =
                    dropped.map_or_else(Vec::new, |dropped| self.with_plans(vec![dropped]));
                Ok(decision_if(!is_known, event, Durability::Synced).with(dropped))
            }
            Command::SetTodos {
                member,
                incarnation,
                items,
            } => {
                let known = self.current(member, *incarnation)?;
                let event = TeamEvent::Todos {
                    member: member.clone(),
                    incarnation: *incarnation,
                    items: items.clone(),
                };
                Ok(decision_if(known.todos != *items, event, Durability::Lazy))
            }
            Command::RecordUsage(spend) => Ok(self.spend(spend)),
            Command::Task(command) => Ok(Decision {
                events: self.with_plans(self.decide_task(command)?),
                durability: Durability::Synced,
            }),
            Command::Open { mode, model } => Ok(decision_if(
                self.ceiling() != Some(*mode) || self.model.as_ref() != Some(model),
                TeamEvent::Ceiling {
                    mode: *mode,
                    model: Some(model.clone()),
                },
                Durability::Lazy,
            )),
            Command::Conversation(ask) => self.choose_conversation(ask),
            Command::Join(member) => Ok(self.let_join(member)),
            Command::DropConversation(id) => self.drop_conversation(*id),
            Command::Group(command) => self.decide_group(command),
            Command::Request(command) => self.decide_request(command),
            Command::MarkBoardReported { changes } => Ok(decision_if(
                self.board().has_unreported_changes(),
                TeamEvent::BoardReported { changes: *changes },
                Durability::Lazy,
            )),
            Command::Stop {
                member,
                incarnation,
            } => {
                let known = self.current(member, *incarnation)?;
                let event = TeamEvent::Stopped {
                    member: member.clone(),
                    incarnation: *incarnation,
                };
                let is_new = known.phase != MemberPhase::Stopped;
                let dropped = self.release_task_of(member, &format!("{member} was stopped"));
                let cancelled = self.cancel_requests(member, &format!("{member} was stopped"));
                let decided = decision_if(is_new, event, Durability::Synced);
                Ok(decided.with(dropped).with(cancelled))
            }
            Command::Lapse { lapse, why } => Ok(self.lapse(*lapse, why)),
            Command::StartJob(start) => self.start_job(start),
            Command::EndJob { job, end } => Ok(self.end_job(*job, end)),
        }
    }

    fn create(&self, id: uuid::Uuid, name: &str) -> Decision {
        let created = TeamEvent::Created {
            id,
            name: name.to_owned(),
        };
        let lead = TeamEvent::Spawned {
            member: MemberName::lead(),
            role: "lead".to_owned(),
            prompt: String::new(),
            options: MemberOptions::default(),
            incarnation: Incarnation::FIRST,
            by: MemberName::lead(),
            call: Cause::create(),
            fresh: false,
            plan_by: None,
            plan_once: false,
        };
        let events = if self.exists() {
            Vec::new()
        } else {
            vec![created, lead]
        };
        Decision {
            events,
            durability: Durability::Synced,
        }
    }

    fn adopt(&self, member: &MemberName, role: &str, stopped: bool) -> Decision {
        let event = TeamEvent::Adopted {
            member: member.clone(),
            role: role.to_owned(),
            stopped,
        };
        decision_if(self.member(member).is_none(), event, Durability::Synced)
    }

    fn spawn(&self, spawn: &Spawn) -> Result<Decision, TeamRefusal> {
        if !spawn.by.is_lead() {
            return Err(TeamRefusal::NotTheLead);
        }
        if let Some(asked) = spawn.options.mode
            && asked > spawn.ceiling
        {
            return Err(TeamRefusal::AboveOwnMode {
                asked,
                own: spawn.ceiling,
            });
        }
        let demand = self.demand_of(spawn);
        let terms = self.options_for(spawn, demand.is_some());
        if let Some(team) = &terms.group {
            self.require_active(team)?;
        }
        let incarnation = match self.member(&spawn.member) {
            Some(known)
                if known
                    .assignment
                    .as_ref()
                    .is_some_and(|a| a.call == spawn.call) =>
            {
                return Ok(Decision {
                    events: Vec::new(),
                    durability: Durability::Synced,
                });
            }
            Some(known)
                if self
                    .requests()
                    .is_shutting_down(&known.name, known.incarnation) =>
            {
                return Err(TeamRefusal::Leaving(known.name.clone()));
            }
            Some(known) if known.phase.is_busy() => {
                return Err(TeamRefusal::Busy {
                    name: known.name.clone(),
                    status: known.phase.status().as_str(),
                });
            }
            Some(known) => {
                known.must_have_heard()?;
                known.incarnation.next()
            }
            None if self.members.len() >= MEMBERS_MAX => {
                return Err(TeamRefusal::Full {
                    count: self.members.len(),
                });
            }
            None => match self.past.get(&spawn.member) {
                Some(past) => past.life.next(),
                None => Incarnation::FIRST,
            },
        };
        let event = TeamEvent::Spawned {
            member: spawn.member.clone(),
            role: spawn.role.clone(),
            prompt: spawn.prompt.clone(),
            options: terms,
            incarnation,
            by: spawn.by.clone(),
            call: spawn.call.clone(),
            fresh: spawn.fresh,
            plan_by: demand.as_ref().map(Demand::by),
            plan_once: matches!(demand, Some(Demand::Once(_))),
        };
        let held = if spawn.fresh {
            self.release_task_of(&spawn.member, &format!("{} starts anew", spawn.member))
        } else {
            self.renew_lease_of(&spawn.member, incarnation)
        };
        let why = format!("{} was spawned again", spawn.member);
        let cancelled = self.cancel_requests(&spawn.member, &why);
        let decided = decision_if(true, event, Durability::Synced);
        Ok(decided.with(held).with(cancelled))
    }

    /// The requested options; a member that has a worktree keeps it, since its work is there.
    fn options_for(&self, spawn: &Spawn, plan: bool) -> MemberOptions {
        let known = self.member(&spawn.member);
        MemberOptions {
            require_plan: plan,
            worktree: spawn.options.worktree || known.is_some_and(|known| known.options.worktree),
            group: (spawn.options.group.clone()).or_else(|| known?.options.group.clone()),
            ..spawn.options.clone()
        }
    }

    /// Usage from a transcript counts if it begins where counting stopped, so it counts once.
    fn spend(&self, spend: &UsageReport) -> Decision {
        let counted = self.spending.counted(&spend.member);
        let is_known = spend.part.is_some_and(|part| part.from != counted);
        let upto = spend.part.map(|part| part.to).filter(|_| !is_known);
        // A transcript that grew without an answer moves the mark.
        let nothing = [(String::new(), UsageTotal::default())];
        let sums = match spend.totals.as_slice() {
            sums if !is_known && !sums.is_empty() => sums,
            _ => &nothing,
        };
        let event = |(at, (model, sum)): (usize, &(String, UsageTotal))| TeamEvent::Spent {
            member: spend.member.clone(),
            incarnation: spend.incarnation,
            model: model.clone(),
            requests: sum.requests,
            usage: sum.usage,
            upto,
            worked_ms: if at == 0 { spend.active_time.member } else { 0 },
            team_ms: if at == 0 { spend.active_time.team } else { 0 },
        };
        Decision {
            events: if is_known && spend.active_time == ActiveTime::default() {
                Vec::new()
            } else {
                sums.iter().enumerate().map(event).collect()
            },
            durability: Durability::Lazy,
        }
    }

    /// The member, if its loop has not ended.
    fn current_running(
        &self,
        name: &MemberName,
        asked: Incarnation,
    ) -> Result<&Member, TeamRefusal> {
        let member = self.current(name, asked)?;
        member.must_run()?;
        Ok(member)
    }

    pub(crate) fn current(
        &self,
        name: &MemberName,
        asked: Incarnation,
    ) -> Result<&Member, TeamRefusal> {
        let member = self
            .member(name)
            .ok_or_else(|| TeamRefusal::Unknown(name.clone()))?;
        if member.incarnation == asked {
            Ok(member)
        } else {
            Err(TeamRefusal::Stale {
                name: name.clone(),
                asked,
                now: member.incarnation,
            })
        }
    }
}

impl Decision {
    /// Adds what else follows, if there was anything to follow from.
    fn with(mut self, event: impl IntoIterator<Item = TeamEvent>) -> Self {
        if !self.events.is_empty() {
            self.events.extend(event);
        }
        self
    }
}

pub(super) fn decision_if(is_new: bool, event: TeamEvent, durability: Durability) -> Decision {
    Decision {
        events: if is_new { vec![event] } else { Vec::new() },
        durability,
    }
}

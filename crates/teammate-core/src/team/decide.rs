//! The rules: a command against the team's value gives events, or a refusal that says what would have worked.

use super::decision::decision_if;
use crate::{
    Incarnation, MemberName,
    cause::Cause,
    member::MemberOptions,
    model::UsageTotal,
    spending::ActiveTime,
    team::{
        Command, Decision, Durability, JournalFormat, TeamEvent, TeamRefusal, TeamState,
        UsageReport,
    },
};

impl TeamState {
    /// Decides a command. The value does not change: the events do that, once they are in the journal.
    pub fn decide(&self, command: &Command) -> Result<Decision, TeamRefusal> {
        let decision = self.decide_by_rules(command)?;
        let formats = decision.events.iter().map(JournalFormat::of);
        self.places()
            .require_readable(formats.max().unwrap_or_default())?;
        Ok(decision)
    }

    fn decide_by_rules(&self, command: &Command) -> Result<Decision, TeamRefusal> {
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
            } => self.start_turn(member, *incarnation),
            Command::Wait {
                member,
                incarnation,
                on,
            } => self.wait(member, *incarnation, *on),
            Command::EndTurn {
                member,
                incarnation,
                why,
                turn,
                result,
            } => self.end_turn(member, *incarnation, why, *turn, result),
            Command::ChooseModel {
                member,
                model,
                effort,
            } => self.choose_model(member, model.as_ref(), *effort),
            Command::SetTodos {
                member,
                incarnation,
                items,
            } => self.set_todos(member, *incarnation, items),
            Command::RecordUsage(spend) => Ok(self.spend(spend)),
            Command::Task(command) => Ok(Decision {
                events: self.with_plans(self.decide_task(command)?),
                durability: Durability::Synced,
            }),
            Command::Open {
                mode,
                model,
                judges_prompts,
            } => Ok(decision_if(
                self.ceiling() != Some(*mode)
                    || self.model.as_ref() != Some(model)
                    || self.judges_prompts != *judges_prompts,
                TeamEvent::Ceiling {
                    mode: *mode,
                    model: Some(model.clone()),
                    judges_prompts: (self.judges_prompts != *judges_prompts)
                        .then_some(*judges_prompts),
                },
                Durability::Lazy,
            )),
            Command::ChooseMode(mode) => Ok(decision_if(
                self.ceiling() != Some(*mode),
                TeamEvent::Ceiling {
                    mode: *mode,
                    model: None,
                    judges_prompts: None,
                },
                Durability::Synced,
            )),
            Command::SetBudgets(budgets) => Ok(decision_if(
                self.budgets() != *budgets,
                TeamEvent::BudgetsSet { budgets: *budgets },
                Durability::Synced,
            )),
            Command::Pause(device) => Ok(decision_if(
                self.pause().is_none(),
                TeamEvent::Paused {
                    device: device.clone(),
                },
                Durability::Synced,
            )),
            Command::Continue(device) => Ok(decision_if(
                self.pause().is_some(),
                TeamEvent::Continued {
                    device: device.clone(),
                },
                Durability::Synced,
            )),
            Command::BeginAnew { order, highest } => self.begin_anew(*order, *highest),
            Command::Conversation(ask) => self.choose_conversation(ask),
            Command::Join(member) => Ok(self.let_join(member)),
            Command::DropConversation(id) => self.drop_conversation(*id),
            Command::Group(command) => self.decide_group(command),
            Command::Request(command) => self.decide_request(command),
            Command::Schedule(command) => self.decide_schedule(command),
            Command::Goal(command) => self.decide_goal(command),
            Command::Place(command) => self.decide_place(command),
            Command::Under { right, command } => self.decide_under(right, command),
            Command::MarkBoardReported { changes } => Ok(decision_if(
                self.board().has_unreported_changes(),
                TeamEvent::BoardReported { changes: *changes },
                Durability::Lazy,
            )),
            Command::Stop {
                member,
                incarnation,
            } => self.stop(member, *incarnation),
            Command::Lapse { lapse, why } => Ok(self.lapse(*lapse, why)),
            Command::StartJob(start) => self.start_job(start),
            Command::EndJob { job, end } => Ok(self.end_job(*job, end)),
            Command::Order { order, call } => self.give_order(order, call),
            Command::EndOrder { id, end } => Ok(self.end_order(*id, end)),
            Command::DropRule(rule) => Ok(self.drop_rule(rule)),
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
}

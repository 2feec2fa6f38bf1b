//! Applies an event to the team: the step of the fold. Whether something may happen was decided before, so that applying
//! cannot fail.

use super::{Job, TeamEvent, TeamState, gates};
use crate::{
    Incarnation, MemberName, Timestamp,
    member::{Assignment, Member, MemberOptions, MemberPhase, TodoList},
    request::PlanGate,
    team::{RecordWriter, TeamPause},
    transcript::EndReason,
};

impl TeamState {
    /// Takes what happened, at this moment, as this writer wrote it: what only the user grants counts in the user's records.
    pub fn apply_by(&mut self, writer: &RecordWriter, event: &TeamEvent, at: Timestamp) {
        match event {
            TeamEvent::Place(event) => self.places.apply_by(writer, event),
            event => self.apply(event, at),
        }
        match writer {
            RecordWriter::User => self.take_standing_rule(event),
            RecordWriter::Worker(_) => {}
        }
        self.end_standing_rules(event);
    }

    /// Takes what happened, at this moment.
    pub fn apply(&mut self, event: &TeamEvent, at: Timestamp) {
        self.spending.apply(event);
        self.conversations.apply(event, at);
        match event {
            TeamEvent::Created { id, name } => {
                self.id = Some(*id);
                self.name.clone_from(name);
            }
            TeamEvent::Spawned {
                member,
                role,
                prompt,
                options: terms,
                incarnation,
                by,
                call,
                fresh,
                plan_by,
                plan_once,
            } => {
                let assignment = Assignment {
                    by: by.clone(),
                    call: call.clone(),
                    prompt: prompt.clone(),
                    fresh: *fresh,
                    at,
                };
                // A member that keeps its memory keeps its todo list.
                let known = self.members.get(member).filter(|_| !*fresh);
                let todos = known.map(|known| known.todos.clone()).unwrap_or_default();
                let gate = gates::begun(terms.require_plan, *plan_by, *plan_once);
                self.insert_member(Member {
                    name: member.clone(),
                    role: role.clone(),
                    incarnation: *incarnation,
                    options: terms.clone(),
                    assignment: Some(assignment),
                    phase: MemberPhase::Starting,
                    todos,
                    closings: self.closings_with(member, &gate),
                    gate,
                });
            }
            TeamEvent::Adopted {
                member,
                role,
                stopped,
            } => {
                let phase = if *stopped {
                    MemberPhase::Stopped
                } else {
                    MemberPhase::Idle {
                        why: EndReason::Done,
                        turn: None,
                    }
                };
                self.insert_member(Member {
                    name: member.clone(),
                    role: role.clone(),
                    incarnation: Incarnation::FIRST,
                    options: MemberOptions::default(),
                    assignment: None,
                    phase,
                    todos: TodoList::default(),
                    gate: PlanGate::Open,
                    closings: 0,
                });
            }
            TeamEvent::Working {
                member,
                incarnation,
            } => {
                self.set_phase(member, *incarnation, MemberPhase::Working);
            }
            TeamEvent::Waiting {
                member,
                incarnation,
                on,
            } => {
                self.set_phase(member, *incarnation, MemberPhase::Waiting(*on));
            }
            TeamEvent::TurnEnded {
                member,
                incarnation,
                why,
                turn,
                result: _,
            } => {
                self.touch_board_of(member);
                self.set_phase(
                    member,
                    *incarnation,
                    MemberPhase::Idle {
                        why: why.clone(),
                        turn: *turn,
                    },
                );
                self.turn_ends(member, *incarnation, why);
            }
            TeamEvent::ModelChosen {
                member,
                model,
                effort,
            } => {
                if let Some(member) = self.members.get_mut(member) {
                    let options = &mut member.options;
                    options.model = model.clone().or(options.model.take());
                    options.effort = effort.or(options.effort);
                }
            }
            TeamEvent::Todos {
                member,
                incarnation,
                items,
            } => {
                if let Some(member) = self.members.get_mut(member)
                    && member.incarnation == *incarnation
                {
                    member.todos.clone_from(items);
                }
            }
            TeamEvent::Task { task, change } => self.apply_task(*task, change, at),
            TeamEvent::Group { group, change } => self.apply_group(group, change),
            TeamEvent::Request { request, change } => self.apply_request(*request, change, at),
            TeamEvent::Goal { goal, change } => {
                let conversation = self.conversation();
                self.goals.apply(*goal, change, (at, conversation));
            }
            TeamEvent::Schedule { schedule, change } => self.schedules.apply(*schedule, change),
            TeamEvent::Place(event) => self.places.apply(event),
            TeamEvent::PlanRequired {
                member,
                incarnation,
                by,
                call,
            } => self.plan_required(member, *incarnation, by, call),
            TeamEvent::PlanLifted {
                member,
                incarnation,
                by: _,
            } => self.move_gate(member, *incarnation, PlanGate::lifts),
            TeamEvent::Ceiling {
                mode,
                model,
                judges_prompts,
            } => {
                self.ceiling = Some(*mode);
                self.judges_prompts = judges_prompts.unwrap_or(self.judges_prompts);
                if model.is_some() {
                    self.model.clone_from(model);
                }
            }
            TeamEvent::BudgetsSet { budgets } => self.budgets = *budgets,
            TeamEvent::Paused { device } => {
                self.pause = Some(TeamPause {
                    since: at,
                    device: device.clone(),
                });
            }
            TeamEvent::Continued { .. } => self.pause = None,
            TeamEvent::BoardReported { changes } => self.board.mark_reported(*changes),
            TeamEvent::Stopped {
                member,
                incarnation,
            } => {
                self.touch_board_of(member);
                self.set_phase(member, *incarnation, MemberPhase::Stopped);
                self.move_gate(member, *incarnation, PlanGate::incarnation_ends);
                if self.current(member, *incarnation).is_ok() {
                    self.places.release(member);
                }
            }
            TeamEvent::Lapsed { lapse, why: _ } => self.apply_lapse(*lapse),
            TeamEvent::JobStarted {
                job,
                member,
                incarnation,
                call,
                title,
            } => self.jobs.begin(Job {
                id: *job,
                owner: member.clone(),
                incarnation: *incarnation,
                call: call.clone(),
                title: title.clone(),
                started: at,
                closings: self.members.get(member).map_or(0, |owner| owner.closings),
                end: None,
            }),
            TeamEvent::Conversation {
                conversation,
                unfinished,
                keeps_team,
            } => self.converse(*conversation, unfinished, *keeps_team, at),
            TeamEvent::Joined { members, tasks } => self.join(members, tasks),
            TeamEvent::Dropped { conversation } => self.apply_dropped(*conversation),
            TeamEvent::JobEnded { job, end } => self.jobs.end(*job, end),
            TeamEvent::Ordered { id, order, call } => self.orders.give(*id, order, call),
            TeamEvent::OrderEnded { id, end } => self.orders.end(*id, end),
            TeamEvent::RuleDropped { rule } => self.standing_rules.remove(rule),
            TeamEvent::Spent { .. } => {}
        }
    }

    /// A teammate became idle or stopped: the lead may need a board notice.
    fn touch_board_of(&mut self, member: &MemberName) {
        if !member.is_lead() {
            self.board.touch();
        }
    }

    fn insert_member(&mut self, member: Member) {
        if !self.members.contains_key(&member.name) {
            self.order.push(member.name.clone());
        }
        self.members.insert(member.name.clone(), member);
    }

    /// Sets a phase; what belongs to an earlier incarnation changes nothing.
    fn set_phase(&mut self, name: &MemberName, incarnation: Incarnation, phase: MemberPhase) {
        if let Some(member) = self.members.get_mut(name)
            && member.incarnation == incarnation
        {
            member.phase = phase;
        }
    }
}

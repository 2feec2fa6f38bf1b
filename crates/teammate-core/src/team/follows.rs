//! Which events may follow from a command: what a reader checks where another worker decided it. The rules that decide may differ
//! between versions; what was asked in whose name does not, so this looks at no state of the team.

mod requests;

use super::{
    Command, GroupCommand, GroupEvent, PlaceCommand, PlaceEvent, ScheduleCommand, ScheduleEvent,
    Spawn, StartJob, TeamEvent, UsageReport,
};
use crate::{
    board::{TaskAction, TaskCommand},
    member::MemberOptions,
    model::UsageTotal,
};

impl Command {
    /// Whether this event, in the name of who asked, is what was asked for.
    pub(crate) fn may_lead_to(&self, event: &TeamEvent) -> bool {
        match self {
            Self::Under { command, .. } => command.may_lead_to(event),
            Self::Spawn(spawn) => of_spawn(spawn, event),
            Self::StartTurn {
                member,
                incarnation,
            } => {
                *event
                    == TeamEvent::Working {
                        member: member.clone(),
                        incarnation: *incarnation,
                    }
            }
            Self::Wait {
                member,
                incarnation,
                on,
            } => {
                *event
                    == TeamEvent::Waiting {
                        member: member.clone(),
                        incarnation: *incarnation,
                        on: *on,
                    }
            }
            Self::EndTurn {
                member,
                incarnation,
                why,
                turn,
                result,
            } => {
                let asked = (member, *incarnation, why, *turn, result);
                matches!(event, TeamEvent::TurnEnded { member, incarnation, why, turn, result }
                    if asked == (member, *incarnation, why, *turn, result))
            }
            Self::SetTodos {
                member,
                incarnation,
                items,
            } => {
                let asked = (member, *incarnation, items);
                matches!(event, TeamEvent::Todos { member, incarnation, items }
                    if asked == (member, *incarnation, items))
            }
            Self::Stop {
                member,
                incarnation,
            } => {
                *event
                    == TeamEvent::Stopped {
                        member: member.clone(),
                        incarnation: *incarnation,
                    }
            }
            Self::RecordUsage(report) => of_usage(report, event),
            Self::StartJob(start) => of_job(start, event),
            Self::EndJob { job, end } => {
                let asked = (job, end);
                matches!(event, TeamEvent::JobEnded { job, end } if asked == (job, end))
            }
            Self::Task(command) => match event {
                TeamEvent::Task { task, change } => command.may_lead_to(*task, change),
                _ => false,
            },
            Self::Group(command) => of_group(command, event),
            Self::Request(command) => command.may_lead_to(event),
            Self::Schedule(command) => match event {
                TeamEvent::Schedule { schedule, change } => {
                    of_schedule(command, change)
                        && command.schedule().is_none_or(|asked| asked == *schedule)
                }
                _ => false,
            },
            Self::Place(command) => of_place(command, event),
            // Nothing that follows from these speaks for a member.
            Self::Create { .. }
            | Self::Adopt { .. }
            | Self::Lapse { .. }
            | Self::ChooseModel { .. }
            | Self::Open { .. }
            | Self::ChooseMode(_)
            | Self::SetBudgets(_)
            | Self::Pause(_)
            | Self::Continue(_)
            | Self::Conversation(_)
            | Self::BeginAnew { .. }
            | Self::Join(_)
            | Self::DropConversation(_)
            | Self::MarkBoardReported { .. }
            | Self::Order { .. }
            | Self::DropRule(_)
            | Self::Goal(_)
            | Self::EndOrder { .. } => false,
        }
    }

    /// The most events in the name of who asked that follow from it.
    pub(crate) fn most_events(&self) -> usize {
        match self {
            Self::Under { command, .. } => command.most_events(),
            Self::RecordUsage(report) => report.totals.len().max(1),
            Self::Task(TaskCommand::Act { action, .. }) => match action {
                TaskAction::Create(new) => 1 + new.blocks.len(),
                TaskAction::Edit(_, edit) => 1 + edit.add_blocks.len(),
                TaskAction::Claim(_)
                | TaskAction::Complete(..)
                | TaskAction::Fail(..)
                | TaskAction::Release(..)
                | TaskAction::Assign(..)
                | TaskAction::Reopen(..)
                | TaskAction::Delete(_) => 1,
            },
            _ => 1,
        }
    }
}

/// Whether a spawn may lead to this event: options that the team's rules choose for a known member stay theirs.
fn of_spawn(spawn: &Spawn, event: &TeamEvent) -> bool {
    let TeamEvent::Spawned {
        member,
        role,
        prompt,
        options,
        incarnation: _,
        by,
        call,
        fresh,
        plan_by: _,
        plan_once: _,
    } = event
    else {
        return false;
    };
    let asked = MemberOptions {
        engine: options.engine.clone(),
        effort: options.effort,
        group: options.group.clone(),
        require_plan: options.require_plan,
        worktree: options.worktree,
        labels: options.labels.clone(),
        ..spawn.options.clone()
    };
    (member, role, prompt, by, call, *fresh)
        == (
            &spawn.member,
            &spawn.role,
            &spawn.prompt,
            &spawn.by,
            &spawn.call,
            spawn.fresh,
        )
        && *options == asked
        && (options.require_plan || !spawn.options.require_plan)
}

fn of_usage(report: &UsageReport, event: &TeamEvent) -> bool {
    let TeamEvent::Spent {
        member,
        incarnation,
        model,
        requests,
        usage,
        upto,
        worked_ms,
        team_ms,
    } = event
    else {
        return false;
    };
    let spent = UsageTotal {
        requests: *requests,
        usage: *usage,
    };
    let mut totals = report.totals.iter();
    let is_reported = totals.any(|(name, total)| (name, total) == (model, &spent));
    (member, incarnation) == (&report.member, &report.incarnation)
        && (is_reported || spent == UsageTotal::default())
        && (upto.is_none() || *upto == report.part.map(|part| part.to))
        && *worked_ms <= report.active_time.member
        && *team_ms <= report.active_time.team
}

fn of_job(start: &StartJob, event: &TeamEvent) -> bool {
    let asked = (&start.owner, start.incarnation, &start.call, &start.title);
    matches!(event, TeamEvent::JobStarted { member, incarnation, call, title, .. }
        if asked == (member, *incarnation, call, title))
}

fn of_group(command: &GroupCommand, event: &TeamEvent) -> bool {
    let TeamEvent::Group { group, change } = event else {
        return false;
    };
    match command {
        GroupCommand::Make { by, call, team } => {
            let made = GroupEvent::Made {
                by: by.clone(),
                call: call.clone(),
            };
            (team, &made) == (group, change)
        }
        GroupCommand::End { by, call, team } => {
            let ending = GroupEvent::Ending {
                by: by.clone(),
                call: call.clone(),
            };
            (team, &ending) == (group, change)
        }
        GroupCommand::Archive { .. } => false,
    }
}

fn of_schedule(command: &ScheduleCommand, change: &ScheduleEvent) -> bool {
    match command {
        ScheduleCommand::Add(new) => {
            *change
                == ScheduleEvent::Added {
                    by: new.by.sender(),
                    call: new.call.clone(),
                    when: new.when.clone(),
                    work: new.work.clone(),
                    missed: new.missed,
                    next: new.next,
                }
        }
        ScheduleCommand::Remove { by, .. } => *change == ScheduleEvent::Removed { by: by.sender() },
        ScheduleCommand::Pause { by, .. } => *change == ScheduleEvent::Paused { by: by.sender() },
        ScheduleCommand::Resume { by, next, .. } => {
            let (by, next) = (by.sender(), *next);
            *change == ScheduleEvent::Resumed { by, next }
        }
        ScheduleCommand::Fire { .. }
        | ScheduleCommand::Skip { .. }
        | ScheduleCommand::Told { .. } => false,
    }
}

fn of_place(command: &PlaceCommand, event: &TeamEvent) -> bool {
    match command {
        PlaceCommand::Deliver { by, commit } => {
            *event
                == TeamEvent::Place(PlaceEvent::Delivered {
                    member: by.member.clone(),
                    term: by.term,
                    commit: commit.clone(),
                })
        }
        PlaceCommand::Join { .. }
        | PlaceCommand::Leave { .. }
        | PlaceCommand::Claim { .. }
        | PlaceCommand::Place { .. }
        | PlaceCommand::Move { .. }
        | PlaceCommand::Demand(_) => false,
    }
}

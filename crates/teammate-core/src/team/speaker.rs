//! For which member a command speaks, so that a worker asks for those only that it holds.

use super::{Command, GroupCommand, PlaceCommand, ScheduleCommand, TeamState};
use crate::{
    MemberName,
    board::{Actor, TaskCommand},
    request::RequestCommand,
};

impl TeamState {
    /// The member in whose name something is asked; `None` if it is the user's, or the program's for all.
    pub fn speaker<'a>(&'a self, command: &'a Command) -> Option<&'a MemberName> {
        match command {
            Command::Spawn(spawn) => Some(&spawn.by),
            Command::StartTurn { member, .. }
            | Command::Wait { member, .. }
            | Command::EndTurn { member, .. }
            | Command::SetTodos { member, .. }
            | Command::Stop { member, .. } => Some(member),
            Command::RecordUsage(report) => Some(&report.member),
            Command::Place(PlaceCommand::Deliver { by, .. }) => Some(&by.member),
            Command::StartJob(start) => Some(&start.owner),
            Command::EndJob { job, .. } => self.jobs.get(*job).map(|job| &job.owner),
            Command::Task(command) => of_task(command),
            Command::Group(GroupCommand::Make { by, .. } | GroupCommand::End { by, .. }) => {
                Some(by)
            }
            Command::Request(command) => of_request(command),
            Command::Schedule(command) => of_schedule(command),
            // Who writes to a paused member has it join.
            Command::Join(_)
            | Command::Create { .. }
            | Command::Adopt { .. }
            | Command::Lapse { .. }
            | Command::ChooseModel { .. }
            | Command::Group(GroupCommand::Archive { .. })
            | Command::Place(
                PlaceCommand::Join { .. }
                | PlaceCommand::Leave { .. }
                | PlaceCommand::Claim { .. }
                | PlaceCommand::Place { .. }
                | PlaceCommand::Move { .. }
                | PlaceCommand::Demand(_),
            )
            | Command::Under { .. }
            | Command::Open { .. }
            | Command::ChooseMode(_)
            | Command::SetBudgets(_)
            | Command::Pause(_)
            | Command::Continue(_)
            | Command::Conversation(_)
            | Command::BeginAnew { .. }
            | Command::DropConversation(_)
            | Command::MarkBoardReported { .. }
            | Command::Order { .. }
            | Command::DropRule(_)
            | Command::Goal(_)
            | Command::EndOrder { .. } => None,
        }
    }
}

fn of_actor(actor: &Actor) -> Option<&MemberName> {
    match actor {
        Actor::User => None,
        Actor::Member(name, _) => Some(name),
    }
}

fn of_task(command: &TaskCommand) -> Option<&MemberName> {
    match command {
        TaskCommand::Act { by, .. } | TaskCommand::CheckFailed { by, .. } => of_actor(by),
        TaskCommand::ClaimNext(member, _)
        | TaskCommand::Withdraw(member, ..)
        | TaskCommand::Nudge(member, ..) => Some(member),
    }
}

fn of_request(command: &RequestCommand) -> Option<&MemberName> {
    match command {
        RequestCommand::Open { from, .. } | RequestCommand::Shutdown { from, .. } => from.name(),
        RequestCommand::Answer { by, .. }
        | RequestCommand::RequirePlan { by, .. }
        | RequestCommand::LiftPlan { by, .. } => by.name(),
        RequestCommand::UseGrant { member, .. } | RequestCommand::Heard { member, .. } => {
            Some(member)
        }
        RequestCommand::Expire { .. }
        | RequestCommand::Cancel { .. }
        | RequestCommand::Withdraw { .. }
        | RequestCommand::MarkNotified { .. } => None,
    }
}

fn of_schedule(command: &ScheduleCommand) -> Option<&MemberName> {
    match command {
        ScheduleCommand::Add(new) => of_actor(&new.by),
        ScheduleCommand::Remove { by, .. }
        | ScheduleCommand::Pause { by, .. }
        | ScheduleCommand::Resume { by, .. } => of_actor(by),
        ScheduleCommand::Fire { .. }
        | ScheduleCommand::Skip { .. }
        | ScheduleCommand::Told { .. } => None,
    }
}

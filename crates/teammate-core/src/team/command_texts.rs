//! The free texts of a command: what people, models and programs wrote in their own words. Names, ids, enums and digests are not
//! among them. Each field is named here, so that a new one has to be put on one side or the other.

use super::{
    Command, GoalCommand, GoalEnd, OrderEnd, ScheduleCommand, ScheduledWork, StartJob, UserOrder,
};
use crate::{
    board::{TaskAction, TaskCommand, TaskEdit},
    request::{Answer, RequestCommand, RequestPayload},
    secrets::Secrets,
    transcript::EndReason,
};

type TextWork<'a> = &'a mut dyn FnMut(&mut String);

impl Command {
    /// Puts the names of secrets in their place, in every free text, before the command is decided: so the team, its journal and
    /// what is shown of both have the same words.
    pub fn hide(&mut self, secrets: &Secrets) {
        self.each_text(&mut |text| secrets.hide(text));
    }

    fn each_text(&mut self, work: TextWork<'_>) {
        match self {
            Self::Adopt { role, .. } => work(role),
            Self::Lapse { why, .. } => work(why),
            Self::Spawn(spawn) => {
                work(&mut spawn.role);
                work(&mut spawn.prompt);
                work(&mut spawn.options.instructions);
            }
            Self::EndTurn { why, result, .. } => {
                match why {
                    EndReason::Failed { what }
                    | EndReason::Limit { what }
                    | EndReason::Waiting { what } => work(what),
                    EndReason::Done | EndReason::Interrupted => {}
                }
                work(result);
            }
            Self::SetTodos { items, .. } => items.each_text(work),
            Self::Task(command) => of_task(command, work),
            Self::Request(command) => of_request(command, work),
            Self::Schedule(command) => of_schedule(command, work),
            Self::Goal(command) => of_goal(command, work),
            Self::Under { command, .. } => command.each_text(work),
            Self::StartJob(StartJob { title, .. }) => work(title),
            Self::Order { order, .. } => of_order(order, work),
            Self::DropRule(rule) => work(rule),
            Self::EndOrder { end, .. } => match end {
                OrderEnd::Refused { why } => work(why),
                OrderEnd::Done | OrderEnd::Dropped => {}
            },
            Self::Create { .. }
            | Self::StartTurn { .. }
            | Self::Wait { .. }
            | Self::ChooseModel { .. }
            | Self::RecordUsage(_)
            | Self::Group(_)
            | Self::Place(_)
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
            | Self::Stop { .. }
            | Self::EndJob { .. } => {}
        }
    }
}

fn of_task(command: &mut TaskCommand, work: TextWork<'_>) {
    match command {
        TaskCommand::Act {
            action, verified, ..
        } => {
            of_action(action, work);
            if let Some(evidence) = verified {
                work(&mut evidence.check);
                work(&mut evidence.tail);
            }
        }
        TaskCommand::CheckFailed { output, .. } => work(output),
        TaskCommand::Withdraw(_, _, _, why) => work(why),
        TaskCommand::ClaimNext(..) | TaskCommand::Nudge(..) => {}
    }
}

fn of_action(action: &mut TaskAction, work: TextWork<'_>) {
    match action {
        TaskAction::Create(new) => {
            work(&mut new.subject);
            work(&mut new.description);
            work(&mut new.active_form);
            new.requires.iter_mut().for_each(|of| of.each_text(work));
            new.check.iter_mut().for_each(work);
        }
        TaskAction::Edit(_, edit) => of_edit(edit, work),
        TaskAction::Complete(_, text)
        | TaskAction::Fail(_, text)
        | TaskAction::Release(_, text)
        | TaskAction::Reopen(_, text) => work(text),
        TaskAction::Claim(_) | TaskAction::Assign(..) | TaskAction::Delete(_) => {}
    }
}

fn of_edit(edit: &mut TaskEdit, work: TextWork<'_>) {
    let TaskEdit {
        subject,
        description,
        active_form,
        requires,
        check,
        add_blocked_by: _,
        remove_blocked_by: _,
        add_blocks: _,
    } = edit;
    let words = [subject, description, active_form];
    words.into_iter().flatten().for_each(&mut *work);
    let requires = requires.iter_mut().flatten();
    requires.for_each(|requirement| requirement.each_text(work));
    check.iter_mut().flatten().for_each(work);
}

fn of_request(command: &mut RequestCommand, work: TextWork<'_>) {
    match command {
        RequestCommand::Open { kind, .. } => match kind {
            RequestPayload::Shutdown(ask) => work(&mut ask.reason),
            // Bound to the digest of exactly these words, or shown beside it. They come without secrets: from answers of models,
            // and from the permission gate.
            RequestPayload::Plan(_) | RequestPayload::Permission(_) => {}
        },
        RequestCommand::Shutdown { reason, .. } => work(reason),
        RequestCommand::Answer { answer, .. } => match answer {
            Answer::Approve { note, .. } => work(note),
            Answer::Reject { because } => work(because),
        },
        RequestCommand::Cancel { why, .. } => work(why),
        RequestCommand::Expire { .. }
        | RequestCommand::Withdraw { .. }
        | RequestCommand::UseGrant { .. }
        | RequestCommand::MarkNotified { .. }
        | RequestCommand::RequirePlan { .. }
        | RequestCommand::LiftPlan { .. }
        | RequestCommand::Heard { .. } => {}
    }
}

fn of_schedule(command: &mut ScheduleCommand, work: TextWork<'_>) {
    match command {
        ScheduleCommand::Add(new) => match &mut new.work {
            ScheduledWork::Task {
                subject,
                description,
            } => {
                work(subject);
                work(description);
            }
            ScheduledWork::Say { text, .. } => work(text),
        },
        ScheduleCommand::Skip { why, .. } => work(why),
        ScheduleCommand::Remove { .. }
        | ScheduleCommand::Pause { .. }
        | ScheduleCommand::Resume { .. }
        | ScheduleCommand::Fire { .. }
        | ScheduleCommand::Told { .. } => {}
    }
}

fn of_goal(command: &mut GoalCommand, work: TextWork<'_>) {
    match command {
        GoalCommand::Set(new) => {
            work(&mut new.text);
            work(&mut new.check);
        }
        GoalCommand::Try { run, .. } => work(&mut run.tail),
        GoalCommand::End { end, .. } => match end {
            GoalEnd::Budget { what } | GoalEnd::Unchecked { what } => work(what),
            GoalEnd::Reached | GoalEnd::Stuck | GoalEnd::Tried | GoalEnd::Dropped => {}
        },
        GoalCommand::Tell { .. } => {}
    }
}

fn of_order(order: &mut UserOrder, work: TextWork<'_>) {
    match order {
        UserOrder::Compact { focus, .. } => focus.iter_mut().for_each(work),
        UserOrder::Complete { result, .. } => work(result),
        UserOrder::Interrupt { .. }
        | UserOrder::Recall { .. }
        | UserOrder::Mode { .. }
        | UserOrder::Clear
        | UserOrder::Judge { .. } => {}
    }
}

#[cfg(test)]
mod tests;

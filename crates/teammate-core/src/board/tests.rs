//! The board's rules as transcripts: commands, and what the team answers.

mod hands;
mod many;
mod model;
mod notice;
mod order;
mod rules;

use uuid::Uuid;

use super::*;
use crate::{
    Incarnation,
    cause::Cause,
    member::MemberOptions,
    mode::Mode,
    team::{Command, Spawn, TeamEvent, TeamState},
    transcript::EndReason,
};

fn name(text: &str) -> MemberName {
    MemberName::parse(text).unwrap()
}

fn id(number: u32) -> TaskId {
    TaskId::new(number)
}

fn ids(numbers: &[u32]) -> BTreeSet<TaskId> {
    numbers.iter().copied().map(TaskId::new).collect()
}

use std::collections::BTreeSet;

/// A team and everything that ever happened to it.
struct Play {
    team: TeamState,
    journal: Vec<TeamEvent>,
    calls: u32,
}

impl Play {
    /// Teammates as `name` or `name:role`, all of them idle.
    fn with(members: &[&str]) -> Self {
        let mut play = Self {
            team: TeamState::default(),
            journal: Vec::new(),
            calls: 0,
        };
        let create = Command::Create {
            id: Uuid::from_u128(1),
            name: "default".into(),
        };
        play.run(&create).unwrap();
        for member in members {
            let (member, role) = member.split_once(':').unwrap_or((member, "any"));
            play.spawn(member, role, MemberOptions::default(), false);
            play.rests(member, EndReason::Done);
        }
        play
    }

    /// Decides and applies; how much happened.
    fn run(&mut self, command: &Command) -> Result<usize, String> {
        let decided = self.team.decide(command).map_err(|why| why.to_string())?;
        for event in &decided.events {
            self.team.apply(event, Timestamp(self.journal.len() as u64));
            self.journal.push(event.clone());
        }
        Ok(decided.events.len())
    }

    fn life(&self, member: &str) -> Incarnation {
        let member = self.team.member(&name(member));
        member.map_or(Incarnation::FIRST, |member| member.incarnation)
    }

    /// `alice` as she is, `alice@1` in that incarnation, or `user`.
    fn by(&self, who: &str) -> Actor {
        match who.split_once('@') {
            _ if who == "user" => Actor::User,
            Some((who, life)) => Actor::Member(name(who), Incarnation(life.parse().unwrap())),
            None => Actor::Member(name(who), self.life(who)),
        }
    }

    /// `done`, `nothing` if nothing happened, or why not.
    fn asks(&mut self, who: &str, ask: TaskAction) -> String {
        self.asks_verified(who, ask, None)
    }

    fn asks_verified(&mut self, who: &str, ask: TaskAction, verified: Option<&str>) -> String {
        let by = self.by(who);
        let verified = verified.map(evidence);
        self.board(TaskCommand::Act {
            by,
            action: ask,
            verified,
        })
    }

    fn board(&mut self, command: TaskCommand) -> String {
        match self.run(&Command::Task(command)) {
            Ok(0) => "nothing".into(),
            Ok(_) => "done".into(),
            Err(why) => why,
        }
    }

    fn takes(&mut self, who: &str) -> String {
        self.board(TaskCommand::ClaimNext(name(who), self.life(who)))
    }

    fn new_task(&mut self, new: NewTask) -> String {
        self.calls += 1;
        let call = Cause::from(format!("call {}", self.calls));
        let subject = format!("task {}", self.calls);
        let new = NewTask {
            call,
            subject,
            ..new
        };
        self.asks("lead", TaskAction::Create(Box::new(new)))
    }

    /// A task for each list of blockers.
    fn tasks(&mut self, blocked_by: &[&[u32]]) {
        for blockers in blocked_by {
            let blocked_by = ids(blockers);
            let new = NewTask {
                blocked_by,
                ..NewTask::default()
            };
            assert_eq!(self.new_task(new), "done");
        }
    }

    fn completes(&mut self, who: &str, task: u32) -> String {
        self.asks(
            who,
            TaskAction::Complete(id(task), format!("{who}'s result")),
        )
    }

    fn spawn(&mut self, member: &str, role: &str, terms: MemberOptions, fresh: bool) {
        self.calls += 1;
        let spawn = Spawn {
            by: MemberName::lead(),
            call: format!("call {}", self.calls).into(),
            member: name(member),
            role: role.into(),
            prompt: "work".into(),
            options: terms,
            ceiling: Mode::Bypass,
            fresh,
        };
        self.run(&Command::Spawn(spawn)).unwrap();
    }

    fn works(&mut self, member: &str) {
        let (member, incarnation) = (name(member), self.life(member));
        let work = Command::StartTurn {
            member,
            incarnation,
        };
        self.run(&work).unwrap();
    }

    /// A turn of its ends.
    fn rests(&mut self, member: &str, why: EndReason) {
        let rest = Command::EndTurn {
            incarnation: self.life(member),
            member: name(member),
            why,
            turn: Some(self.journal.len() as u64),
            result: String::new(),
        };
        self.run(&rest).unwrap();
    }

    fn stops(&mut self, member: &str) {
        let (member, incarnation) = (name(member), self.life(member));
        let stop = Command::Stop {
            member,
            incarnation,
        };
        self.run(&stop).unwrap();
    }

    fn nudge(&mut self, who: &str, task: u32) -> String {
        self.board(TaskCommand::Nudge(name(who), self.life(who), id(task)))
    }

    /// `pending`, `pending @alice`, `in_progress @alice`.
    fn state(&self, task: u32) -> String {
        let task = self.team.board().task(id(task)).unwrap();
        match task.owner() {
            Some(owner) => format!("{} @{owner}", task.status.word()),
            None => task.status.word().to_owned(),
        }
    }

    fn called(&self) -> Vec<String> {
        let called = self.team.members_to_wake();
        called.iter().map(ToString::to_string).collect()
    }
}

fn failed() -> EndReason {
    EndReason::Failed {
        what: "no model".into(),
    }
}

/// The run of a check that exited 0.
fn evidence(check: &str) -> Box<Evidence> {
    Box::new(Evidence {
        check: check.to_owned(),
        exit: 0,
        took_ms: 41,
        tail: "fine".to_owned(),
        tree: None,
    })
}

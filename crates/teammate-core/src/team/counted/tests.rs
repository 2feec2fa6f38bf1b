//! Worker `w1` is the steward and holds the lead and alice, `w2` holds bob. What `w1` records for bob counts if `w2` asked for it.

mod lies;
mod truths;

use std::sync::Arc;

use uuid::Uuid;

use super::*;
use crate::{
    Incarnation, Timestamp,
    board::{Actor, NewTask, TaskAction, TaskCommand},
    id::{TaskId, Term},
    member::MemberOptions,
    mode::Mode,
    team::{
        AskedCommands, AskedQuestion, Command, DecidedCommand, Holding, PlaceEvent, Right, Spawn,
    },
};

const LIFE: Incarnation = Incarnation::FIRST;

fn worker(name: &str) -> WorkerName {
    WorkerName::parse(name).unwrap()
}

fn member(name: &str) -> MemberName {
    MemberName::parse(name).unwrap()
}

fn session(of: &str) -> Uuid {
    Uuid::from_u128(if of == "w1" { 1 } else { 2 })
}

fn actor(name: &str) -> Actor {
    Actor::Member(member(name), LIFE)
}

fn act(by: &str, action: TaskAction) -> Command {
    Command::Task(TaskCommand::Act {
        by: actor(by),
        action,
        verified: None,
    })
}

fn create(by: &str, subject: &str) -> Command {
    let new = NewTask {
        call: subject.into(),
        subject: subject.to_owned(),
        ..NewTask::default()
    };
    act(by, TaskAction::Create(Box::new(new)))
}

fn spawn(name: &str) -> Command {
    Command::Spawn(Spawn {
        by: MemberName::lead(),
        call: name.into(),
        member: member(name),
        role: "any".into(),
        prompt: "work".into(),
        options: MemberOptions::default(),
        ceiling: Mode::Bypass,
        fresh: false,
    })
}

fn placed(name: &str, at: &str, term: u64) -> TeamEvent {
    TeamEvent::Place(PlaceEvent::Placed {
        member: member(name),
        worker: worker(at),
        term: Term(term),
    })
}

/// Who holds the lead may vary. There are two tasks; bob has claimed the first.
struct Story {
    team: TeamState,
    number: u64,
}

impl Story {
    fn with_lead_on(holder: &str) -> Self {
        let mut story = Self {
            team: TeamState::default(),
            number: 0,
        };
        let begin = Command::Create {
            id: Uuid::from_u128(7),
            name: "default".into(),
        };
        for command in [begin, spawn("alice"), spawn("bob")] {
            story.by_user(&command);
        }
        for subject in ["one", "two"] {
            story.by_user(&create("lead", subject));
        }
        story.by_user(&Command::Task(TaskCommand::ClaimNext(member("bob"), LIFE)));
        let steward = TeamEvent::Place(PlaceEvent::Stewarded {
            worker: worker("w1"),
            term: Term(1),
        });
        let places = vec![
            steward,
            placed("lead", holder, 1),
            placed("alice", "w1", 1),
            placed("bob", "w2", 1),
        ];
        story.take("w1", places, None).unwrap();
        story
    }

    fn by_user(&mut self, command: &Command) -> Vec<TeamEvent> {
        let events = self.team.decide(command).unwrap().events;
        let record = Record::of(self.number, Timestamp(1), events.clone());
        self.team.replay(&record).unwrap();
        self.number += 1;
        events
    }

    /// A record of this worker; `asked` is a question whose first command all of it is said to follow from.
    fn record(
        &self,
        by: &str,
        events: Vec<TeamEvent>,
        asked: Option<&Arc<AskedQuestion>>,
    ) -> Record {
        let count = u32::try_from(events.len()).unwrap();
        let list = |asked: &Arc<AskedQuestion>| DecidedCommand {
            id: asked.asked.first,
            first: 0,
            count,
        };
        Record {
            writer: RecordWriter::Worker(worker(by)),
            commands: asked.map(list).into_iter().collect(),
            questions: asked.cloned().into_iter().collect(),
            ..Record::of(self.number, Timestamp(1), events)
        }
    }

    fn take(
        &mut self,
        by: &str,
        events: Vec<TeamEvent>,
        asked: Option<&Arc<AskedQuestion>>,
    ) -> Result<(), UnaskedRecord> {
        let record = self.record(by, events, asked);
        let before = self.team.clone();
        let taken = self.team.replay(&record);
        if taken.is_err() {
            assert_eq!(self.team, before, "it changes nothing");
        }
        self.number += 1;
        taken
    }

    /// What would follow from a command.
    fn decided(&self, command: &Command) -> Vec<TeamEvent> {
        self.team.decide(command).unwrap().events
    }
}

/// A question of `w2` to `w1` as the steward of term 1, with one command of this number.
fn asked(number: u64, command: Command) -> Arc<AskedQuestion> {
    asked_by("w2", number, command)
}

fn asked_by(by: &str, number: u64, command: Command) -> Arc<AskedQuestion> {
    Arc::new(AskedQuestion {
        by: worker(by),
        asked: AskedCommands {
            steward: Term(1),
            journal: 0,
            first: CommandId {
                writer: session(by),
                number,
            },
            commands: vec![command],
        },
        proof: None,
    })
}

/// By the right of `w2`, which holds bob.
fn under(term: u64, command: Command) -> Command {
    Command::Under {
        right: Right::Holder(Holding {
            member: member("bob"),
            worker: worker("w2"),
            term: Term(term),
        }),
        command: Box::new(command),
    }
}

fn first_task() -> TaskId {
    "1".parse().unwrap()
}

//! Random commands of several members, late and repeated ones among them, against a board so simple that it can be read: a
//! list that is searched from the start each time.
//!
//! `TEAMMATE_SEED=7` plays that seed, `TEAMMATE_BOARD_CASES=100000` so many cases.

mod naive;

use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use super::*;
use naive::{LEAD, MEMBERS, Naive, Op, TEAMMATES, USER, What};

/// Numbers that an operation is made of, whatever they are.
type Raw = (u8, u8, u8, u8, u8, u8);

#[test]
fn the_board_does_what_a_naive_one_does() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    let seed = number("TEAMMATE_SEED").unwrap_or(now.subsec_nanos().into());
    let cases = number("TEAMMATE_BOARD_CASES").unwrap_or(100);
    let config = Config {
        cases: u32::try_from(cases).unwrap(),
        failure_persistence: None,
        ..Config::default()
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let raw = vec(any::<Raw>(), 1..150);
    let run = TestRunner::new_with_rng(config, rng).run(&raw, |raw| {
        Both::new().play(&raw);
        Ok(())
    });
    run.unwrap_or_else(|why| panic!("TEAMMATE_SEED={seed}: {why}"));
}

/// The board and the naive one, side by side.
struct Both {
    play: Play,
    naive: Naive,
    /// The same team, folded from what was written and read back.
    folded: TeamState,
    read: usize,
    late: Vec<Op>,
    last: Option<Op>,
}

impl Both {
    fn new() -> Self {
        let mut play = Play::with(&[]);
        for (member, role) in TEAMMATES {
            play.spawn(member, role, MemberOptions::default(), false);
        }
        Self {
            play,
            naive: Naive::new(),
            folded: TeamState::default(),
            read: 0,
            late: Vec::new(),
            last: None,
        }
    }

    fn play(&mut self, raw: &[Raw]) {
        for (at, raw) in raw.iter().enumerate() {
            let op = match raw.5 % 12 {
                // It is under way for a while, and others come first.
                0 => {
                    let op = self.op(at, *raw);
                    self.late.push(op);
                    continue;
                }
                1 if !self.late.is_empty() => {
                    let place = usize::from(raw.0) % self.late.len();
                    self.late.swap_remove(place)
                }
                2 if self.last.is_some() => self.last.clone().unwrap(),
                _ => self.op(at, *raw),
            };
            self.both(&op);
            self.last = Some(op);
        }
    }

    /// A command is made with the actor's present incarnation, which may have changed when it arrives.
    fn op(&self, at: usize, (kind, who, task, a, b, _): Raw) -> Op {
        let who = usize::from(who) % 5;
        let task = u32::from(task) % 8 + 1;
        let some = |mask: u8| (1..=8).filter(|id| mask & (1 << (id - 1)) != 0).collect();
        let few = |mask: u8, other: u8| some(mask & other & mask.rotate_left(3));
        let teammate = usize::from(a) % 3 + 1;
        let what = match kind % 24 {
            0..=2 => What::Create {
                blocked_by: few(a, b),
                blocks: few(b, a.rotate_left(5)),
                needs: [None, None, Some("r1"), Some("r2")][usize::from(a) % 4],
                check: b.is_multiple_of(4),
                assigned: (b % 5 == 1).then_some(teammate),
            },
            3..=5 => What::Claim,
            6 | 7 => What::Take,
            8 | 9 => What::Complete {
                verified: a.is_multiple_of(2),
            },
            10 => What::Fail,
            11 => What::Release,
            12 => What::Assign(usize::from(a) % MEMBERS),
            13 => What::Reopen,
            14 => What::Delete,
            15 | 16 => What::Links {
                add: few(a, b.rotate_left(2)),
                remove: few(b, a.rotate_left(1)),
                add_blocks: few(a.rotate_left(4), b),
            },
            17 => What::CheckFailed,
            18 => What::Withdraw,
            19 => What::Nudge,
            20 => What::Work,
            21 => What::Rest(
                [EndReason::Done, EndReason::Interrupted, failed()][usize::from(a) % 3].clone(),
            ),
            22 => What::Spawn {
                fresh: a.is_multiple_of(3),
            },
            _ if a.is_multiple_of(3) => What::Stop,
            _ => What::Told(self.play.team.board().changes()),
        };
        let who = match what {
            // Mostly of those who may.
            What::Create { .. }
            | What::Assign(_)
            | What::Reopen
            | What::Delete
            | What::Links { .. }
                if b % 8 > 0 =>
            {
                LEAD
            }
            What::Spawn { .. } | What::Stop => teammate,
            What::Take
            | What::Withdraw
            | What::Nudge
            | What::Work
            | What::Rest(_)
            | What::Told(_)
                if who == USER =>
            {
                teammate
            }
            _ => who,
        };
        Op {
            number: at as u64,
            who,
            life: self.naive.life(who),
            task,
            what,
        }
    }

    fn both(&mut self, op: &Op) {
        let expected = self.naive.run(op);
        let said = match self.play.run(&command(op)) {
            Ok(0) => Ok(false),
            Ok(_) => Ok(true),
            Err(_) => Err(()),
        };
        assert_eq!(said, expected, "{op:?}");
        self.naive.is_like(&self.play.team);
        for event in &self.play.journal[self.read..] {
            let text = serde_json::to_string(event).unwrap();
            let back: TeamEvent = serde_json::from_str(&text).unwrap();
            assert_eq!(back, *event, "{text}");
            self.folded.apply(&back, Timestamp(self.read as u64));
            self.naive.hears(event);
            self.read += 1;
        }
        assert_eq!(self.folded, self.play.team);
        assert_eq!(
            self.naive.has_news(),
            self.play.team.board().has_unreported_changes()
        );
    }
}

fn member(who: usize) -> MemberName {
    match who {
        LEAD => MemberName::lead(),
        _ => name(TEAMMATES[who - 1].0),
    }
}

fn command(op: &Op) -> Command {
    let (task, incarnation) = (id(op.task), Incarnation(op.life));
    let by = match op.who {
        USER => Actor::User,
        who => Actor::Member(member(who), incarnation),
    };
    let set = |numbers: &BTreeSet<u32>| numbers.iter().copied().map(TaskId::new).collect();
    let mut verified = None;
    let text = String::new;
    let ask = match &op.what {
        What::Create {
            blocked_by,
            blocks,
            needs,
            check,
            assigned,
        } => TaskAction::Create(Box::new(NewTask {
            call: format!("create {}", op.number).into(),
            subject: "something".into(),
            blocked_by: set(blocked_by),
            blocks: set(blocks),
            requires: needs.map(|role| Requirement::Role(role.into())),
            check: check.then(|| "true".into()),
            assigned: assigned.map(member),
            ..NewTask::default()
        })),
        What::Links {
            add,
            remove,
            add_blocks,
        } => {
            let edit = TaskEdit {
                add_blocked_by: set(add),
                remove_blocked_by: set(remove),
                add_blocks: set(add_blocks),
                ..TaskEdit::default()
            };
            TaskAction::Edit(task, Box::new(edit))
        }
        What::Claim => TaskAction::Claim(task),
        What::Complete { verified: is } => {
            verified = is.then(|| evidence("true"));
            TaskAction::Complete(task, text())
        }
        What::Fail => TaskAction::Fail(task, text()),
        What::Release => TaskAction::Release(task, text()),
        What::Assign(to) => TaskAction::Assign(task, member(*to)),
        What::Reopen => TaskAction::Reopen(task, text()),
        What::Delete => TaskAction::Delete(task),
        other => return other_command(op, other, by, task),
    };
    Command::Task(TaskCommand::Act {
        by,
        action: ask,
        verified,
    })
}

fn other_command(op: &Op, what: &What, by: Actor, task: TaskId) -> Command {
    let incarnation = Incarnation(op.life);
    if let What::CheckFailed = what {
        let output = String::new();
        return Command::Task(TaskCommand::CheckFailed { by, task, output });
    }
    let member = self::member(op.who);
    match what {
        What::Take => Command::Task(TaskCommand::ClaimNext(member, incarnation)),
        What::Nudge => Command::Task(TaskCommand::Nudge(member, incarnation, task)),
        What::Withdraw => {
            let why = String::new();
            Command::Task(TaskCommand::Withdraw(member, incarnation, task, why))
        }
        What::Work => Command::StartTurn {
            member,
            incarnation,
        },
        What::Rest(why) => Command::EndTurn {
            member,
            incarnation,
            why: why.clone(),
            turn: Some(op.number),
            result: String::new(),
        },
        What::Stop => Command::Stop {
            member,
            incarnation,
        },
        What::Told(changes) => Command::MarkBoardReported { changes: *changes },
        What::Spawn { fresh } => Command::Spawn(Spawn {
            by: MemberName::lead(),
            call: format!("spawn {}", op.number).into(),
            role: TEAMMATES[op.who - 1].1.into(),
            member,
            prompt: "work".into(),
            options: MemberOptions::default(),
            ceiling: Mode::Bypass,
            fresh: *fresh,
        }),
        asked => unreachable!("{asked:?}"),
    }
}

//! What can happen in a trace, and how often it does.

use proptest::prelude::*;

use super::WHO;
use crate::transcript::EndReason;

/// One thing that happens, or is tried.
#[derive(Debug, Clone)]
pub(super) enum Step {
    Spawn {
        who: usize,
        plan: bool,
        fresh: bool,
    },
    Rest {
        who: usize,
        why: EndReason,
    },
    /// The lead puts a task on the board.
    Create,
    /// A member asks something of the board; or the lead, about it.
    Board {
        who: usize,
        task: usize,
        asks: Asks,
    },
    /// A member takes what it may from the board.
    Take {
        who: usize,
    },
    /// What was answered is heard.
    Hear {
        who: usize,
    },
    Lift {
        who: usize,
        by: usize,
    },
    Stop {
        who: usize,
    },
    RequirePlan {
        who: usize,
        by_user: bool,
    },
    Submit {
        who: usize,
        text: u8,
    },
    Ask {
        who: usize,
        text: u8,
    },
    /// A plan is submitted, approved by one who may, and heard; each of them if it can be.
    Grant {
        who: usize,
    },
    /// The same where plans are required; then the turn ends with a result.
    Through {
        who: usize,
    },
    /// A permission is asked for, given, and used.
    Allow {
        who: usize,
        text: u8,
    },
    /// An answer that may come twice, to any request, from any principal and incarnation, of any kind.
    Answer {
        id: u64,
        by: u8,
        life: u32,
        expects: u8,
        yes: bool,
    },
    /// A member tries to do something in its present incarnation.
    WriteNow {
        who: usize,
    },
    /// The same in any life; with this grant, if it has to ask.
    Write {
        who: usize,
        text: u8,
        grant: u64,
        life: u32,
        fits: bool,
    },
    Wait,
    Expire {
        id: u64,
    },
    /// The host ends, and the journal is read again.
    Crash,
}

/// What is asked of the board.
#[derive(Debug, Clone, Copy)]
pub(super) enum Asks {
    Claim,
    Complete,
    GiveBack,
    GiveUp,
    /// The lead assigns it to another member.
    Assign,
    /// The lead wants it done again.
    Reopen,
}

/// Who may try to lift.
pub(super) const LIFTERS: [&str; 3] = ["lead", "user", "bob"];

/// A number as a supply of small choices: one random number for each step is far cheaper than a strategy for each choice.
struct Choices(u64);

impl Choices {
    /// Below this.
    fn below(&mut self, bound: u64) -> u64 {
        let choice = self.0 % bound;
        self.0 /= bound;
        choice
    }

    fn small(&mut self, bound: u8) -> u8 {
        self.below(bound.into()).to_le_bytes()[0]
    }

    fn life(&mut self) -> u32 {
        1 + u32::from(self.small(3))
    }

    fn yes(&mut self) -> bool {
        self.below(2) == 1
    }

    fn who(&mut self) -> usize {
        self.small(WHO.len().to_le_bytes()[0]).into()
    }

    fn why(&mut self) -> EndReason {
        let what = "something".to_owned();
        match self.below(10) {
            0..4 => EndReason::Done,
            4..6 => EndReason::Waiting { what },
            6..8 => EndReason::Interrupted,
            8 => EndReason::Limit { what },
            _ => EndReason::Failed { what },
        }
    }

    fn asks(&mut self) -> Asks {
        match self.below(13) {
            0..6 => Asks::Claim,
            6..9 => Asks::Complete,
            9 => Asks::GiveBack,
            10 => Asks::GiveUp,
            11 => Asks::Assign,
            _ => Asks::Reopen,
        }
    }

    fn step(&mut self) -> Step {
        match (self.below(65), self.who()) {
            (0..2, who) => {
                let (plan, fresh) = (self.yes(), self.yes());
                Step::Spawn { who, plan, fresh }
            }
            (2..5, who) => {
                let why = self.why();
                Step::Rest { who, why }
            }
            (5, _) => Step::Create,
            (6..10, who) => {
                let (task, asks) = (self.small(3).into(), self.asks());
                Step::Board { who, task, asks }
            }
            (10..12, who) => Step::Take { who },
            (12..18, who) => Step::Hear { who },
            (18, who) => {
                let by = self.small(LIFTERS.len().to_le_bytes()[0]).into();
                Step::Lift { who, by }
            }
            (19, who) => Step::Stop { who },
            (20..22, who) => {
                let by_user = self.yes();
                Step::RequirePlan { who, by_user }
            }
            (22..26, who) => {
                let text = self.small(3);
                Step::Submit { who, text }
            }
            (26..30, who) => {
                let text = self.small(3);
                Step::Ask { who, text }
            }
            (30..36, who) => Step::Grant { who },
            (36..38, who) => Step::Through { who },
            (38, who) => {
                let text = self.small(3);
                Step::Allow { who, text }
            }
            (39..45, _) => Step::Answer {
                id: 1 + self.below(8),
                by: self.small(6),
                life: self.life(),
                expects: self.small(4),
                yes: self.yes(),
            },
            (45..55, who) => Step::WriteNow { who },
            (55..61, who) => Step::Write {
                who,
                text: self.small(3),
                grant: 1 + self.below(8),
                life: self.life(),
                fits: self.yes(),
            },
            (61, _) => Step::Wait,
            (62, _) => Step::Expire {
                id: 1 + self.below(8),
            },
            _ => Step::Crash,
        }
    }
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    any::<u64>().prop_map(|choices| Choices(choices).step())
}

//! What can happen in a trace, and how often it does.

use proptest::prelude::*;

use super::WHO;
use crate::transcript::RestReason;

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
        why: RestReason,
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
    /// An answer that may come twice, to anything, from anybody, in any life, of any kind.
    Answer {
        id: u64,
        by: u8,
        life: u32,
        expects: u8,
        yes: bool,
    },
    /// A member tries to do something in its present life.
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
    /// The lead gives it to somebody else.
    Assign,
    /// The lead wants it done again.
    Reopen,
}

/// Who may try to lift.
pub(super) const LIFTERS: [&str; 3] = ["lead", "user", "bob"];

fn why() -> impl Strategy<Value = RestReason> {
    let what = || "something".to_owned();
    prop_oneof![
        4 => Just(RestReason::Done),
        2 => Just(RestReason::Waiting { what: what() }),
        2 => Just(RestReason::Interrupted),
        1 => Just(RestReason::Limit { what: what() }),
        1 => Just(RestReason::Failed { what: what() }),
    ]
}

fn asks() -> impl Strategy<Value = Asks> {
    prop_oneof![
        6 => Just(Asks::Claim),
        3 => Just(Asks::Complete),
        1 => Just(Asks::GiveBack),
        1 => Just(Asks::GiveUp),
        1 => Just(Asks::Assign),
        1 => Just(Asks::Reopen),
    ]
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    let who = 0..WHO.len();
    prop_oneof![
        2 => (who.clone(), any::<bool>(), any::<bool>()).prop_map(|(who, plan, fresh)| Step::Spawn { who, plan, fresh }),
        3 => (who.clone(), why()).prop_map(|(who, why)| Step::Rest { who, why }),
        1 => Just(Step::Create),
        4 => (who.clone(), 0..3_usize, asks()).prop_map(|(who, task, asks)| Step::Board { who, task, asks }),
        2 => who.clone().prop_map(|who| Step::Take { who }),
        6 => who.clone().prop_map(|who| Step::Hear { who }),
        1 => (who.clone(), 0..LIFTERS.len()).prop_map(|(who, by)| Step::Lift { who, by }),
        1 => who.clone().prop_map(|who| Step::Stop { who }),
        2 => (who.clone(), any::<bool>()).prop_map(|(who, by_user)| Step::RequirePlan { who, by_user }),
        4 => (who.clone(), 0..3_u8).prop_map(|(who, text)| Step::Submit { who, text }),
        4 => (who.clone(), 0..3_u8).prop_map(|(who, text)| Step::Ask { who, text }),
        6 => who.clone().prop_map(|who| Step::Grant { who }),
        2 => who.clone().prop_map(|who| Step::Through { who }),
        1 => (who.clone(), 0..3_u8).prop_map(|(who, text)| Step::Allow { who, text }),
        6 => (1..9_u64, 0..6_u8, 1..4_u32, 0..4_u8, any::<bool>())
            .prop_map(|(id, by, life, expects, yes)| Step::Answer { id, by, life, expects, yes }),
        10 => who.clone().prop_map(|who| Step::WriteNow { who }),
        6 => (who, 0..3_u8, 1..9_u64, 1..4_u32, any::<bool>())
            .prop_map(|(who, text, grant, life, fits)| Step::Write { who, text, grant, life, fits }),
        1 => Just(Step::Wait),
        1 => (1..9_u64).prop_map(|id| Step::Expire { id }),
        1 => Just(Step::Crash),
    ]
}

//! A team at work: alice and bob, to whom a person sends one numbered message after the other.

use std::{
    sync::atomic::{AtomicBool, AtomicUsize, Ordering},
    thread,
    time::Duration,
};

use serde_json::Value;

use super::camp::Camp;
use crate::{
    play::{Scene as _, bash, play, say, spawn},
    world::until,
};

/// Who is sent messages, in turn.
const MEMBERS: [&str; 2] = ["alice", "bob"];

/// The pause between two messages.
const PAUSE: Duration = Duration::from_millis(50);

/// What is sent, and how far that is.
#[derive(Default)]
pub(super) struct Load {
    acknowledged: AtomicUsize,
    is_over: AtomicBool,
}

/// Members that run a command for each message, and say so.
pub(super) fn team() -> Value {
    let works = || {
        vec![
            say("It is done.").after("filled").again(),
            bash("echo filled").after_mail("lamp").again(),
            say("I wait.").otherwise(),
        ]
    };
    let lead = vec![
        spawn([("alice", "coder", "Wait"), ("bob", "coder", "Wait")]).after("begin"),
        say("I wait.").otherwise(),
    ];
    play([("lead", lead), ("alice", works()), ("bob", works())])
}

/// Has the lead spawn them, and waits until both have begun.
pub(super) fn begin(camp: &Camp) {
    camp.ann(&["send", "lead", "begin"]).ends(0);
    let has_begun = || MEMBERS.iter().all(|who| camp.heard(who, "Wait") == 1);
    until(has_begun, || camp.ann(&["team"]).out);
}

impl Load {
    /// Sends messages until it is over; each is acknowledged before the next one.
    pub(super) fn send(&self, camp: &Camp) {
        while !self.is_over.load(Ordering::SeqCst) {
            let number = self.acknowledged();
            let to = MEMBERS[number % MEMBERS.len()];
            camp.ann(&["send", to, &words(number)]).ends(0);
            self.acknowledged.fetch_add(1, Ordering::SeqCst);
            thread::sleep(PAUSE);
        }
    }

    /// How many messages were acknowledged.
    pub(super) fn acknowledged(&self) -> usize {
        self.acknowledged.load(Ordering::SeqCst)
    }

    /// Waits until so many more are acknowledged.
    pub(super) fn wait_for_more(&self, count: usize) {
        let goal = self.acknowledged() + count;
        until(
            || self.acknowledged() >= goal,
            || format!("{goal} messages"),
        );
    }

    /// No more are sent.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::SeqCst);
    }
}

/// How often each of the first messages was heard by its recipient.
pub(super) fn counts(camp: &Camp, messages: usize) -> Vec<usize> {
    let count = |number| camp.heard(MEMBERS[number % MEMBERS.len()], &words(number));
    (0..messages).map(count).collect()
}

fn words(number: usize) -> String {
    format!("lamp {number}.")
}

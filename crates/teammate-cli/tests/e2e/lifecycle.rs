//! How members and teams begin, rest, are woken, fail, are interrupted and go on.

mod failing;
mod names;
mod pausing;
mod spawning;

use std::fs;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say, send, spawn},
    world::{World, until},
};

/// A command that goes on until the file `go` is there.
const UNTIL_GO: &str = "until [ -e go ]; do sleep 0.02; done; echo went";

fn spawns_alice(then: Vec<Value>, alice: Vec<Value>) -> Value {
    let mut lead = vec![spawn([("alice", "coder", "Begin")])];
    lead.extend(then);
    lead.push(say("I wait.").otherwise());
    play([("lead", lead), ("alice", alice)])
}

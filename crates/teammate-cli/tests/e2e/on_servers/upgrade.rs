//! A rolling upgrade: workers and servers are stopped in order and started again, one after the other, while the team works.

use std::thread;

use rustix::process::Signal;
use teammate_core::transcript::Entry;

use super::{
    camp::{Camp, Servers},
    load::{self, Load},
};
use crate::world::{World, until};

#[test]
fn workers_and_servers_are_restarted_in_turn_and_no_mail_and_no_turn_is_lost() {
    let world = World::playing(&load::team());
    let Some(camp) = Camp::new(world, Servers::Three) else {
        return;
    };
    camp.make_team();
    let mut workers = ["w1", "w2", "w3"].map(|name| (name, Some(camp.worker(name))));
    load::begin(&camp);
    let load = Load::default();
    thread::scope(|scope| {
        let sending = scope.spawn(|| load.send(&camp));
        for (name, worker) in &mut workers {
            load.wait_for_more(3);
            let old = worker.take().unwrap();
            old.signal(Signal::TERM);
            old.end().ends(0).says(&format!("Worker '{name}' has left"));
            *worker = Some(camp.worker(name));
        }
        for at in 0..3 {
            load.wait_for_more(3);
            let mut servers = camp.servers();
            servers[at].end().unwrap();
            servers[at].start_again().unwrap();
            drop(servers);
            until_current(&camp);
        }
        load.wait_for_more(3);
        load.end();
        sending.join().unwrap();
    });
    let sent = load.acknowledged();
    let all_heard = || load::counts(&camp, sent).iter().all(|count| *count > 0);
    until(all_heard, || format!("{:?}", load::counts(&camp, sent)));
    let is_done = || ["alice", "bob"].iter().all(|who| has_answered(&camp, who));
    until(is_done, || camp.ann(&["log"]).out);
    assert_eq!(load::counts(&camp, sent), vec![1; sent]);
    println!("{sent} messages, each heard once");
}

/// Whether its last words are an answer: no turn was left.
fn has_answered(camp: &Camp, who: &str) -> bool {
    matches!(
        camp.entries(who).last(),
        Some(Entry::Answered(answer)) if answer.text().contains("It is done.")
    )
}

/// Waits until the servers hold all of each stream again.
fn until_current(camp: &Camp) {
    let looked = || camp.ann(&["doctor"]);
    let is_current = |said: &str| said.contains("on 3 servers, all of them current");
    until(|| is_current(&looked().out), || looked().out);
}

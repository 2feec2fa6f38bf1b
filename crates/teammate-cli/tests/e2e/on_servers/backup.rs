//! The runbook of backups, with a team that works: what an operator does, by the requests that `nats stream backup` makes.

use std::thread;

use rustix::process::Signal;

use super::{
    camp::{Camp, Servers},
    load::{self, Load},
    snapshot::Backup,
};
use crate::world::{Running, World, now, until};

/// All that is backed up, in this order: what is heard is in a transcript, so mail that is in both is dropped as known.
const STREAMS: [&str; 4] = ["TM_LOG_0", "TM_MAIL_0", "TM_OBJ_0", "KV_TM_TEAMS"];

fn camp() -> Option<(Camp, Vec<Running>)> {
    let camp = Camp::new(World::playing(&load::team()), Servers::One)?;
    camp.make_team();
    let workers = ["w1", "w2"].map(|name| camp.worker(name)).into();
    load::begin(&camp);
    Some((camp, workers))
}

fn backed_up(camp: &Camp) -> Vec<Backup> {
    now(async {
        let (client, mut all) = (camp.client().await, Vec::new());
        for stream in STREAMS {
            all.push(Backup::of(&client, stream).await);
        }
        all
    })
}

fn restore(backup: &[Backup], camp: &Camp) {
    now(async {
        let client = camp.client().await;
        for stream in backup {
            stream.restore(&client).await;
        }
    });
}

#[test]
fn a_team_that_was_backed_up_at_work_goes_on_from_there_on_another_server() {
    let Some((camp, workers)) = camp() else {
        return;
    };
    let load = Load::default();
    let (backup, before) = thread::scope(|scope| {
        let sending = scope.spawn(|| load.send(&camp));
        load.wait_for_more(10);
        let before = load.acknowledged();
        let backup = backed_up(&camp);
        load.wait_for_more(3);
        load.end();
        sending.join().unwrap();
        (backup, before)
    });
    workers
        .iter()
        .for_each(|worker| worker.signal(Signal::KILL));
    camp.servers().iter_mut().for_each(|server| server.kill());

    let Some(other) = camp.elsewhere() else {
        return;
    };
    restore(&backup, &other);
    other
        .ann(&["doctor", "--replicas", "1"])
        .ends(0)
        .says("synced before they acknowledge");
    // One reader folds the journal before anybody writes.
    other.ann(&["team"]).ends(0).says("alice").says("bob");
    let _workers = ["w1", "w2"].map(|name| other.worker(name));
    let all_heard = || load::counts(&other, before).iter().all(|count| *count > 0);
    until(all_heard, || format!("{:?}", load::counts(&other, before)));
    // What was sent while the backup was made is there or not, and nothing is there twice.
    let sent = load.acknowledged();
    let counts = load::counts(&other, sent);
    assert!(counts.iter().all(|count| *count <= 1), "{counts:?}");
    other.ann(&["send", "alice", "And this lamp."]).ends(0);
    until(
        || other.heard("alice", "And this lamp.") == 1,
        || other.ann(&["log"]).out,
    );
    println!(
        "{before} of {sent} messages before the backup, {} after it",
        counts.iter().sum::<usize>()
    );
}

#[test]
fn an_old_backup_under_running_workers_stops_them_and_names_the_record() {
    let Some((camp, workers)) = camp() else {
        return;
    };
    let backup = backed_up(&camp);
    camp.ann(&["send", "alice", "This lamp is new."]).ends(0);
    until(
        || camp.heard("alice", "This lamp is new.") == 1,
        || camp.ann(&["log"]).out,
    );
    // Workers rest: nothing is under way that would hide what they know.
    until(
        || camp.ann(&["team"]).out.matches("idle").count() == 3,
        || camp.ann(&["team"]).out,
    );
    restore(&backup, &camp);
    for worker in workers {
        worker
            .end()
            .ends(1)
            .complains("the team's journal cannot be followed: record")
            .complains("is missing or is another one than before")
            .complains("look whether an old backup was restored");
    }
    assert_eq!(camp.heard("alice", "This lamp is new."), 0);

    // It is decided that the backup is the truth: workers are started anew.
    let _workers = ["w1", "w2"].map(|name| camp.worker(name));
    camp.ann(&["send", "alice", "Light this lamp."]).ends(0);
    until(
        || camp.heard("alice", "Light this lamp.") == 1,
        || camp.ann(&["log"]).out,
    );
}

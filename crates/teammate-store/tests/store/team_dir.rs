//! What lies around the logs: the host's lock, the views, the rosters of other programs, and listening to other
//! processes.

use std::{sync::Arc, time::Duration};

use crate::common::{Files, ids, mail, name};
use teammate_core::{
    Incarnation, Sender, Timestamp,
    board::{Board, TaskEvent, TaskId},
    port::{Disk, Durability, Journal, Mailbox},
    team::{TeamEvent, TeamState},
};
use teammate_store::{
    files::{self, FileJournal, FileMailbox, FileWatch, HostError, HostLock, LockHolder},
    foreign_roster::{ForeignConfig, ForeignMember, read_foreign_config},
    view_files::{write_config, write_tasks},
};
use teammate_testkit::sim::SimDisk;
use uuid::Uuid;

#[test]
fn a_team_has_one_host() {
    for files in [Files::real(), Files::simulated()] {
        let (shared, disk) = (&files.disk, &*files.disk);
        assert_eq!(HostLock::holder(disk, &files.dir), Ok(None));
        let host = HostLock::take(shared, &files.dir, Timestamp(5)).unwrap();
        let holder = HostLock::holder(disk, &files.dir).unwrap().unwrap();
        let me = LockHolder::Process {
            pid: std::process::id(),
            since: Timestamp(5),
        };
        assert_eq!(holder, me);
        let Err(HostError::Running(by)) = HostLock::take(shared, &files.dir, Timestamp(6)) else {
            panic!("two hosts")
        };
        assert_eq!(by, holder);
        drop(host);
        assert_eq!(HostLock::holder(disk, &files.dir), Ok(None));
        HostLock::take(shared, &files.dir, Timestamp(7)).unwrap();
    }
}

#[test]
fn a_host_that_is_killed_leaves_the_team_free() {
    let first = SimDisk::new();
    let dir = files::TeamDir::create(&first, "/team").unwrap();
    let shared = |disk: &SimDisk| -> Arc<dyn Disk> { Arc::new(disk.clone()) };
    let _host = HostLock::take(&shared(&first), &dir, Timestamp(5)).unwrap();
    let second = first.second_process();
    assert!(HostLock::take(&shared(&second), &dir, Timestamp(6)).is_err());
    let third = first.restarted();
    assert_eq!(HostLock::holder(&third, &dir), Ok(None));
}

fn team() -> TeamState {
    let mut team = TeamState::default();
    let created = TeamEvent::Created {
        id: Uuid::from_u128(1),
        name: "default".into(),
    };
    let spawned = |who, role: &str| TeamEvent::Spawned {
        member: who,
        role: role.into(),
        prompt: String::new(),
        options: teammate_core::team::MemberOptions::default(),
        plan_by: None,
        plan_once: false,
        incarnation: Incarnation(1),
        by: name("lead"),
        call: "c".into(),
        fresh: false,
    };
    let stopped = TeamEvent::Stopped {
        member: name("alice"),
        incarnation: Incarnation(1),
    };
    for event in [
        created,
        spawned(name("lead"), "lead"),
        spawned(name("alice"), "coder"),
        stopped,
    ] {
        team.apply(&event, Timestamp(1));
    }
    team
}

#[test]
fn the_view_says_what_the_team_is() {
    let files = Files::real();
    write_config(
        &*files.disk,
        &files.dir,
        &team(),
        Timestamp(1500),
        Durability::Synced,
    )
    .unwrap();
    let text = String::from_utf8(files.disk.read(&files.dir.config()).unwrap()).unwrap();
    assert_eq!(
        text,
        r#"{
  "team_name": "default",
  "members": [
    {
      "name": "alice",
      "role": "coder",
      "status": "shutdown",
      "phase": "stopped",
      "incarnation": 1
    }
  ],
  "lead": {
    "name": "lead",
    "role": "lead",
    "status": "working",
    "phase": "starting",
    "incarnation": 1
  },
  "requests": [],
  "updated_at": 1.5
}
"#
    );
    let names: Vec<_> = files.disk.list(files.dir.path()).unwrap();
    let temporary = |path: &std::path::PathBuf| path.extension().is_some_and(|end| end == "tmp");
    assert!(!names.iter().any(temporary), "{names:?}");
    let ForeignConfig::Roster(roster) = read_foreign_config(&*files.disk, &files.dir).unwrap()
    else {
        panic!()
    };
    assert!(roster.members[0].stopped);
}

fn on_board(team: &mut TeamState, task: u32, change: TaskEvent) {
    let task = TaskId::new(task);
    team.apply(&TeamEvent::Task { task, change }, Timestamp(1500));
}

fn made(subject: &str) -> TaskEvent {
    let change = format!(
        r#"{{"change":"created","by":"user","call":"{subject}","subject":"{subject}","check":"true"}}"#
    );
    serde_json::from_str(&change).unwrap()
}

#[test]
fn a_task_is_a_file_and_only_what_changed_is_written() {
    let files = Files::real();
    let (disk, dir) = (&*files.disk, &files.dir);
    let read = |id: u32| disk.read(&dir.task(TaskId::new(id)));
    let mut team = team();
    for (id, subject) in [(1, "One"), (2, "Two"), (3, "Three")] {
        on_board(&mut team, id, made(subject));
    }
    write_tasks(disk, dir, &Board::default(), team.board()).unwrap();
    assert_eq!(
        String::from_utf8(read(3).unwrap()).unwrap(),
        r#"{
  "id": 3,
  "subject": "Three",
  "description": "",
  "active_form": "",
  "status": "pending",
  "owner": null,
  "blocked_by": [],
  "blocks": [],
  "check": "true",
  "created_at": 1.5,
  "updated_at": 1.5
}
"#
    );

    // An edit of a view file stays until the task changes.
    for id in 1..=3 {
        disk.write(&dir.task(TaskId::new(id)), b"scribble").unwrap();
    }
    let before = team.board().clone();
    let (by, result) = (Sender::User, "It is.".to_owned());
    on_board(
        &mut team,
        2,
        TaskEvent::Completed {
            by,
            result,
            evidence: None,
        },
    );
    let deleted = TaskEvent::Deleted {
        by: Sender::User,
        had: None,
    };
    on_board(&mut team, 3, deleted);
    write_tasks(disk, dir, &before, team.board()).unwrap();
    assert_eq!(read(1).unwrap(), b"scribble");
    let second: serde_json::Value = serde_json::from_slice(&read(2).unwrap()).unwrap();
    assert_eq!(
        (&second["status"], &second["result"]),
        (&"completed".into(), &"It is.".into())
    );
    assert_eq!(read(3).unwrap_err().kind(), std::io::ErrorKind::NotFound);
    let left = disk.list(&dir.tasks_dir()).unwrap();
    assert_eq!(left, [dir.task(TaskId::new(1)), dir.task(TaskId::new(2))]);

    // A board without tasks makes no directory.
    let empty = Files::real();
    write_tasks(
        &*empty.disk,
        &empty.dir,
        &Board::default(),
        &Board::default(),
    )
    .unwrap();
    assert!(!empty.disk.exists(&empty.dir.tasks_dir()));
}

#[test]
fn a_view_is_old_or_new_but_never_half() {
    let calm = SimDisk::new();
    let dir = files::TeamDir::create(&calm, "/team").unwrap();
    write_config(
        &calm,
        &dir,
        &TeamState::default(),
        Timestamp(1),
        Durability::Synced,
    )
    .unwrap();
    let before = calm.read(&dir.config()).unwrap();
    write_config(&calm, &dir, &team(), Timestamp(2), Durability::Synced).unwrap();
    let after = calm.read(&dir.config()).unwrap();
    for seed in 0..20 {
        for at in 0..calm.operations() {
            let disk = SimDisk::new();
            disk.fail_at(at, teammate_testkit::sim::Fault::CrashMidway);
            let mut first = false;
            if files::TeamDir::create(&disk, "/team").is_ok() {
                first = write_config(
                    &disk,
                    &dir,
                    &TeamState::default(),
                    Timestamp(1),
                    Durability::Synced,
                )
                .is_ok();
                let _ = write_config(&disk, &dir, &team(), Timestamp(2), Durability::Synced);
            }
            match disk.after_power_cut(seed).read(&dir.config()) {
                Ok(bytes) => assert!(
                    bytes == before || bytes == after,
                    "seed {seed}, operation {at}"
                ),
                Err(_) => assert!(!first, "seed {seed}, operation {at}"),
            }
        }
    }
}

#[test]
fn rosters_of_other_programs_are_read() {
    let files = Files::real();
    let read = || read_foreign_config(&*files.disk, &files.dir).unwrap();
    assert_eq!(read(), ForeignConfig::Missing);
    let config = r#"{"team_name": "default", "members": [
        {"name": "alice", "role": "coder", "status": "working"},
        {"name": "bob", "role": "tester", "status": "shutdown"},
        {"name": "carol"}, {"role": "nobody"}, "dave", {"name": "eve", "role": null, "status": "active", "x": 1}
    ], "y": 2}"#;
    files
        .disk
        .write(&files.dir.config(), config.as_bytes())
        .unwrap();
    let ForeignConfig::Roster(roster) = read() else {
        panic!()
    };
    let member = |name: &str, role: &str, stopped| ForeignMember {
        name: name.into(),
        role: role.into(),
        stopped,
    };
    assert_eq!(roster.team_name.as_deref(), Some("default"));
    assert_eq!(
        roster.members,
        [
            member("alice", "coder", false),
            member("bob", "tester", true),
            member("carol", "", false),
            member("dave", "", false),
            member("eve", "", false),
        ]
    );
    assert_eq!(roster.damaged.len(), 1);
}

#[test]
fn a_roster_that_cannot_be_read_is_kept_and_told() {
    let files = Files::real();
    for (torn, kept) in [
        ("{\"members\": [", "config.json.bad"),
        ("[]", "config.json.bad.2"),
        ("", "config.json.bad.3"),
    ] {
        files
            .disk
            .write(&files.dir.config(), torn.as_bytes())
            .unwrap();
        let ForeignConfig::Damaged { kept_in, .. } =
            read_foreign_config(&*files.disk, &files.dir).unwrap()
        else {
            panic!("{torn}")
        };
        assert_eq!(kept_in, files.dir.path().join(kept));
        assert_eq!(files.disk.read(&kept_in).unwrap(), torn.as_bytes());
        assert!(!files.disk.exists(&files.dir.config()));
    }
}

#[tokio::test]
async fn another_process_rings() {
    rings(files::watch).await;
}

#[tokio::test]
async fn another_process_rings_where_the_kernel_reports_nothing() {
    let every = Duration::from_millis(5);
    rings(|mailbox, journal| files::watch_by_looking(mailbox, journal, every)).await;
}

async fn rings(watch: impl Fn(Arc<FileMailbox>, Arc<FileJournal>) -> FileWatch) {
    let files = Files::real();
    let (mailbox, journal) = (Arc::new(files.mailbox()), Arc::new(files.journal()));
    let _watch = watch(mailbox.clone(), journal.clone());
    let bob = name("bob");
    assert_eq!(mailbox.take(&bob).await.unwrap(), []);

    // A mailbox and a journal of their own know as much of ours as those of another process.
    files.mailbox().send(mail("m1", "bob", "hi")).await.unwrap();
    mailbox.rang(&bob).await;
    let claims = mailbox.take(&bob).await.unwrap();
    assert_eq!(ids(&claims), ["m1"]);
    mailbox.ack(&bob, claims[0].id).await.unwrap();

    // Also when the inbox gets the same length as one that we wrote ourselves and took.
    mailbox.send(mail("m2", "bob", "hi")).await.unwrap();
    let claims = mailbox.take(&bob).await.unwrap();
    mailbox.ack(&bob, claims[0].id).await.unwrap();
    mailbox.rang(&bob).await;
    files.mailbox().send(mail("m3", "bob", "hi")).await.unwrap();
    mailbox.rang(&bob).await;
    assert_eq!(ids(&mailbox.take(&bob).await.unwrap()), ["m3"]);

    let event = TeamEvent::Stopped {
        member: bob,
        incarnation: Incarnation(1),
    };
    files
        .journal()
        .append(0, Timestamp(1), vec![event], Durability::Lazy)
        .await
        .unwrap();
    journal.grew().await;
    assert_eq!(journal.read(0).await.unwrap().records.len(), 1);
}

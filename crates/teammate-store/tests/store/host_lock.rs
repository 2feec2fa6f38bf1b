//! Many processes look at a team, and open and close it, at once: nobody takes a look for a host, and a host waits for those who
//! only look. Real processes: this test starts itself again.
#![expect(
    clippy::disallowed_methods,
    reason = "tests start programs, and see to it that the rule holds elsewhere"
)]

use std::{
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::Arc,
};

use teammate_core::{
    Timestamp,
    port::{Disk, Presence as _},
};
use teammate_store::{
    disk::TeamDisk,
    files::{FilePresence, HostLock, LockHolder, TeamDir},
};

/// Tells a child what to do, and where.
const PART: &str = "HOST_LOCK_STORY";

const LOOKERS: usize = 6;
const LOOKS: usize = 1_500;
const OPENINGS: usize = 60;

fn child(part: &str, dir: &std::path::Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "host_lock::a_child_does_its_part", "--nocapture"])
        .env(PART, format!("{part} {}", dir.display()))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// What a child has said about its part.
fn told(child: Child) -> String {
    let ended = child.wait_with_output().unwrap();
    assert!(ended.status.success());
    let out = String::from_utf8(ended.stdout).unwrap();
    let told = out.lines().find_map(|line| line.split_once("told: "));
    told.unwrap_or_else(|| panic!("{out}")).1.to_owned()
}

/// Is nothing by itself.
#[test]
fn a_child_does_its_part() {
    let Ok(part) = std::env::var(PART) else {
        return;
    };
    let (part, dir) = part.split_once(' ').unwrap();
    let disk: Arc<dyn Disk> = Arc::new(TeamDisk::open(&PathBuf::from(dir)).unwrap());
    let dir = TeamDir::at(dir);
    match part {
        "look" => {
            let mut seen = std::collections::BTreeSet::new();
            for _ in 0..LOOKS {
                match HostLock::holder(&*disk, &dir).unwrap() {
                    Some(LockHolder::Process { pid, .. }) => seen.insert(pid.to_string()),
                    Some(LockHolder::Workers { .. }) => seen.insert("workers".to_owned()),
                    Some(LockHolder::Unnamed) => seen.insert("unnamed".to_owned()),
                    None => false,
                };
            }
            let seen: Vec<String> = seen.into_iter().collect();
            println!("told: {}", seen.join(" "));
        }
        _ => {
            for opening in 0..OPENINGS {
                let host = HostLock::take(&disk, &dir, Timestamp(opening as u64)).unwrap();
                std::thread::sleep(std::time::Duration::from_millis(1));
                drop(host);
            }
            println!("told: {}", std::process::id());
        }
    }
}

fn team() -> (tempfile::TempDir, PathBuf) {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().canonicalize().unwrap().join(".team");
    std::fs::create_dir(&path).unwrap();
    let disk: Arc<dyn Disk> = Arc::new(TeamDisk::open(&path).unwrap());
    let dir = TeamDir::create(&*disk, &path).unwrap();
    drop(HostLock::take(&disk, &dir, Timestamp(1)).unwrap());
    (place, path)
}

#[test]
fn lookers_at_a_closed_team_never_take_each_other_for_a_host() {
    let (_place, path) = team();
    let lookers: Vec<Child> = (0..LOOKERS).map(|_| child("look", &path)).collect();
    for looker in lookers {
        assert_eq!(told(looker), "", "a host was seen where none is");
    }
}

#[test]
fn a_host_opens_whoever_looks_and_is_seen_by_its_own_name_only() {
    let (_place, path) = team();
    let lookers: Vec<Child> = (0..LOOKERS).map(|_| child("look", &path)).collect();
    // Its end says that no opening was refused.
    let host = told(child("open", &path));
    for looker in lookers {
        let seen = told(looker);
        let others: Vec<&str> = seen
            .split_whitespace()
            .filter(|pid| *pid != host && *pid != "unnamed")
            .collect();
        assert!(others.is_empty(), "{others:?} instead of {host}");
    }
}

#[tokio::test(start_paused = true)]
async fn who_waits_for_a_host_to_leave_hears_it_of_the_kernel_and_not_by_looking_again() {
    let (_place, path) = team();
    let disk: Arc<dyn Disk> = Arc::new(TeamDisk::open(&path).unwrap());
    let presence = FilePresence::new(disk.clone(), TeamDir::at(&path));
    // Nobody runs it.
    presence.left().await;

    let host = HostLock::take(&disk, &TeamDir::at(&path), Timestamp(1)).unwrap();
    for _ in 0..3 {
        let day = tokio::time::sleep(std::time::Duration::from_secs(86_400));
        tokio::select! {
            () = presence.left() => panic!("the host holds it"),
            () = day => {}
        }
    }
    drop(host);
    presence.left().await;
    assert_eq!(presence.holder().await.unwrap(), None);
}

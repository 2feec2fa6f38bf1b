//! What uses too much ends, and says what of.

use std::{fs, os::fd::AsFd as _};

use teammate_sandbox::{CommandLimits, Ended, Level, Limit};

use crate::place::Place;

const LEVELS: [Level; 3] = [Level::Full, Level::Landlock, Level::None];

/// How a script ended under these limits. Afterwards nothing of it is left.
async fn ended(place: &Place, script: &str, limits: CommandLimits) -> Ended {
    let nowhere = fs::File::options().write(true).open("/dev/null").unwrap();
    let mut order = place.order(script);
    order.limits = limits;
    let output = nowhere.as_fd();
    let mut running = place.view.run(&order, output, output, None).unwrap();
    let ended = running.ended().await.unwrap();
    running.kill();
    assert!(!running.is_left(), "{script}");
    ended
}

#[tokio::test]
async fn sixteen_processes_that_together_take_too_much_memory_end() {
    let limits = CommandLimits {
        total_memory_bytes: Some(256 << 20),
        ..CommandLimits::default()
    };
    let each = "import time; x = bytearray(b'x' * (20 << 20)); time.sleep(1000)";
    let script = format!("for i in $(seq 16); do python3 -c \"{each}\" & done; wait");
    for level in LEVELS {
        let ended = ended(&Place::at(level), &script, limits).await;
        assert_eq!(ended, Ended::Limit(Limit::Memory), "{level}");
    }
}

#[tokio::test]
async fn files_in_memory_count() {
    let limits = CommandLimits {
        total_memory_bytes: Some(128 << 20),
        ..CommandLimits::default()
    };
    let script = "head -c 200M /dev/zero > /dev/shm/large; sleep 1000";
    let ended = ended(&Place::new(), script, limits).await;
    assert_eq!(ended, Ended::Limit(Limit::Memory));
}

#[tokio::test]
async fn too_many_processes_are_refused_or_end() {
    let limits = CommandLimits {
        processes: Some(60),
        ..CommandLimits::default()
    };
    for level in LEVELS {
        let script = "for i in $(seq 100); do sleep 1000 & done; wait";
        let ended = ended(&Place::at(level), script, limits).await;
        let is_refused = matches!(ended, Ended::Program(status) if !status.success());
        assert!(
            is_refused || ended == Ended::Limit(Limit::Processes),
            "{level}: {ended:?}"
        );
    }
}

#[tokio::test]
async fn one_process_is_ended_by_its_time_and_by_its_file() {
    let place = Place::new();
    let limits = CommandLimits {
        cpu_seconds: Some(1),
        file_bytes: Some(1 << 20),
        ..CommandLimits::default()
    };
    for (script, limit) in [
        ("while :; do :; done", Limit::CpuTime),
        ("exec head -c 2M /dev/zero > large", Limit::FileSize),
    ] {
        assert_eq!(
            ended(&place, script, limits).await,
            Ended::Limit(limit),
            "{script}"
        );
    }
}

#[tokio::test]
async fn processes_that_have_ended_count_in_time_and_writing() {
    let limits = CommandLimits {
        cpu_seconds: Some(1),
        disk_bytes: Some(32 << 20),
        ..CommandLimits::default()
    };
    let times = "while :; do timeout 0.3 sh -c 'while :; do :; done'; done";
    let writes = "while :; do head -c 4M /dev/zero > large; rm large; done";
    for level in LEVELS {
        let place = Place::at(level);
        for (script, limit) in [(times, Limit::CpuTime), (writes, Limit::DiskWritten)] {
            let ended = ended(&place, script, limits).await;
            assert_eq!(ended, Ended::Limit(limit), "{level}: {script}");
        }
    }
}

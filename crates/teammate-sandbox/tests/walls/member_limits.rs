//! What all commands of a member use together has limits, too.

use std::{fs, os::fd::AsFd as _, time::Duration};

use teammate_sandbox::{
    By, CommandLimits, Ended, Failure, Level, Limit, MemberLimit, MemberLimits, Order, Place,
    Running, Sandbox, SandboxRules, Streams,
};
use tempfile::TempDir;

use crate::place::{begin, directory};

const LEVELS: [Level; 3] = [Level::Full, Level::Landlock, Level::None];

const UNLIMITED: MemberLimits = MemberLimits {
    memory_bytes: None,
    processes: None,
    cpu_seconds: None,
    disk_bytes: None,
    wall_seconds: None,
};

/// A workspace of two members.
struct Team {
    dir: TempDir,
    sandbox: Sandbox,
}

impl Team {
    fn new(at_most: Level, member_limits: MemberLimits) -> Self {
        begin();
        let dir = TempDir::with_prefix_in("members", directory()).unwrap();
        for made in ["workspace", "ada", "bob"] {
            fs::create_dir(dir.path().join(made)).unwrap();
        }
        let rules = SandboxRules {
            at_most,
            member_limits,
            ..SandboxRules::default()
        };
        let sandbox = Sandbox::new(rules);
        Self { dir, sandbox }
    }

    fn start(&self, member: &str, script: &str) -> Result<Running, Failure> {
        let path = |name: &str| self.dir.path().canonicalize().unwrap().join(name);
        let place = Place {
            tmp: Some(path(member)),
            by: By::Member,
            own: Vec::new(),
            worktrees: path("worktrees"),
            ..Place::to_read(&path("workspace"))
        };
        let order = Order {
            program: "/bin/bash".into(),
            arguments: vec!["-c".into(), script.into()],
            environment: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())],
            directory: place.root.clone(),
            limits: self.sandbox.rules().limits,
        };
        let nowhere = fs::File::options().write(true).open("/dev/null");
        let nowhere = nowhere.unwrap();
        let output = nowhere.as_fd();
        self.sandbox
            .start(&place, order, Streams::to(output, output), None)
    }

    async fn run(&self, member: &str, script: &str) -> Result<Ended, Failure> {
        let mut running = self.start(member, script)?;
        let ended = running.ended().await;
        running.kill();
        ended
    }
}

fn holds(megabytes: u32) -> String {
    format!(
        "exec python3 -c \"import time; x = bytearray(b'x') * ({megabytes} << 20); time.sleep(1000)\""
    )
}

#[tokio::test]
async fn of_commands_with_too_much_memory_together_the_largest_ends() {
    let limits = MemberLimits {
        memory_bytes: Some(160 << 20),
        ..UNLIMITED
    };
    for level in LEVELS {
        let team = Team::new(level, limits);
        let mut small = team.start("ada", &holds(60)).unwrap();
        let mut of_other = team.start("bob", &holds(130)).unwrap();
        let ended = team.run("ada", &holds(120)).await.unwrap();
        assert_eq!(
            ended,
            Ended::Limit(Limit::Member(MemberLimit::Memory)),
            "{level}"
        );
        for running in [&mut small, &mut of_other] {
            let ended = running.ended_within(Duration::from_millis(600)).unwrap();
            assert_eq!(ended, None, "{level}");
        }
    }
}

#[tokio::test]
async fn of_commands_with_too_many_processes_together_the_largest_ends() {
    let limits = MemberLimits {
        processes: Some(30),
        ..UNLIMITED
    };
    let many = |count: u32| format!("for i in $(seq {count}); do sleep 1000 & done; wait");
    for level in LEVELS {
        let team = Team::new(level, limits);
        let mut small = team.start("ada", &many(10)).unwrap();
        let ended = team.run("ada", &many(25)).await.unwrap();
        let limit = Limit::Member(MemberLimit::Processes);
        assert_eq!(ended, Ended::Limit(limit), "{level}");
        let ended = small.ended_within(Duration::from_millis(600)).unwrap();
        assert_eq!(ended, None, "{level}");
    }
}

#[tokio::test]
async fn what_a_member_has_used_up_its_next_command_does_not_get() {
    let times = "python3 -c 'import time\nwhile time.process_time() < 0.7: pass'";
    let writes = "head -c 10M /dev/zero > large; rm large";
    let waits = "sleep 0.7";
    for level in LEVELS {
        for (script, limit, limits) in [
            (
                times,
                MemberLimit::CpuTime,
                MemberLimits {
                    cpu_seconds: Some(1),
                    ..UNLIMITED
                },
            ),
            (
                writes,
                MemberLimit::DiskWritten,
                MemberLimits {
                    disk_bytes: Some(15 << 20),
                    ..UNLIMITED
                },
            ),
            (
                waits,
                MemberLimit::Time,
                MemberLimits {
                    wall_seconds: Some(1),
                    ..UNLIMITED
                },
            ),
        ] {
            let team = Team::new(level, limits);
            let first = team.run("ada", script).await.unwrap();
            assert!(
                matches!(first, Ended::Program(_)),
                "{level}: {script}: {first:?}"
            );
            // Only what it reaches while it runs ends it.
            let second = team.run("ada", script).await.unwrap();
            let is_ended = second == Ended::Limit(Limit::Member(limit));
            assert!(
                is_ended || matches!(second, Ended::Program(_)),
                "{level}: {second:?}"
            );
            let third = team.run("ada", "true").await;
            let refused = third
                .expect_err(&format!("{level}: {script}: {second:?}"))
                .to_string();
            assert!(
                refused.contains("all commands of the member")
                    && refused.contains("[sandbox.limits.member]"),
                "{level}: {refused}"
            );
            let of_other = team.run("bob", "true").await.unwrap();
            assert!(
                matches!(of_other, Ended::Program(status) if status.success()),
                "{level}"
            );
        }
    }
}

#[tokio::test]
async fn a_command_may_be_limited_in_time() {
    let mut team = Team::new(Level::Full, UNLIMITED);
    let rules = SandboxRules {
        limits: CommandLimits {
            wall_seconds: Some(1),
            ..CommandLimits::default()
        },
        ..SandboxRules::default()
    };
    team.sandbox = Sandbox::new(rules);
    let ended = team.run("ada", "sleep 1000").await.unwrap();
    assert_eq!(ended, Ended::Limit(Limit::Time));
}

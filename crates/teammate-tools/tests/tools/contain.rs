//! What commands start does not get away, on each level; and what is walled off from them.

#![expect(clippy::print_stdout, reason = "a test says what it skips")]

use std::{path::Path, process::Command};

use serde_json::json;
use teammate_core::{MemberName, port::MemberProcesses as _};
use teammate_sandbox::{Level, Sandbox, SandboxRules};
use teammate_testkit::{is_running, sleep_mark as mark, until};

use crate::support::{Bench, HELPER, knows_helper, run};

/// The levels that this machine has.
fn levels() -> Vec<Level> {
    knows_helper();
    [Level::Full, Level::Landlock, Level::None]
        .into_iter()
        .filter(|level| {
            let strength = Sandbox::new(at_most(*level))
                .strength(&std::env::temp_dir())
                .unwrap();
            if strength.level != *level {
                println!("skipped: {level}: {:?}", strength.because);
            }
            strength.level == *level
        })
        .collect()
}

fn at_most(level: Level) -> SandboxRules {
    SandboxRules {
        at_most: level,
        ..SandboxRules::default()
    }
}

fn at(level: Level) -> Bench {
    Bench::within(|_| at_most(level))
}

fn has_walls() -> bool {
    levels().contains(&Level::Full)
}

/// A command with a grandchild that left session and group, has no marks, hears nothing, and stops itself.
fn fugitive(mark: &str) -> String {
    let deaf = format!(
        "trap '' TERM HUP INT; touch away; (kill -STOP \\$BASHPID; :) & while :; do sleep {mark}; done"
    );
    format!(
        "( ( setsid env -i PATH=\"$PATH\" bash -c \"{deaf}\" >/dev/null 2>&1 & ) & ); until [ -e away ]; do sleep 0.01; done;"
    )
}

#[tokio::test]
async fn a_fugitive_ends_with_the_team() {
    for level in levels() {
        let (bench, away) = (at(level), mark(920));
        bench.ok("bash", json!({"command": fugitive(&away)})).await;
        until(|| is_running(&away)).await;
        assert_eq!(bench.catalogue.leftovers().count(), 1);
        bench.catalogue.leftovers().end();
        assert!(!is_running(&away), "{level:?}");
        assert_eq!(bench.catalogue.leftovers().count(), 0);
    }
}

#[tokio::test]
async fn a_fugitive_ends_with_its_member_and_another_s_does_not() {
    for level in levels() {
        let (bench, away) = (at(level), mark(926));
        bench.ok("bash", json!({"command": fugitive(&away)})).await;
        until(|| is_running(&away)).await;
        let leftovers = bench.catalogue.leftovers();
        leftovers
            .end_member(&MemberName::parse("alice").unwrap())
            .await;
        assert!(is_running(&away), "{level:?}");
        leftovers.end_member(&bench.context.caller.name).await;
        assert!(!is_running(&away), "{level:?}");
    }
}

#[tokio::test]
async fn a_fugitive_ends_with_a_time_out() {
    for level in levels() {
        let (bench, away) = (at(level), mark(921));
        let command = format!("{} echo seen; sleep 1000", fugitive(&away));
        let input = json!({"command": command, "timeout_seconds": 2});
        let text = bench.error("bash", input).await;
        assert!(text.starts_with("seen\n"), "{level:?}: {text}");
        assert!(!is_running(&away), "{level:?}");
    }
}

#[tokio::test]
async fn a_fugitive_ends_with_an_interrupt() {
    for level in levels() {
        let (bench, away) = (at(level), mark(922));
        let input = json!({"command": format!("{} sleep 1000", fugitive(&away))});
        tokio::select! {
            outcome = bench.run("bash", input) => panic!("{}", outcome.text()),
            () = until(|| is_running(&away)) => {}
        }
        assert!(!is_running(&away), "{level:?}");
    }
}

#[tokio::test]
async fn a_fugitive_ends_with_its_job() {
    for level in levels() {
        let (bench, stopped, ended) = (at(level), mark(923), mark(924));
        let start =
            |command: String| bench.ok("bash", json!({"command": command, "background": true}));
        start(format!("{} sleep 1000", fugitive(&stopped))).await;
        until(|| is_running(&stopped)).await;
        bench.ok("task_stop", json!({"job_id": "b1"})).await;
        assert!(!is_running(&stopped), "{level:?}");
        start(fugitive(&ended)).await;
        let over = bench.ok("task_output", json!({"job_id": "b2"})).await;
        assert!(over.contains("It left processes running"), "{over}");
        assert!(!is_running(&ended), "{level:?}");
    }
}

#[tokio::test]
async fn a_storm_of_forks_is_over_when_the_command_is() {
    for level in levels() {
        let (bench, storm) = (at(level), mark(925));
        // Each generation lives for a moment, and leaves its session to the next.
        bench.file("storm.sh", "setsid sh storm.sh $1 &");
        let command = format!(
            "for n in 1 2 3; do env -i \"$(command -v sh)\" storm.sh {storm} & done; sleep 1000"
        );
        let input = json!({"command": command, "timeout_seconds": 1});
        bench.error("bash", input).await;
        assert!(!is_running(&storm), "{level:?}");
    }
}

#[tokio::test]
async fn those_who_are_asked_to_stop_may_clean_up() {
    for level in levels() {
        let bench = at(level);
        let command = "setsid bash -c 'trap \"echo clean >> cleaned; exit\" TERM; touch ready; while :; do sleep 0.01; done' &
            until [ -e ready ]; do sleep 0.01; done; sleep 1000";
        let input = json!({"command": command, "timeout_seconds": 1});
        bench.error("bash", input).await;
        assert_eq!(bench.read("cleaned"), "clean\n", "once: {level:?}");
    }
}

#[tokio::test]
async fn the_shell_s_end_is_told_as_it_was() {
    for level in levels() {
        let bench = at(level);
        for (command, wanted) in [
            ("exit 7", "exit status 7"),
            ("kill -TERM $$", "killed by signal 15"),
            ("kill -SEGV $$", "killed by signal 11"),
            ("sleep 1000 & exit 3", "exit status 3"),
            ("kill -9 0", "killed by signal 9"),
            (
                "trap 'exit 5' TERM; kill -- -$$; sleep 1000",
                "exit status 5",
            ),
            (
                "sleep 1000 & kill %1 2>/dev/null || kill $!; wait $!; exit $?",
                "exit status 143",
            ),
        ] {
            let text = bench.error("bash", json!({"command": command})).await;
            assert!(text.ends_with(wanted), "{level:?}: {command}: {text}");
        }
        let pipe = bench
            .ok("bash", json!({"command": "cat <(echo 1) /dev/stdin <<<2"}))
            .await;
        assert_eq!(pipe, "1\n2\nexit status 0", "{level:?}");
    }
}

#[tokio::test]
async fn a_command_in_a_room_sees_itself_only() {
    if !has_walls() {
        return;
    }
    let bench = at(Level::Full);
    let host = std::process::id();
    let command =
        format!("kill -0 {host} 2>&1; ls -d /proc/[0-9]* | wc -l; kill -9 -1; echo unhurt");
    let text = bench.ok("bash", json!({"command": command})).await;
    assert!(text.contains("No such process"), "{text}");
    assert!(text.ends_with("unhurt\nexit status 0"), "{text}");
    let seen: u32 = text.lines().nth(1).unwrap().trim().parse().unwrap();
    assert!(seen <= 4, "{text}");
    // A command that could change the helper could remove its restrictions.
    let look = json!({"command": "head -c 1 /proc/1/mem"});
    let text = bench.error("bash", look).await;
    assert!(text.contains("No such file"), "{text}");
}

#[tokio::test]
async fn without_the_sandbox_commands_make_the_names_that_are_protected_in_it() {
    let bench = Bench::within(|_| SandboxRules::off());
    let command = "echo x > .mcp.json && mkdir .claude && cat .mcp.json";
    let text = bench.ok("bash", json!({"command": command})).await;
    assert_eq!(text, "x\nexit status 0");
}

#[tokio::test]
async fn mail_and_journal_are_walled_off() {
    if !has_walls() {
        return;
    }
    let bench = Bench::within(|top| {
        SandboxRules::default()
            .hiding(top.join("secret"))
            .hiding(top.join("not-there"))
    });
    bench.file("../secret/key", "hush");
    bench.file("../config/rules", "none");
    bench.file(".team/inbox/lead.jsonl", "");
    bench.file(".team/worktrees/bob/file", "bob\n");
    for command in [
        "echo forged >> .team/journal.jsonl",
        "echo forged >> .team/inbox/lead.jsonl",
        "cd .team/worktrees/bob && echo forged >> ../../inbox/lead.jsonl",
        "rm -r .team/inbox",
        "mv .team elsewhere",
        "ln .team/journal.jsonl mine && echo forged >> mine",
        "mount -o remount,bind,rw .team && echo forged >> .team/journal.jsonl",
        "umount .team && echo forged >> .team/journal.jsonl",
        "unshare -Urm sh -c 'umount .team || mount -o remount,bind,rw .team' && echo forged >> .team/journal.jsonl",
        "cat ../secret/key",
        "umount ../secret && cat ../secret/key",
        "mkdir ../secret/trust",
        "echo all > ../config/rules",
        "cat .team/journal.jsonl",
        "ls -d .team/inbox",
        "echo forged > .team/worktrees/bob/file",
    ] {
        let text = bench.error("bash", json!({"command": command})).await;
        assert!(!text.contains("hush"), "{command}: {text}");
    }
    assert_eq!(bench.read(".team/journal.jsonl"), "truth\n");
    assert_eq!(bench.read(".team/inbox/lead.jsonl"), "");
    assert_eq!(bench.read("../config/rules"), "none");
    // What members may do, they can.
    let fine = "cat .team/worktrees/bob/file; echo here > file; echo there > \"$(mktemp)\"; echo > /dev/null";
    let text = bench.ok("bash", json!({"command": fine})).await;
    assert_eq!(text, "bob\nexit status 0");
}

/// This test program once more, as an ordinary user, for one test.
#[test]
fn an_ordinary_user_has_walls_too() {
    const WHO: &str = "65534";
    let as_somebody_else = || {
        let mut command = Command::new("setpriv");
        command.args(["--reuid", WHO, "--regid", WHO, "--clear-groups"]);
        command
    };
    // Nor can root where its namespace knows no other users.
    let tried = as_somebody_else().arg("true").output();
    if !tried.is_ok_and(|tried| tried.status.success()) {
        println!("skipped: only root can be somebody else, where setpriv and other users are");
        return;
    }
    // The build directory may not be open to others.
    let place = tempfile::tempdir().unwrap();
    let (program, helper) = (place.path().join("tests"), place.path().join("helper"));
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    std::fs::copy(env!("CARGO_BIN_EXE_teammate-tools-helper"), &helper).unwrap();
    for path in [place.path(), &program, &helper] {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let ran = as_somebody_else()
        .arg(&program)
        .args([
            "contain::mail",
            "contain::a_command",
            "contain::a_fugitive_ends_with_the",
        ])
        .args(["contain::the_shell", "contain::ssh", "--nocapture"])
        .env(HELPER, &helper)
        .current_dir("/")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&ran.stdout).into_owned();
    println!("{text}{}", String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success() && text.contains("5 passed"));
}

#[tokio::test]
async fn ssh_reads_its_configuration() {
    if !Path::new("/usr/bin/ssh").exists() {
        return;
    }
    let text = Bench::new()
        .ok(
            "bash",
            json!({"command": "ssh -T -G example.org | grep ^hostname"}),
        )
        .await;
    assert_eq!(text, "hostname example.org\nexit status 0");
}

#[tokio::test]
async fn a_program_that_the_sandbox_keeps_from_its_work_fails_with_a_reason() {
    if !has_walls() {
        return;
    }
    let bench = at(Level::Full);
    for (program, reason) in [
        ("docker", "hides the sockets of container engines"),
        ("ssh", "hides keys and agents"),
        ("sudo", "nothing gains privileges"),
    ] {
        let script = format!(
            "printf '#!/bin/sh\necho refused\nexit $1\n' > {program}; chmod +x {program}; ./{program} "
        );
        let ran = async |exit| {
            let input = json!({"command": format!("{script}{exit}")});
            run(&*bench.tool("bash"), &input, &bench.context)
                .await
                .text()
        };
        let failed = ran(1).await;
        assert!(
            failed.starts_with(&format!("refused\n[{program}: ")),
            "{failed}"
        );
        assert!(failed.contains(reason), "{failed}");
        assert_eq!(ran(0).await, "refused\nexit status 0");
    }
}

#[tokio::test]
async fn many_commands_at_once_do_not_hold_each_other() {
    for level in levels() {
        let bench = at(level);
        let runs = (0..20).map(|n| {
            let (tool, context) = (bench.tool("bash"), bench.context.clone());
            let input = json!({"command": format!("sleep 0.0{n}; sleep 1000 & echo {n}")});
            tokio::spawn(async move { run(&*tool, &input, &context).await.text() })
        });
        for (n, run) in runs.collect::<Vec<_>>().into_iter().enumerate() {
            assert_eq!(
                run.await.unwrap(),
                format!("{n}\nexit status 0"),
                "{level:?}"
            );
        }
        assert_eq!(bench.catalogue.leftovers().count(), 20);
        bench.catalogue.leftovers().end();
        assert_eq!(bench.catalogue.leftovers().count(), 0, "{level:?}");
    }
}

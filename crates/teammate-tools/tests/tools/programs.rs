//! Programs that talk over their standard streams: what they hear and say, where they connect, and that nothing of them is left.

use std::io::{Read as _, Write as _};

use teammate_core::{
    permission::{Rule, RuleOrigin, Rules},
    port::{
        ProgramBounds, ProgramEnd, ProgramError, ProgramOrder, ProgramStarter as _, RunningProgram,
        WorkspaceAccess,
    },
};
use teammate_process::{HeldPrograms, Leftovers};
use teammate_sandbox::{Level, SandboxRules};
use teammate_testkit::{is_running, sleep_mark as mark, until};

use crate::support::{Bench, sandbox_in};

fn programs(bench: &Bench, rules: SandboxRules) -> HeldPrograms {
    let dirs = (&*bench.root, &*bench.root.join(".team"));
    let mut sandbox = sandbox_in(&bench.root, rules);
    sandbox.try_out(&bench.root, &bench.root).unwrap();
    let environment = bench.context.environment.to_vec();
    HeldPrograms::new(sandbox, dirs, environment, Leftovers::default())
}

fn order(script: &str) -> ProgramOrder {
    ProgramOrder {
        name: "echo".to_owned(),
        command: "sh".to_owned(),
        arguments: vec!["-c".to_owned(), script.to_owned()],
        environment: vec![("OWN".to_owned(), "mine".to_owned())],
        directory: None,
        network: Rules::default(),
        bounds: ProgramBounds::default(),
    }
}

fn start(bench: &Bench, script: &str) -> RunningProgram {
    let programs = programs(bench, SandboxRules::default());
    programs.start(&order(script)).unwrap()
}

/// What it says until it closes its output.
async fn said(running: RunningProgram) -> (String, ProgramEnd) {
    let RunningProgram {
        input,
        mut output,
        errors,
        mut life,
        census: _,
    } = running;
    drop((input, errors));
    let reading = tokio::task::spawn_blocking(move || {
        let mut text = String::new();
        output.read_to_string(&mut text).unwrap();
        text
    });
    let ended = life.ended().await;
    (reading.await.unwrap(), ended)
}

#[tokio::test]
async fn a_program_hears_what_is_written_and_sees_the_end() {
    let bench = Bench::new();
    let script = "while read line; do echo \"$OWN: $line\"; done; echo over; exit 3";
    let mut running = start(&bench, script);
    running.input.write_all(b"one\ntwo\n").unwrap();
    let (text, ended) = said(running).await;
    assert_eq!(text, "mine: one\nmine: two\nover\n");
    assert_eq!(ended, ProgramEnd::Exited(Some(3)));
}

#[tokio::test]
async fn a_program_has_no_terminal_and_no_editor_either() {
    let bench = Bench::new();
    let running = start(&bench, "echo $TERM $GIT_EDITOR $PAGER $OWN");
    assert_eq!(said(running).await.0, "dumb true cat mine\n");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let bench = Bench::new();
    let programs = programs(&bench, SandboxRules::default());
    for command in ["no-such-program", "./no-such-file", "/etc/passwd"] {
        let order = ProgramOrder {
            command: command.to_owned(),
            ..order("")
        };
        let error = programs.start(&order).err();
        assert_eq!(error, Some(ProgramError::NotFound(command.to_owned())));
    }
}

#[tokio::test]
async fn a_program_is_dropped_with_all_that_it_started() {
    let bench = Bench::new();
    let mark = mark(801);
    let script = format!("(setsid sleep {mark} &); (trap '' TERM; sleep {mark}) & sleep {mark}");
    let running = start(&bench, &script);
    until(|| is_running(&mark)).await;
    drop(running);
    until(|| !is_running(&mark)).await;
}

#[tokio::test]
async fn a_program_that_is_killed_has_ended() {
    let bench = Bench::new();
    let mark = mark(802);
    let mut running = start(&bench, &format!("(setsid sleep {mark} &) ; sleep {mark}"));
    until(|| is_running(&mark)).await;
    running.life.kill().await;
    assert!(!is_running(&mark));
    assert_eq!(running.life.ended().await, ProgramEnd::Killed);
}

#[tokio::test]
async fn a_program_connects_to_what_its_settings_list() {
    let bench = Bench::new();
    let programs = programs(&bench, SandboxRules::default());
    if programs_are_not_walled(&bench) {
        return;
    }
    let fetch = |network: Rules| {
        let script = "curl -sS -m 20 http://localhost:9/ --noproxy '' 2>&1; true";
        let order = ProgramOrder {
            network,
            ..order(script)
        };
        said(programs.start(&order).unwrap())
    };
    let (text, _) = fetch(Rules::default()).await;
    assert!(
        text.contains("this program's settings do not list it"),
        "{text}"
    );
    let allow = vec![Rule::parse("net(localhost:9)", RuleOrigin::User).unwrap()];
    let (text, _) = fetch(Rules {
        allow,
        ..Rules::default()
    })
    .await;
    assert!(!text.contains("do not list it"), "{text}");
}

fn programs_are_not_walled(bench: &Bench) -> bool {
    let sandbox = sandbox_in(&bench.root, SandboxRules::default());
    sandbox.sandbox().level().unwrap() != Level::Full
}

#[tokio::test]
async fn where_walls_are_missing_nothing_starts_unless_that_is_enough() {
    let bench = Bench::new();
    let weak = |required| SandboxRules {
        at_most: Level::None,
        required,
        ..SandboxRules::default()
    };
    let refused = programs(&bench, weak(None)).start(&order("echo ran")).err();
    assert!(
        matches!(refused, Some(ProgramError::Unheld(_))),
        "{refused:?}"
    );
    let allowed = programs(&bench, weak(Some(Level::None)));
    let (text, _) = said(allowed.start(&order("echo ran")).unwrap()).await;
    assert_eq!(text, "ran\n");
}

#[tokio::test]
async fn a_program_that_only_reads_the_workspace_writes_in_its_own_directory() {
    let bench = Bench::new();
    if programs_are_not_walled(&bench) {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let own = home.path().canonicalize().unwrap();
    std::fs::write(bench.root.join("there"), "seen").unwrap();
    let script = format!(
        "cat there; touch there && echo a; touch new && echo b; mkdir .git && echo c; touch {own}/new && echo own",
        own = own.display()
    );
    let mut said_by = Vec::new();
    for workspace in [WorkspaceAccess::Reads, WorkspaceAccess::Writes] {
        let order = ProgramOrder {
            bounds: ProgramBounds {
                workspace,
                own: vec![own.clone()],
                memory_max: None,
            },
            ..order(&script)
        };
        let running = programs(&bench, SandboxRules::default());
        said_by.push(said(running.start(&order).unwrap()).await.0);
    }
    assert_eq!(said_by, ["seenown\n", "seena\nb\nc\nown\n"]);
    assert!(own.join("new").exists());
}

#[tokio::test]
async fn what_runs_of_a_program_is_counted() {
    let bench = Bench::new();
    let mark = mark(803);
    let running = start(&bench, &format!("(setsid sleep {mark} &) ; sleep {mark}"));
    let census = running.census.clone();
    until(|| {
        census
            .running(&format!("sleep {mark}"))
            .is_some_and(|count| count >= 2)
    })
    .await;
    let found = census.count().unwrap();
    assert!(found.processes >= 2 && found.memory_bytes > 0, "{found:?}");
    running.life.kill().await;
    // The kernel takes a moment to take them off its table.
    until(|| census.count().unwrap().processes == 0).await;
}

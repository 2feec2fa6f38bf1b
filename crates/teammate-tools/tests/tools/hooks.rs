//! Hooks: what they read, how their end is understood, and that nothing of them is left or reaches further than it may.

use std::{fs, path::PathBuf, sync::Arc};

use teammate_core::{
    Incarnation, MemberName,
    hook::{HookCall, HookEnd, HookEvent, HookFile, HookOrigin, HookRun, Identity, Occasion},
    port::{Hooks as _, ProgramStarter},
};
use teammate_process::{HeldPrograms, Leftovers, TeamSandbox};
use teammate_sandbox::{Level, SandboxRules};
use teammate_testkit::{is_running, sleep_mark as mark, until};
use teammate_tools::{HookCommands, PlacedHook};

use crate::support::{Bench, sandbox_in};

/// Hooks of the event `Stop`, from `{"command": ...}`.
fn hooks_of(bench: &Bench, sandbox: TeamSandbox, entries: &str) -> HookCommands {
    let text = format!(r#"{{"hooks":{{"Stop":[{{"hooks":[{entries}]}}]}}}}"#);
    hooks_in_file(bench, sandbox, &text)
}

fn hooks_in_file(bench: &Bench, sandbox: TeamSandbox, text: &str) -> HookCommands {
    let origin = HookOrigin::User("hooks.json".to_owned());
    let file = HookFile::read(text, &origin).unwrap();
    let placed = |entry| PlacedHook {
        entry,
        plugin: None,
        guard: None,
    };
    let environment = bench.context.environment.to_vec();
    let team_dir = bench.root.join(".team");
    let root = bench.root.clone();
    HookCommands::new(
        file.hooks.into_iter().map(placed).collect(),
        &root,
        Arc::new(move |dir| {
            let (dirs, left) = ((dir, &*team_dir), Leftovers::default());
            Arc::new(HeldPrograms::new(
                sandbox.clone(),
                dirs,
                environment.clone(),
                left,
            )) as Arc<dyn ProgramStarter>
        }),
        Arc::new(|member| PathBuf::from(format!("/transcripts/{member}.jsonl"))),
    )
}

fn tried(bench: &Bench, rules: SandboxRules) -> TeamSandbox {
    let mut sandbox = sandbox_in(&bench.root, rules);
    sandbox.try_out(&bench.root, &bench.root).unwrap();
    sandbox
}

fn hooks(bench: &Bench, entries: &str) -> HookCommands {
    hooks_of(bench, tried(bench, SandboxRules::default()), entries)
}

fn entry(command: &str) -> String {
    format!(
        r#"{{"type":"command","command":{}}}"#,
        serde_json::to_string(command).unwrap()
    )
}

fn call(bench: &Bench, last: &str) -> HookCall {
    HookCall {
        event_id: "e1".to_owned(),
        identity: Identity {
            session: "s1".to_owned(),
            team: "default".to_owned(),
            member: MemberName::lead(),
            incarnation: Incarnation::FIRST,
            subagent: None,
            permission: "default",
        },
        cwd: bench.root.clone(),
        occasion: Occasion::Stop {
            last: last.to_owned(),
            is_held_back: false,
        },
    }
}

async fn run(bench: &Bench, command: &str) -> HookEnd {
    let hooks = hooks(bench, &entry(command));
    let mut runs = hooks.run(&call(bench, "done")).await;
    assert_eq!(runs.len(), 1);
    runs.remove(0).end
}

fn exited(code: i32, stdout: &str, stderr: &str) -> HookEnd {
    HookEnd::Exited {
        code: Some(code),
        stdout: stdout.to_owned(),
        stderr: stderr.to_owned(),
    }
}

#[tokio::test]
async fn a_hook_reads_the_event_and_its_end_and_words_come_back() {
    let bench = Bench::new();
    let HookEnd::Exited { stdout, .. } = run(&bench, "cat").await else {
        panic!("it failed");
    };
    let told: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(
        told,
        call(&bench, "done").to_json("/transcripts/lead.jsonl".as_ref())
    );
    assert!(stdout.ends_with("}\n"));
    assert_eq!(
        run(&bench, "echo out; echo no >&2; exit 2").await,
        exited(2, "out\n", "no\n")
    );
}

#[tokio::test]
async fn a_hook_begins_in_the_workspace_with_little_of_the_environment() {
    let bench = Bench::new();
    let script =
        "pwd; echo $TEAMMATE_HOOK $CLAUDE_PROJECT_DIR; env | cut -d= -f1 | sort | tr '\\n' ' '";
    let HookEnd::Exited { stdout, .. } = run(&bench, script).await else {
        panic!("it failed");
    };
    let root = bench.root.display();
    let (said, names) = stdout.rsplit_once('\n').unwrap();
    assert_eq!(said, format!("{root}\n1 {root}"));
    let proxies = |name: &&str| !name.to_lowercase().ends_with("_proxy");
    let shells = |name: &&str| !["_", "PWD", "SHLVL"].contains(name);
    let names: Vec<&str> = names.split(' ').filter(|name| !name.is_empty()).collect();
    let names: Vec<&str> = names.into_iter().filter(proxies).filter(shells).collect();
    let ours: Vec<&str> = names
        .into_iter()
        .filter(|name| !name.starts_with("GIT_CONFIG"))
        .collect();
    assert_eq!(
        ours,
        [
            "CLAUDE_PROJECT_DIR",
            "DEBIAN_FRONTEND",
            "EDITOR",
            "GCM_INTERACTIVE",
            "GIT_ASKPASS",
            "GIT_EDITOR",
            "GIT_PAGER",
            "GIT_SEQUENCE_EDITOR",
            "GIT_TERMINAL_PROMPT",
            "HOME",
            "MANPAGER",
            "PAGER",
            "PATH",
            "SSH_ASKPASS",
            "SSH_ASKPASS_REQUIRE",
            "SYSTEMD_PAGER",
            "TEAMMATE_HOOK",
            "TEAMMATE_RUN",
            "TEAMMATE_TEAM",
            "TERM",
            "VISUAL"
        ]
    );
}

#[tokio::test]
async fn a_hook_that_does_not_read_is_not_in_the_way() {
    let bench = Bench::new();
    let hooks = hooks(&bench, &entry("exit 0"));
    // More than a pipe holds.
    let huge = "x".repeat(4 << 20);
    let runs = hooks.run(&call(&bench, &huge)).await;
    assert_eq!(runs[0].end, exited(0, "", ""));
    let closes = self::hooks(&bench, &entry("exec 0<&-; echo closed; exit 2"));
    let runs = closes.run(&call(&bench, &huge)).await;
    assert_eq!(runs[0].end, exited(2, "closed\n", ""));
}

#[tokio::test]
async fn a_hook_reads_all_of_a_large_event() {
    let bench = Bench::new();
    let hooks = hooks(&bench, &entry("wc -c"));
    let huge = call(&bench, &"x".repeat(4 << 20));
    let told = huge.to_json("/transcripts/lead.jsonl".as_ref()).to_string();
    let runs = hooks.run(&huge).await;
    let expected = format!("{}\n", told.len() + 1);
    assert_eq!(runs[0].end, exited(0, &expected, ""));
}

#[tokio::test]
async fn a_hook_that_prints_too_much_has_failed() {
    let bench = Bench::new();
    let failed = HookEnd::Failed("it printed more than 64 kB".to_owned());
    assert_eq!(run(&bench, "yes").await, failed);
    assert_eq!(run(&bench, "head -c 65537 /dev/zero").await, failed);
    let HookEnd::Exited { stdout, .. } = run(&bench, "head -c 65536 /dev/zero").await else {
        panic!("it failed");
    };
    assert_eq!(stdout.len(), 65536);
    // Of complaints the beginning is enough.
    let HookEnd::Exited { stderr, .. } = run(&bench, "head -c 200000 /dev/zero >&2").await else {
        panic!("it failed");
    };
    assert_eq!(stderr.len(), 65536);
}

#[tokio::test]
async fn a_hook_that_takes_too_long_is_killed_with_all_that_it_started() {
    let bench = Bench::new();
    let mark = mark(811);
    let command = format!("(setsid sleep {mark} &); (trap '' TERM; sleep {mark}) & sleep {mark}");
    let slow = format!(
        r#"{{"type":"command","command":{},"timeout":0.4}}"#,
        serde_json::to_string(&command).unwrap()
    );
    let runs = hooks(&bench, &slow).run(&call(&bench, "done")).await;
    assert_eq!(
        runs[0].end,
        HookEnd::Failed("it took longer than 0.4 s".to_owned())
    );
    assert!(!is_running(&mark));
}

#[tokio::test]
async fn what_a_hook_leaves_running_is_killed_at_its_end() {
    let bench = Bench::new();
    let mark = mark(812);
    // The child holds the pipes.
    let command = format!("(setsid sleep {mark} &); sleep {mark} & echo ended");
    assert_eq!(run(&bench, &command).await, exited(0, "ended\n", ""));
    assert!(!is_running(&mark));
}

#[tokio::test]
async fn a_dropped_event_ends_its_hooks() {
    let bench = Bench::new();
    let mark = mark(813);
    let hooks = hooks(&bench, &entry(&format!("sleep {mark}")));
    let call = call(&bench, "done");
    let running = hooks.run(&call);
    tokio::select! {
        _ = running => panic!("it ended"),
        () = until(|| is_running(&mark)) => {}
    }
    until(|| !is_running(&mark)).await;
}

#[tokio::test]
async fn hooks_of_an_event_run_side_by_side_and_are_heard_in_their_order() {
    let bench = Bench::new();
    // Each waits for the other: one after the other they would never end.
    let waits = |own: &str, other: &str| {
        format!("touch {own}; until [ -e {other} ]; do sleep 0.01; done; echo {own}")
    };
    let both = [entry(&waits("a", "b")), entry(&waits("b", "a"))].join(",");
    let runs = hooks(&bench, &both).run(&call(&bench, "done")).await;
    let ends: Vec<HookEnd> = runs.into_iter().map(|run| run.end).collect();
    assert_eq!(ends, [exited(0, "a\n", ""), exited(0, "b\n", "")]);
}

#[tokio::test]
async fn a_hook_waits_for_a_place_no_longer_than_it_may_take() {
    let bench = Bench::new();
    let mark = mark(814);
    let busy = (0..32).map(|nth| entry(&format!("touch busy-{nth}; sleep {mark}")));
    let text = format!(
        r#"{{"hooks":{{"Stop":[{{"hooks":[{}]}}],"SessionStart":[{{"hooks":[{{"type":"command","command":"echo ran","timeout":0.3}}]}}]}}}}"#,
        busy.collect::<Vec<_>>().join(",")
    );
    let hooks = hooks_in_file(&bench, tried(&bench, SandboxRules::default()), &text);
    let stop = call(&bench, "done");
    let start = HookCall {
        occasion: Occasion::SessionStart { source: "startup" },
        ..call(&bench, "")
    };
    let all_busy = || (0..32).all(|nth| bench.root.join(format!("busy-{nth}")).exists());
    let late = async {
        until(all_busy).await;
        hooks.run(&start).await
    };
    let hanging = hooks.run(&stop);
    tokio::select! {
        _ = hanging => panic!("they ended"),
        runs = late => assert_eq!(
            runs[0].end,
            HookEnd::Failed("it was not run: 32 hooks ran for all of its 0.3 s".to_owned())
        ),
    }
    let runs = hooks.run(&start).await;
    assert_eq!(runs[0].end, exited(0, "ran\n", ""));
}

#[tokio::test]
async fn a_hook_is_known_by_its_command_and_by_what_it_requires() {
    let bench = Bench::new();
    let command = format!("# {}\nexit 0", "x".repeat(80));
    let required = format!(
        r#"{{"type":"command","command":{},"required":true}}"#,
        serde_json::to_string(&command).unwrap()
    );
    let runs = hooks(&bench, &required).run(&call(&bench, "done")).await;
    let expected = HookRun {
        hook: format!("# {}...", "x".repeat(58)),
        required: true,
        end: exited(0, "", ""),
    };
    assert_eq!(runs, [expected]);
}

#[tokio::test]
async fn only_hooks_of_the_event_that_match_run() {
    let bench = Bench::new();
    let text = r#"{"hooks":{
        "Stop":[{"hooks":[{"type":"command","command":"echo stop"}]}],
        "SessionStart":[
            {"matcher":"resume","hooks":[{"type":"command","command":"echo resumed"}]},
            {"matcher":"startup|clear","hooks":[{"type":"command","command":"echo new"}]}
        ]}}"#;
    let hooks = hooks_in_file(&bench, tried(&bench, SandboxRules::default()), text);
    assert!(hooks.listens(HookEvent::Stop) && !hooks.listens(HookEvent::PreToolUse));
    let startup = HookCall {
        occasion: Occasion::SessionStart { source: "startup" },
        ..call(&bench, "")
    };
    let runs = hooks.run(&startup).await;
    let ends: Vec<HookEnd> = runs.into_iter().map(|run| run.end).collect();
    assert_eq!(ends, [exited(0, "new\n", "")]);
}

#[tokio::test]
async fn a_hook_writes_in_the_workspace_and_not_what_is_protected() {
    let bench = Bench::new();
    fs::create_dir(bench.root.join(".teammate")).unwrap();
    let script = "echo x > made.txt; echo x > .teammate/hooks.json && echo bad; ls -A .team; echo x > ../out; true";
    let HookEnd::Exited { stdout, .. } = run(&bench, script).await else {
        panic!("it failed");
    };
    assert_eq!(stdout, "bad\n");
    // It is held when the hook has ended.
    assert!(!bench.root.join(".teammate/hooks.json").exists());
    assert!(!bench.root.join("../out").exists());
    assert_eq!(
        fs::read_to_string(bench.root.join("made.txt")).unwrap(),
        "x\n"
    );
}

#[tokio::test]
async fn a_hook_sees_the_directories_that_are_shown_to_hooks_alone() {
    let bench = Bench::new();
    let config = bench.root.parent().unwrap().join("config");
    fs::create_dir_all(config.join("hooks")).unwrap();
    fs::write(config.join("key"), "secret").unwrap();
    fs::write(config.join("hooks/check.sh"), "echo checked").unwrap();
    let sandbox = tried(&bench, SandboxRules::default().hiding(&config));
    if sandbox.sandbox().level().unwrap() != Level::Full {
        return;
    }
    let command = format!(
        "sh {0}/hooks/check.sh; cat {0}/key; echo x > {0}/hooks/new",
        config.display()
    );
    let shown = sandbox.clone().showing([config.join("hooks")]);
    for (sandbox, expected) in [(sandbox.clone(), ""), (shown, "checked\n"), (sandbox, "")] {
        let hooks = hooks_of(&bench, sandbox, &entry(&command));
        let runs = hooks.run(&call(&bench, "done")).await;
        let HookEnd::Exited { stdout, stderr, .. } = &runs[0].end else {
            panic!("it failed");
        };
        assert_eq!(stdout, expected, "{stderr}");
    }
    assert!(!config.join("hooks/new").exists());
}

#[tokio::test]
async fn a_hook_connects_only_where_its_entry_says() {
    let bench = Bench::new();
    let sandbox = tried(&bench, SandboxRules::default());
    if sandbox.sandbox().level().unwrap() != Level::Full {
        return;
    }
    let fetch = "curl -sS -m 20 http://localhost:9/ --noproxy '' 2>&1; true";
    let listed = format!(
        r#"{{"type":"command","command":{},"network":["localhost:9"]}}"#,
        serde_json::to_string(fetch).unwrap()
    );
    let both = [entry(fetch), listed].join(",");
    let runs = hooks_of(&bench, sandbox, &both)
        .run(&call(&bench, ""))
        .await;
    let said = runs.iter().map(|run| match &run.end {
        HookEnd::Exited { stdout, .. } => stdout.contains("do not list it"),
        HookEnd::Failed(why) => panic!("{why}"),
    });
    assert_eq!(said.collect::<Vec<_>>(), [true, false]);
}

#[tokio::test]
async fn without_walls_a_hook_does_not_run() {
    let bench = Bench::new();
    let weak = SandboxRules {
        at_most: Level::None,
        ..SandboxRules::default()
    };
    let hooks = hooks_of(&bench, tried(&bench, weak), &entry("echo ran"));
    let runs = hooks.run(&call(&bench, "done")).await;
    let HookEnd::Failed(why) = &runs[0].end else {
        panic!("it ran");
    };
    assert!(why.starts_with("it was not run: "), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "prints times"]
async fn cost() {
    let bench = Bench::new();
    let hooks = hooks(&bench, &entry("true"));
    let call = call(&bench, "done");
    for _ in 0..10 {
        hooks.run(&call).await;
    }
    let mut times = Vec::new();
    for _ in 0..50 {
        let begun = std::time::Instant::now();
        hooks.run(&call).await;
        times.push(begun.elapsed());
    }
    times.sort();
    let mut shells = Vec::new();
    for _ in 0..50 {
        let begun = std::time::Instant::now();
        std::process::Command::new("bash")
            .args(["-c", "true"])
            .status()
            .unwrap();
        shells.push(begun.elapsed());
    }
    shells.sort();
    println!("hook {:?} shell {:?}", times[25], shells[25]);
}

use serde_json::json;
use teammate_core::port::Target;
use teammate_process::Leftovers;
use teammate_testkit::{is_running, sleep_mark as mark, until};

use crate::support::Bench;

#[tokio::test]
async fn a_command_s_output_and_status_are_told() {
    let bench = Bench::new();
    let cases = [
        ("echo hello", false, "hello\nexit status 0"),
        ("true", false, "(no output)\nexit status 0"),
        (
            "echo a; echo b >&2; printf c",
            false,
            "a\nb\nc\nexit status 0",
        ),
        ("echo no; exit 3", true, "no\nexit status 3"),
        ("kill -9 $$", true, "(no output)\nkilled by signal 9"),
        ("cat", false, "(no output)\nexit status 0"),
        ("printf '\\377ok\\n'", false, "\u{fffd}ok\nexit status 0"),
    ];
    for (command, is_error, wanted) in cases {
        let outcome = bench.run("bash", json!({"command": command})).await;
        assert_eq!(
            (outcome.is_error, &*outcome.text()),
            (is_error, wanted),
            "{command}"
        );
    }
    let pwd = bench.ok("bash", json!({"command": "pwd"})).await;
    assert_eq!(pwd, format!("{}\nexit status 0", bench.root.display()));
}

#[tokio::test]
async fn nothing_of_the_environment_is_passed_on_but_what_is_given() {
    let bench = Bench::new();
    let env = bench.ok("bash", json!({"command": "env"})).await;
    let names: Vec<&str> = env
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|e| e.0)
        .collect();
    // The first keep programs from waiting at a terminal; the next tell git what is no repository; two mark our processes; the
    // shell adds the last four.
    let known = [
        "EDITOR",
        "VISUAL",
        "GIT_EDITOR",
        "GIT_SEQUENCE_EDITOR",
        "GIT_TERMINAL_PROMPT",
        "GIT_ASKPASS",
        "GCM_INTERACTIVE",
        "SSH_ASKPASS",
        "SSH_ASKPASS_REQUIRE",
        "DEBIAN_FRONTEND",
        "PAGER",
        "GIT_PAGER",
        "MANPAGER",
        "SYSTEMD_PAGER",
        "TERM",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_KEY_0",
        "GIT_CONFIG_KEY_1",
        "GIT_CONFIG_VALUE_0",
        "GIT_CONFIG_VALUE_1",
        "TEAMMATE_RUN",
        "TEAMMATE_TEAM",
        "PATH",
        "HOME",
        "PWD",
        "SHLVL",
        "_",
        "OLDPWD",
    ];
    // The proxy in the command's own network.
    let is_proxy = |name: &str| name.to_lowercase().ends_with("_proxy");
    let is_known = |name: &&str| known.contains(name) || is_proxy(name);
    assert!(names.iter().all(is_known), "{env}");
    assert!(names.contains(&"PATH"), "{env}");
}

// slow: megabytes of output
#[tokio::test]
async fn long_output_is_cut_and_kept_whole() {
    let bench = Bench::new();
    let command = "head -c 100000000 /dev/zero | tr '\\0' x; printf 'the\\377end'";
    let text = bench.ok("bash", json!({"command": command})).await;
    assert!(text.len() < 10_500, "{}", text.len());
    assert!(text.starts_with("xxxx") && text.ends_with("the\u{fffd}end\nexit status 0"));
    assert!(
        text.contains("of 100000007 bytes left out here"),
        "{}",
        &text[3_900..4_300]
    );
    let kept = ".team/outputs/lead-turn-1_call_1.txt";
    assert!(text.contains(kept), "{}", &text[3_900..4_300]);
    let whole = std::fs::read(bench.root.join(kept)).unwrap();
    assert_eq!(whole.len(), 100_000_007);
    assert!(whole.ends_with(b"xthe\xffend"));
    // The same call, run again, finds its name taken.
    let text = bench.ok("bash", json!({"command": "seq 100000"})).await;
    assert!(text.starts_with("1\n2\n") && text.ends_with("\n100000\nexit status 0"));
    assert!(bench.read(kept).starts_with("1\n2\n3\n"));
    let grep = json!({"pattern": "^99999$", "path": kept});
    assert_eq!(bench.ok("grep", grep).await, format!("{kept}:99999:99999"));
}

// slow: megabytes of output
#[tokio::test]
async fn twenty_long_outputs_cost_little() {
    let bench = Bench::new();
    let mut bytes = 0;
    for nth in 0..20 {
        let command = format!("seq {nth}00000 1 {nth}99999; seq 200000 | head -c 1000000");
        let text = bench.ok("bash", json!({"command": command})).await;
        bytes += serde_json::to_string(&text).unwrap().len();
    }
    assert!(bytes < 230_000, "{bytes}");
}

#[tokio::test]
async fn lines_that_look_like_errors_are_shown_wherever_they_stand() {
    let bench = Bench::new();
    let command =
        "seq 5000; echo 'error[E0308]: mismatched types'; seq 5000; echo 'Error: the last one'";
    let text = bench.ok("bash", json!({"command": command})).await;
    let shown = "...]\n[Among these, lines that look like errors:]\nerror[E0308]: mismatched types\n[The end:]\n";
    assert!(text.contains(shown), "{text}");
    assert_eq!(text.matches("Error: the last one").count(), 1);
}

#[tokio::test]
async fn characters_are_not_cut_in_two() {
    let bench = Bench::new();
    for shift in 0..4 {
        let command = format!("printf '%.{shift}s' abc; yes 'äöü€😀' | head -c 200003");
        let text = bench.ok("bash", json!({"command": command})).await;
        let (head, rest) = text.split_once("\n[...").unwrap();
        let (_, tail) = rest.split_once("...]\n").unwrap();
        assert!(!head.contains('\u{fffd}'), "{}", &head[3_900..]);
        assert!(!tail.starts_with('\u{fffd}'));
    }
}

#[tokio::test]
async fn short_output_makes_no_file() {
    let bench = Bench::new();
    bench
        .ok("bash", json!({"command": "head -c 10000 /dev/zero"}))
        .await;
    assert!(!bench.root.join(".team/outputs").exists());
}

#[tokio::test]
async fn background_children_do_not_hang_the_call_and_end_with_the_team() {
    let bench = Bench::new();
    let (one, two, deaf) = (mark(1), mark(2), mark(3));
    let text = bench
        .ok(
            "bash",
            json!({"command": format!("(sleep {one} &); echo started")}),
        )
        .await;
    assert_eq!(text, "started\nexit status 0");
    let double = format!("( ( sleep {two} & ) & ); trap '' TERM; sleep {deaf} & echo started");
    let text = bench.ok("bash", json!({"command": double})).await;
    assert_eq!(text, "started\nexit status 0");
    assert!(is_running(&one) && is_running(&two) && is_running(&deaf));
    assert_eq!(bench.catalogue.leftovers().count(), 2);
    bench.catalogue.leftovers().end();
    until(|| !is_running(&one) && !is_running(&two) && !is_running(&deaf)).await;
}

#[tokio::test]
async fn a_background_child_may_go_on_printing() {
    let bench = Bench::new();
    let command = "(sleep 0.2; echo late; echo late >&2; touch survived) & echo started";
    let text = bench.ok("bash", json!({"command": command})).await;
    assert_eq!(text, "started\nexit status 0");
    until(|| bench.root.join("survived").exists()).await;
}

#[tokio::test]
async fn dropping_the_catalogue_ends_what_was_left() {
    let bench = Bench::new();
    let left = mark(4);
    bench
        .ok("bash", json!({"command": format!("sleep {left} & true")}))
        .await;
    assert!(is_running(&left));
    drop(bench);
    until(|| !is_running(&left)).await;
}

#[tokio::test]
async fn a_time_out_keeps_what_was_printed() {
    let bench = Bench::new();
    let (one, two) = (mark(5), mark(6));
    let command =
        format!("echo partial; sleep {one} & trap '' TERM; sleep {two}; sleep {two}; sleep {two}");
    let input = json!({"command": command, "timeout_seconds": 1});
    let text = bench.error("bash", input).await;
    assert!(text.starts_with("partial\n"), "{text}");
    assert!(text.contains("timed out after 1 s"), "{text}");
    until(|| !is_running(&one) && !is_running(&two)).await;
}

#[tokio::test]
async fn dropping_the_future_kills_the_whole_group() {
    let bench = Bench::new();
    let (one, two) = (mark(7), mark(8));
    let command = format!("trap '' TERM; (sleep {one} &); touch ready; sleep {two}; touch late");
    let input = json!({"command": command});
    tokio::select! {
        outcome = bench.run("bash", input) => panic!("{}", outcome.text()),
        () = until(|| bench.root.join("ready").exists() && is_running(&two)) => {}
    }
    until(|| !is_running(&one) && !is_running(&two)).await;
    assert!(!bench.root.join("late").exists());
}

/// A command with a child that has left its session, twice over, and does not hear TERM.
pub(crate) fn runaway(mark: &str) -> String {
    let deaf = format!("trap '' TERM HUP INT; touch away; while :; do sleep {mark}; done");
    format!("setsid bash -c \"setsid bash -c \\\"{deaf}\\\" & exit\" >/dev/null 2>&1 &")
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_child_that_left_its_session_ends_with_a_time_out() {
    let bench = Bench::new();
    let away = mark(900);
    let command = format!(
        "{} until [ -e away ]; do sleep 0.01; done; sleep 1000",
        runaway(&away)
    );
    let input = json!({"command": command, "timeout_seconds": 2});
    bench.error("bash", input).await;
    assert!(bench.root.join("away").exists(), "the child never began");
    assert!(!is_running(&away));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_child_that_left_its_session_ends_with_an_interrupt() {
    let bench = Bench::new();
    let away = mark(901);
    let input = json!({"command": format!("{} sleep 1000", runaway(&away))});
    tokio::select! {
        outcome = bench.run("bash", input) => panic!("{}", outcome.text()),
        () = until(|| is_running(&away)) => {}
    }
    assert!(!is_running(&away), "gone once the call is dropped");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_child_that_left_its_session_ends_with_the_team() {
    let bench = Bench::new();
    let away = mark(902);
    let command = format!("{} until [ -e away ]; do sleep 0.01; done", runaway(&away));
    bench.ok("bash", json!({ "command": command })).await;
    until(|| is_running(&away)).await;
    bench.catalogue.leftovers().end();
    assert!(!is_running(&away));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_a_killed_host_left_is_found_by_the_next() {
    let bench = Bench::new();
    let (away, other) = (mark(903), Bench::new());
    let command = format!("{} until [ -e away ]; do sleep 0.01; done", runaway(&away));
    bench.ok("bash", json!({ "command": command })).await;
    until(|| is_running(&away)).await;
    assert!(
        !Leftovers::end_strays(&other.root.join(".team")),
        "another team's"
    );
    assert!(is_running(&away));
    assert!(Leftovers::end_strays(&bench.root.join(".team")));
    assert!(!is_running(&away));
    assert!(!Leftovers::end_strays(&bench.root.join(".team")));
}

#[tokio::test]
async fn what_is_no_command() {
    let bench = Bench::new();
    for input in [
        json!({}),
        json!({"command": " "}),
        json!({"command": "a\0b"}),
    ] {
        let text = bench.error("bash", input.clone()).await;
        assert!(text.to_lowercase().contains("nothing was"), "{text}");
        assert!(bench.action("bash", input).is_err());
    }
}

#[test]
fn the_whole_command_is_shown() {
    let bench = Bench::new();
    let command = "echo one\nrm -rf /";
    let action = bench.action("bash", json!({"command": command})).unwrap();
    assert_eq!(action.shows, command);
    let Target::Command(read) = action.target else {
        panic!("a command")
    };
    assert_eq!(read.text, command);
    assert_eq!(action.summary, "echo one...");
}

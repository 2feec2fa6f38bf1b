//! Commands have no terminal: what would wait for a person at one ends, and says why.

use std::sync::Arc;

use serde_json::json;

use crate::support::Bench;

/// What vi does when its input is no terminal: it reads from its errors, since a terminal would be both.
const AS_VI: &str =
    "perl -e 'open STDIN, \">&STDERR\"; vec($r, 0, 1) = 1; select $r, undef, undef, undef'";

impl Bench {
    fn passes_on(&mut self, name: &str, value: &str) {
        let given = (name.to_owned(), value.to_owned());
        let all = self.context.environment.iter().cloned().chain([given]);
        self.context.environment = Arc::new(all.collect());
    }
}

#[tokio::test]
async fn git_does_not_wait_in_an_editor_and_the_flag_is_named() {
    let bench = Bench::new();
    let git = "git -c user.name=a -c user.email=a@b -c core.editor='sleep 1000; true'";
    let command = format!("git init -q repo && cd repo && {git} commit --allow-empty");
    let text = bench
        .error("bash", json!({"command": command, "timeout_seconds": 60}))
        .await;
    assert!(text.ends_with("exit status 1"), "{text}");
    assert!(
        text.contains("empty commit message") && text.contains("`-m`"),
        "{text}"
    );
    let command = format!(
        "cd repo && {git} commit -q --allow-empty -m one && {git} commit -q --amend --allow-empty && git log --format=%s"
    );
    let text = bench
        .ok("bash", json!({"command": command, "timeout_seconds": 60}))
        .await;
    assert_eq!(text, "one\nexit status 0");
}

#[tokio::test]
async fn what_the_user_passes_on_is_not_replaced() {
    let mut bench = Bench::new();
    let command = json!({"command": "echo $GIT_EDITOR $TERM $PAGER"});
    let text = bench.ok("bash", command.clone()).await;
    assert_eq!(text, "true dumb cat\nexit status 0");
    bench.passes_on("GIT_EDITOR", "ed");
    bench.passes_on("TERM", "xterm");
    let text = bench.ok("bash", command).await;
    assert_eq!(text, "ed xterm cat\nexit status 0");
}

#[tokio::test]
async fn a_program_that_waits_for_a_person_at_a_terminal_is_ended_and_named() {
    let bench = Bench::new();
    let command =
        json!({"command": format!("echo begun; {AS_VI}; echo late"), "timeout_seconds": 3600});
    let text = bench.error("bash", command).await;
    assert!(
        text.starts_with("begun\n[perl waited for a person at a terminal."),
        "{text}"
    );
    assert!(
        text.ends_with("because it waited for a person at a terminal, and there is none"),
        "{text}"
    );
}

#[tokio::test]
async fn at_the_time_limit_the_outcome_names_what_was_waited_for() {
    let bench = Bench::new();
    for (command, wanted) in [
        (
            "mkfifo pipe; cat pipe",
            "[cat waited for another program to open the other side",
        ),
        (
            "flock lock sleep 1000 & sleep 0.1; flock lock true",
            "[flock waited for a lock on a file",
        ),
        ("sleep 1000", "(no output)\ntimed out"),
    ] {
        let call = json!({"command": command, "timeout_seconds": 3});
        let text = bench.error("bash", call).await;
        assert!(
            text.contains(wanted) && text.contains("timed out after 3 s"),
            "{command}: {text}"
        );
    }
}

#[tokio::test]
async fn a_script_may_be_longer_than_an_argument() {
    let bench = Bench::new();
    let edge = 32 * 4096;
    for length in [edge - 1, edge, edge + 1, 3 * edge, 64 * edge] {
        let (begin, end) = ("text='", "'; echo ${#text}; cat; echo $0; exit 3");
        let body = "A".repeat(length - begin.len() - end.len());
        let script = format!("{begin}{body}{end}");
        let text = bench.error("bash", json!({"command": script})).await;
        let shell = if text.contains("/bin/sh") {
            "/bin/sh"
        } else {
            "/bin/bash"
        };
        assert_eq!(
            text,
            format!("{}\n{shell}\nexit status 3", body.len()),
            "{length}"
        );
    }
    let script = format!(
        "cat > big.txt <<'E'\n{}\nE\nwc -c < big.txt",
        "é$`\\".repeat(30_000)
    );
    let text = bench.ok("bash", json!({"command": script})).await;
    assert_eq!(text, "150001\nexit status 0");
    assert_eq!(bench.read("big.txt"), "é$`\\".repeat(30_000) + "\n");
}

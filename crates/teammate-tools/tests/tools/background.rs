use serde_json::json;
use teammate_testkit::{is_running, sleep_mark as mark, until};

use crate::{bash::runaway, support::Bench};

async fn start(bench: &Bench, command: &str) -> String {
    let input = json!({"command": command, "run_in_background": true});
    bench.ok("bash", input).await
}

#[tokio::test]
async fn a_command_in_the_background_returns_at_once_and_ends_later() {
    let bench = Bench::new();
    let said = start(
        &bench,
        "echo one; until [ -e go ]; do sleep 0.01; done; echo two; exit 3",
    )
    .await;
    assert!(
        said.starts_with("Started in the background as job b1."),
        "{said}"
    );
    assert!(said.contains(" .team/outputs/lead-b1.txt."), "{said}");
    until(|| bench.root.join(".team/outputs/lead-b1.txt").exists()).await;
    until(|| bench.read(".team/outputs/lead-b1.txt") == "one\n").await;
    let looked = bench
        .ok("task_output", json!({"job_id": "b1", "block": false}))
        .await;
    assert!(
        looked.ends_with(") is running. Its output is in .team/outputs/lead-b1.txt:\none\n"),
        "{looked}"
    );
    let read = bench
        .ok("read_file", json!({"path": ".team/outputs/lead-b1.txt"}))
        .await;
    assert!(read.contains("one"), "{read}");
    bench.file("go", "");
    let ended = bench.ok("task_output", json!({"job_id": "b1"})).await;
    assert!(ended.contains(") has ended: failed."), "{ended}");
    assert!(ended.ends_with("\none\ntwo\nexit status 3"), "{ended}");
    let listed = bench.ok("task_output", json!({})).await;
    assert!(
        listed.starts_with("b1 (lead's): failed: echo one;"),
        "{listed}"
    );
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn stopping_a_job_ends_all_that_it_started() {
    let bench = Bench::new();
    let (away, near) = (mark(910), mark(911));
    start(
        &bench,
        &format!(
            "{} trap '' TERM; echo begun; sleep {near}; sleep {near}",
            runaway(&away)
        ),
    )
    .await;
    until(|| bench.root.join("away").exists()).await;
    until(|| bench.read(".team/outputs/lead-b1.txt") == "begun\n").await;
    assert!(is_running(&away) && is_running(&near));
    let stopped = bench.ok("task_stop", json!({"job_id": "b1"})).await;
    assert!(!is_running(&away) && !is_running(&near));
    assert!(
        stopped.contains(") has ended: stopped by lead."),
        "{stopped}"
    );
    assert!(
        stopped.ends_with("\nbegun\nstopped with all it had started"),
        "{stopped}"
    );
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_job_s_time_is_up_and_a_job_that_ends_leaves_nothing() {
    let bench = Bench::new();
    let (away, left) = (mark(912), mark(913));
    let command = format!("{} sleep 1000", runaway(&away));
    let input = json!({"command": command, "background": true, "timeout_seconds": 2});
    bench.ok("bash", input).await;
    start(
        &bench,
        &format!(
            "setsid sleep {left} >/dev/null & until [ -e away ]; do sleep 0.01; done; echo over"
        ),
    )
    .await;
    let over = bench.ok("task_output", json!({"job_id": "b2"})).await;
    assert!(!is_running(&left));
    assert!(
        over.contains("over\n\n(It left processes running"),
        "{over}"
    );
    let late = bench.ok("task_output", json!({"job_id": "b1"})).await;
    assert!(late.contains("timed out after 2 s"), "{late}");
    assert!(!is_running(&away));
}

#[tokio::test]
async fn much_output_is_cut_where_it_is_shown_and_whole_in_the_file() {
    let bench = Bench::new();
    start(&bench, "seq 100000; until [ -e go ]; do sleep 0.01; done").await;
    let path = ".team/outputs/lead-b1.txt";
    until(|| bench.root.join(path).exists() && bench.read(path).ends_with("\n100000\n")).await;
    let looked = bench
        .ok("task_output", json!({"job_id": "b1", "block": false}))
        .await;
    assert!(looked.len() < 31_000 && looked.ends_with("\n100000\n"));
    assert!(
        looked.contains(&format!("left out here; {path} has all ...]")),
        "{}",
        &looked[..300]
    );
    bench.file("go", "");
    let ended = bench.ok("task_output", json!({"job_id": "b1"})).await;
    assert!(ended.contains("\n1\n2\n3\n") && ended.ends_with("\n100000\nexit status 0"));
    assert!(ended.contains("bytes left out here; the whole output is in"));
    assert_eq!(bench.read(path).lines().count(), 100_000);
}

#[tokio::test]
async fn a_job_that_is_not_there() {
    let bench = Bench::new();
    for tool in ["task_output", "task_stop"] {
        let refused = bench.error(tool, json!({"job_id": "b9"})).await;
        assert_eq!(refused, "Error: there is no job 'b9'");
    }
    let action = bench.action("bash", json!({"command": "make", "background": true}));
    let action = action.unwrap();
    assert_eq!(
        (&*action.shows, &*action.summary),
        ("make (in the background)", "make (in the background)")
    );
}

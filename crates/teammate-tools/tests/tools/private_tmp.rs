//! Commands and file tools see the same `/tmp`, the member's own.
#![expect(clippy::print_stdout, reason = "a test says what it skips")]

use serde_json::json;
use teammate_core::port::Target;

use crate::support::Bench;

/// A workspace where commands have their own `/tmp`.
fn bench() -> Option<Bench> {
    let bench = Bench::new();
    if bench.context.workspace.tmp.is_none() {
        println!("skipped: commands see the machine's /tmp here");
        return None;
    }
    Some(bench)
}

#[tokio::test]
async fn file_tools_read_and_change_what_commands_write_to_tmp() {
    let Some(bench) = bench() else { return };
    let made = "mkdir /tmp/d && echo one > /tmp/d/a && echo two > /var/tmp/b";
    bench.ok("bash", json!({"command": made})).await;
    for (path, text) in [
        ("/tmp/d/a", "one"),
        ("/tmp/b", "two"),
        ("/var/tmp/d/../b", "two"),
    ] {
        let read = bench.ok("read_file", json!({"path": path})).await;
        assert!(read.contains(text), "{path}: {read}");
    }
    let edit = json!({"path": "/tmp/d/a", "old_string": "one", "new_string": "three"});
    let said = bench.ok("edit_file", edit).await;
    assert!(
        said.contains("/tmp/d/a") && !said.contains(".team"),
        "{said}"
    );
    let cat = bench.ok("bash", json!({"command": "cat /tmp/d/a"})).await;
    assert!(cat.contains("three"), "{cat}");
    let found = bench
        .ok("grep", json!({"pattern": "tw.", "path": "/tmp"}))
        .await;
    assert!(
        found.contains("/tmp/b") && !found.contains(".team"),
        "{found}"
    );
    let found = bench
        .ok("glob", json!({"pattern": "**/a", "path": "/tmp"}))
        .await;
    assert_eq!(found.trim(), "/tmp/d/a");
}

#[tokio::test]
async fn what_file_tools_write_to_tmp_is_there_for_the_first_command() {
    let Some(bench) = bench() else { return };
    let missing = bench
        .error("read_file", json!({"path": "/tmp/x/notes"}))
        .await;
    assert!(missing.contains("does not exist"), "{missing}");
    let write = json!({"path": "/tmp/x/notes", "content": "kept\n"});
    bench.ok("write_file", write).await;
    let cat = bench
        .ok("bash", json!({"command": "cat /tmp/x/notes"}))
        .await;
    assert!(cat.contains("kept"), "{cat}");
}

#[tokio::test]
async fn no_path_or_link_leads_out_of_tmp() {
    let Some(bench) = bench() else { return };
    let outside = bench.root.parent().unwrap().join("outside.txt");
    let links = format!(
        "ln -s {} /tmp/away; ln -s ../../journal.jsonl /tmp/up; ln -s / /tmp/root",
        outside.display()
    );
    bench.ok("bash", json!({"command": links})).await;
    for path in [
        "/tmp/away",
        "/tmp/up",
        "/tmp/root/etc/passwd",
        "/tmp/../etc/passwd",
    ] {
        let refused = bench.error("read_file", json!({"path": path})).await;
        assert!(refused.contains("outside"), "{path}: {refused}");
        let write = json!({"path": path, "content": "theirs"});
        bench.error("write_file", write).await;
    }
    assert_eq!(bench.read(".team/journal.jsonl"), "truth\n");
}

#[tokio::test]
async fn rules_are_about_the_name_that_commands_have_for_it() {
    let Some(bench) = bench() else { return };
    let action = bench.action("write_file", json!({"path": "/var/tmp/a", "content": ""}));
    let Target::Path(location) = action.unwrap().target else {
        panic!("no path");
    };
    assert_eq!(location.full.to_str(), Some("/tmp/a"));
    assert_eq!(location.resolved.to_str(), Some("/tmp/a"));
}

//! Rules about paths: links, what may not be read, and trees of any depth.

use std::{os::unix::fs::symlink, path::Path, sync::Arc};

use rustix::fs::{Mode as FileMode, OFlags};
use serde_json::Value;
use teammate_core::port::Workspace;

use super::*;

#[test]
fn a_path_is_judged_by_where_it_leads() {
    let bench = Bench::new();
    bench.file("src/a", "a\n");
    bench.file("other/b", "b\n");
    symlink("../other", bench.root.join("src/out")).unwrap();
    symlink("../other/b", bench.root.join("src/last")).unwrap();
    symlink("../other/new", bench.root.join("src/dangling")).unwrap();
    symlink("src", bench.root.join("door")).unwrap();
    // What nobody has read is refused before rules are asked.
    for path in ["src/a", "other/b"] {
        crate::support::block_on(bench.ok("read_file", json!({ "path": path })));
    }
    let allowed = rules(&[], &["edit(src/**)"]);
    let writes = |rules: &Rules, path: &str| {
        let action = bench.action("write_file", json!({"path": path, "content": "x"}));
        rules.decide(
            Mode::Ask,
            "write_file",
            EffectClass::Writes,
            &action.unwrap().target,
        )
    };
    let absolute = bench.root.join("src/a").display().to_string();
    for path in [
        "src/a",
        "src/new",
        "src/not/yet/there",
        "./src/../src/a",
        "door/a",
        "src/out/../src/a",
        &absolute,
    ] {
        assert_eq!(writes(&allowed, path), RuleVerdict::Allow, "{path}");
    }
    for path in [
        "src/out/b",
        "src/out/new",
        "src/last",
        "src/dangling",
        "src/../other/b",
        "other/b",
        "srcs/a",
    ] {
        assert_eq!(writes(&allowed, path), RuleVerdict::Ask, "{path}");
    }
    let outright = bench.root.join("src").display().to_string();
    for rule in [
        "edit(src/**)",
        "edit(src)",
        "write_file(src/**)",
        &format!("edit({outright}/**)"),
    ] {
        let denied = rules(&[rule], &["edit"]);
        for path in [
            "src/a",
            "src/out/b",
            "src/last",
            "src/dangling",
            "door/a",
            "src/out/new",
            &absolute,
        ] {
            let verdict = writes(&denied, path);
            assert!(matches!(verdict, RuleVerdict::Deny(_)), "{rule} {path}");
        }
        assert_eq!(writes(&denied, "other/b"), RuleVerdict::Allow, "{rule}");
    }
}

fn read(bench: &Bench, input: &Value) -> RuleVerdict {
    let action = bench.action("read_file", input.clone()).unwrap();
    rules(&["read(secret/**)", "read(.env)"], &[]).decide(
        Mode::Bypass,
        "read_file",
        EffectClass::Reads,
        &action.target,
    )
}

#[test]
fn what_may_not_be_read_is_not_read_through_a_link() {
    let bench = Bench::new();
    bench.file("secret/key", "k\n");
    bench.file(".env", "k\n");
    symlink("secret/key", bench.root.join("innocent")).unwrap();
    symlink(".env", bench.root.join("env.txt")).unwrap();
    for path in ["secret/key", "innocent", "env.txt", ".env", "./x/../.env"] {
        bench.file("x/y", "");
        let verdict = read(&bench, &json!({ "path": path }));
        assert!(matches!(verdict, RuleVerdict::Deny(_)), "{path}");
    }
    assert_eq!(read(&bench, &json!({"path": "x/y"})), RuleVerdict::Allow);
}

/// The member may not read what these rules name.
fn hide(bench: &mut Bench, unreadable: Vec<Rule>) {
    let workspace = Workspace {
        tmp: None,
        unreadable,
        ..(*bench.context.workspace).clone()
    };
    bench.context.workspace = Arc::new(workspace);
}

#[tokio::test]
async fn searches_leave_out_what_may_not_be_read() {
    let mut bench = Bench::new();
    for path in ["secret/key", "src/a", "src/.env", "src/key.pem"] {
        bench.file(path, "needle\n");
    }
    let denied = rules(
        &[
            "read(secret)",
            "read(**/.env)",
            "grep(**/*.pem)",
            "edit(src/**)",
            "read",
        ],
        &[],
    );
    hide(&mut bench, denied.deny);
    let found = bench
        .ok(
            "grep",
            json!({"pattern": "needle", "output": "files", "hidden": true}),
        )
        .await;
    assert_eq!(found, "src/a");
    let found = bench
        .ok("glob", json!({"pattern": "**/*", "hidden": true}))
        .await;
    assert_eq!(found, "src/\nsrc/a");
}

/// Makes directories in each other; their path is longer than the kernel takes.
fn dig(root: &Path, depth: usize) {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut dir = rustix::fs::open(root, flags, FileMode::empty()).unwrap();
    for _ in 0..depth {
        rustix::fs::mkdirat(&dir, "x", FileMode::from_raw_mode(0o755)).unwrap();
        dir = rustix::fs::openat(&dir, "x", flags, FileMode::empty()).unwrap();
    }
}

#[tokio::test]
async fn a_tree_of_3000_levels_is_searched_under_deny_rules() {
    let mut bench = Bench::new();
    bench.file("a", "needle\n");
    dig(&bench.root, 3_000);
    hide(
        &mut bench,
        rules(&["read(secret)", "read(**/*.pem)"], &[]).deny,
    );
    let searches = async {
        let left_out = "(what is more than 512 directories deep was left out)";
        let found = bench.ok("grep", json!({"pattern": "needle"})).await;
        assert_eq!(found, format!("a:1:needle\n{left_out}"));
        let found = bench.ok("glob", json!({"pattern": "**/a"})).await;
        assert_eq!(found, format!("a\n{left_out}"));
    };
    // With a walk up from each directory it took minutes.
    let within = std::time::Duration::from_secs(30);
    tokio::time::timeout(within, searches).await.unwrap();
}

#[tokio::test]
async fn files_are_not_written_deeper_than_a_search_goes() {
    let bench = Bench::new();
    let deep = |depth: usize| json!({"path": format!("{}y", "x/".repeat(depth)), "content": ""});
    bench.ok("write_file", deep(511)).await;
    let refused = bench.action("write_file", deep(512)).unwrap_err();
    assert_eq!(
        refused.text(),
        "the path is more than 512 directories deep; file tools go no deeper."
    );
}

use std::{
    os::unix::fs::symlink,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::json;

use crate::support::{Bench, block_on};

/// Paths that lead out, whatever is wanted of them.
fn escapes(bench: &Bench) -> Vec<String> {
    let root = &bench.root;
    symlink("../outside.txt", root.join("link")).unwrap();
    symlink(root.parent().unwrap(), root.join("dir")).unwrap();
    symlink("/", root.join("slash")).unwrap();
    symlink("dir", root.join("twice")).unwrap();
    symlink("/proc/self/root", root.join("magic")).unwrap();
    symlink("loop", root.join("loop")).unwrap();
    symlink("../../../../../../../../etc/passwd", root.join("far")).unwrap();
    std::fs::create_dir(root.join("sub")).unwrap();
    let outside = root.parent().unwrap().join("outside.txt");
    let mut paths: Vec<String> = [
        "..",
        "../outside.txt",
        "sub/../../outside.txt",
        "sub/../sub/../../outside.txt",
        "./../outside.txt",
        "new/../../outside.txt",
        "link",
        "dir/outside.txt",
        "dir/new.txt",
        "twice/outside.txt",
        "slash/etc/passwd",
        "magic/etc/passwd",
        "loop",
        "far",
        "/etc/passwd",
        "/proc/self/root/etc/passwd",
        "/proc/self/environ",
        "/dev/stdin",
        "~/x",
        "~root/.ssh/id_rsa",
        "a\0b",
        "",
        "../work-other/x",
    ]
    .map(String::from)
    .to_vec();
    paths.push(outside.display().to_string());
    paths.push(format!("{}/../outside.txt", root.display()));
    paths.push(format!("{}-other/x", root.display()));
    paths
}

#[tokio::test]
async fn nothing_leads_out_of_the_workspace() {
    let mut bench = Bench::new();
    // Else what is below `/tmp` here is looked for in the member's own.
    Arc::make_mut(&mut bench.context.workspace).tmp = None;
    for path in escapes(&bench) {
        let read = bench.error("read_file", json!({"path": path})).await;
        assert!(
            !read.contains("root:") && !read.contains("outside\n"),
            "{path}: {read}"
        );
        if !path.starts_with("~root") {
            bench
                .error("write_file", json!({"path": path, "content": "x"}))
                .await;
            let edit = json!({"path": path, "old_text": "outside", "new_text": "x"});
            bench.error("edit_file", edit).await;
            assert!(
                bench
                    .action("write_file", json!({"path": path, "content": "x"}))
                    .is_err()
            );
        }
        if !path.is_empty() {
            bench
                .error("glob", json!({"pattern": "*", "path": path}))
                .await;
            bench
                .error("grep", json!({"pattern": ".", "path": path}))
                .await;
        }
    }
    let outside = std::fs::read_to_string(bench.root.parent().unwrap().join("outside.txt"));
    assert_eq!(outside.unwrap(), "outside\n");
    assert!(!bench.root.parent().unwrap().join("new.txt").exists());
}

#[tokio::test]
async fn links_that_stay_inside_are_followed() {
    let bench = Bench::new();
    bench.file("real/a.txt", "one\n");
    symlink("real", bench.root.join("short")).unwrap();
    symlink(bench.root.join("real/a.txt"), bench.root.join("real/abs")).unwrap();
    assert_eq!(
        bench.ok("read_file", json!({"path": "short/abs"})).await,
        "one\n"
    );
    let absolute = bench.root.join("short/../short/a.txt");
    let edit = json!({"path": absolute, "old_text": "one", "new_text": "two"});
    assert_eq!(bench.ok("edit_file", edit).await, "Edited real/a.txt");
    bench
        .ok(
            "write_file",
            json!({"path": "short/abs", "content": "three"}),
        )
        .await;
    assert_eq!(bench.read("real/a.txt"), "three");
    assert!(
        bench.root.join("real/abs").is_symlink(),
        "the link is still one"
    );
}

#[tokio::test]
async fn the_team_s_files_and_git_s_own_are_off_limits() {
    let bench = Bench::new();
    symlink(".team", bench.root.join("t")).unwrap();
    for path in [
        ".team",
        ".team/journal.jsonl",
        ".team/new",
        "t/journal.jsonl",
        "./.team/../.team/x",
    ] {
        let error = bench.error("read_file", json!({"path": path})).await;
        assert!(error.contains("team's own directory"), "{path}: {error}");
        bench
            .error("write_file", json!({"path": path, "content": "x"}))
            .await;
    }
    // Absent is as forbidden as present.
    for path in [
        ".git/hooks/pre-commit",
        ".git/config",
        "sub/.git",
        "sub/.GIT/config",
        ".git/modules/x/config",
    ] {
        let error = bench
            .error("write_file", json!({"path": path, "content": "x"}))
            .await;
        assert!(error.contains("git commands"), "{path}: {error}");
        let edit = json!({"path": path, "old_text": "", "new_text": "x"});
        bench.error("edit_file", edit).await;
    }
    assert!(!bench.root.join(".git").exists() && !bench.root.join("sub").exists());
    bench.file(".git/config", "[core]\n");
    assert_eq!(
        bench.ok("read_file", json!({"path": ".git/config"})).await,
        "[core]\n"
    );
    bench
        .ok("write_file", json!({"path": ".gitignore", "content": "x"}))
        .await;
    bench
        .ok(
            "write_file",
            json!({"path": ".team-notes/x", "content": "x"}),
        )
        .await;
}

/// The team's directory is held open elsewhere; a tool that comes to it by its path passes no link.
#[tokio::test]
async fn outputs_are_neither_kept_nor_read_through_a_link() {
    for link in [".team", ".team/outputs"] {
        let bench = Bench::new();
        let outside = bench.root.join("../outside");
        std::fs::create_dir_all(outside.join("outputs")).unwrap();
        for secret in [outside.join("secret"), outside.join("outputs/secret")] {
            std::fs::write(secret, "secret\n").unwrap();
        }
        std::fs::create_dir_all(bench.root.join(".team/outputs")).unwrap();
        std::fs::remove_dir_all(bench.root.join(link)).unwrap();
        symlink(&outside, bench.root.join(link)).unwrap();
        let refused = "/".to_owned() + link + " is not a directory";
        let command = json!({"command": "seq 20000"});
        let long = bench.ok("bash", command.clone()).await;
        let kept = format!(
            "the whole output could not be kept: {}{refused}",
            bench.root.display()
        );
        assert!(long.contains(&kept), "{long}");
        let mut apart = command;
        apart["run_in_background"] = json!(true);
        bench.ok("bash", apart).await;
        let looked = bench.ok("task_output", json!({"job_id": "b1"})).await;
        assert!(looked.contains(&refused), "{looked}");
        let path = ".team/outputs/secret";
        for (tool, input) in [
            ("read_file", json!({ "path": path })),
            ("grep", json!({ "path": path, "pattern": "sec" })),
        ] {
            let error = bench.error(tool, input).await;
            assert!(error.contains(&refused), "{error}");
        }
        let there = |path: &std::path::Path| std::fs::read_dir(path).unwrap().count();
        assert_eq!((there(&outside), there(&outside.join("outputs"))), (2, 1));
    }
}

#[tokio::test]
async fn kept_outputs_are_read_only() {
    let bench = Bench::new();
    bench.file(".team/outputs/a.txt", "kept\n");
    symlink("../journal.jsonl", bench.root.join(".team/outputs/evil")).unwrap();
    let kept = json!({"path": ".team/outputs/a.txt"});
    assert_eq!(bench.ok("read_file", kept).await, "kept\n");
    let kept = json!({"pattern": "kep", "path": ".team/outputs/a.txt"});
    assert_eq!(bench.ok("grep", kept).await, ".team/outputs/a.txt:1:kept");
    bench
        .error("read_file", json!({"path": ".team/outputs/evil"}))
        .await;
    bench
        .error(
            "read_file",
            json!({"path": ".team/outputs/../journal.jsonl"}),
        )
        .await;
    bench
        .error(
            "write_file",
            json!({"path": ".team/outputs/a.txt", "content": "x"}),
        )
        .await;
}

#[cfg(target_os = "linux")]
/// A directory that turns into a link to the outside and back, as fast as can be.
#[test]
fn a_link_swapped_in_leads_nowhere() {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    let bench = Bench::new();
    let top = bench.root.parent().unwrap().to_owned();
    std::fs::create_dir(top.join("secret")).unwrap();
    std::fs::write(top.join("secret/f"), "secret").unwrap();
    bench.file("d/f", "plain");
    let stop = AtomicBool::new(false);
    let root = bench.root.clone();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            symlink("../secret", root.join("l")).unwrap();
            while !stop.load(Ordering::Relaxed) {
                let (d, l) = (root.join("d"), root.join("l"));
                renameat_with(CWD, &d, CWD, &l, RenameFlags::EXCHANGE).unwrap();
            }
        });
        let work = async {
            let mut read = 0;
            for round in 0..600 {
                let text = bench.run("read_file", json!({"path": "d/f"})).await.text();
                assert!(!text.contains("secret"), "round {round}: {text}");
                read += usize::from(text.starts_with("plain"));
                let grep = json!({"pattern": "secret", "output": "count"});
                let text = bench.run("grep", grep).await.text();
                assert!(text.starts_with("No matches"), "round {round}: {text}");
                let write = json!({"path": "d/f", "content": "plain"});
                bench.run("write_file", write).await;
            }
            read
        };
        // On its own thread, so that the swapping ends also if an assertion fails.
        let read = scope.spawn(|| block_on(work)).join();
        stop.store(true, Ordering::Relaxed);
        assert!(read.unwrap() > 0, "nothing was read at all");
    });
    let secret = std::fs::read_to_string(top.join("secret/f")).unwrap();
    assert_eq!(secret, "secret");
    assert_eq!(std::fs::read_dir(top.join("secret")).unwrap().count(), 1);
}

#[tokio::test]
async fn a_worktree_in_the_team_s_directory_is_the_member_s_own() {
    let mut bench = Bench::new();
    let root = bench.root.join(".team/worktrees/alice");
    std::fs::create_dir_all(&root).unwrap();
    let mut workspace = (*bench.context.workspace).clone();
    workspace.root = root.clone();
    bench.context.workspace = workspace.into();
    bench
        .ok("write_file", json!({"path": "f", "content": "mine"}))
        .await;
    assert_eq!(bench.ok("glob", json!({"pattern": "*"})).await, "f");
    bench
        .error("read_file", json!({"path": "../../journal.jsonl"}))
        .await;
}

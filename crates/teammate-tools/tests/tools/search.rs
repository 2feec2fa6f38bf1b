use std::os::unix::fs::symlink;

use serde_json::json;

use crate::support::Bench;

fn project() -> Bench {
    let bench = Bench::new();
    bench.file("src/main.rs", "fn main() {\n    run();\n}\n");
    bench.file("src/deep/lib.rs", "pub fn run() {}\n// Run it\n");
    bench.file("README.md", "run me\n");
    bench.file("docs/dos.txt", "a run\r\n");
    bench.file(".gitignore", "target/\n");
    bench.file("target/out.rs", "fn run() {}\n");
    bench.file(".hidden/x.rs", "fn run() {}\n");
    bench.file(".git/x.rs", "fn run() {}\n");
    bench.file(".team/x.rs", "fn run() {}\n");
    bench.file("blob.rs", b"run run\0run\n");
    symlink(bench.root.parent().unwrap(), bench.root.join("out")).unwrap();
    std::fs::write(bench.root.parent().unwrap().join("o.rs"), "fn run() {}\n").unwrap();
    bench
}

#[tokio::test]
async fn files_are_found_by_pattern() {
    let bench = project();
    let glob = |pattern: &str| json!({"pattern": pattern});
    assert_eq!(
        bench.ok("glob", glob("**/*.rs")).await,
        "blob.rs\nsrc/deep/lib.rs\nsrc/main.rs"
    );
    assert_eq!(
        bench.ok("glob", glob("*")).await,
        "README.md\nblob.rs\ndocs/\nout\nsrc/"
    );
    assert_eq!(
        bench.ok("glob", glob("./src/*.{rs,md}")).await,
        "src/main.rs"
    );
    let below = json!({"pattern": "*", "path": "src"});
    assert_eq!(bench.ok("glob", below).await, "src/deep/\nsrc/main.rs");
    let hidden = json!({"pattern": "**/*.rs", "hidden": true});
    assert_eq!(
        bench.ok("glob", hidden).await,
        ".hidden/x.rs\nblob.rs\nsrc/deep/lib.rs\nsrc/main.rs\ntarget/out.rs"
    );
    let asked = json!({"pattern": "*", "path": "target"});
    assert_eq!(bench.ok("glob", asked).await, "target/out.rs");
    assert!(
        bench
            .ok("glob", glob("*.py"))
            .await
            .starts_with("No files match *.py")
    );
    assert!(bench.error("glob", glob("[a")).await.contains("glob"));
    let file = json!({"pattern": "*", "path": "README.md"});
    assert!(bench.error("glob", file).await.contains("not a directory"));
}

#[tokio::test]
async fn contents_are_searched() {
    let bench = project();
    let grep = json!({"pattern": r"\brun\("});
    assert_eq!(
        bench.ok("grep", grep).await,
        "src/deep/lib.rs:1:pub fn run() {}\nsrc/main.rs:2:    run();"
    );
    let grep = json!({"pattern": "run", "ignore_case": true, "output": "count"});
    assert_eq!(
        bench.ok("grep", grep).await,
        "README.md:1\ndocs/dos.txt:1\nsrc/deep/lib.rs:2\nsrc/main.rs:1"
    );
    let grep = json!({"pattern": "run", "glob": "*.rs", "output": "files"});
    assert_eq!(bench.ok("grep", grep).await, "src/deep/lib.rs\nsrc/main.rs");
    let grep = json!({"pattern": "run", "glob": "src/*.rs", "context": 1});
    assert_eq!(
        bench.ok("grep", grep).await,
        "src/main.rs-1-fn main() {\nsrc/main.rs:2:    run();\nsrc/main.rs-3-}"
    );
    let grep = json!({"pattern": "run", "path": "README.md"});
    assert_eq!(bench.ok("grep", grep).await, "README.md:1:run me");
    let grep = json!({"pattern": "fn run", "hidden": true, "output": "files"});
    assert_eq!(
        bench.ok("grep", grep).await,
        ".hidden/x.rs\nsrc/deep/lib.rs\ntarget/out.rs"
    );
    let grep = json!({"pattern": "run$"});
    assert_eq!(bench.ok("grep", grep).await, "docs/dos.txt:1:a run");
    let none = bench.ok("grep", json!({"pattern": "absent"})).await;
    assert!(
        none.starts_with("No matches for absent (5 files searched"),
        "{none}"
    );
    let error = bench.error("grep", json!({"pattern": "f("})).await;
    assert!(
        error.contains("unclosed group") && error.contains("backslash"),
        "{error}"
    );
}

#[tokio::test]
async fn anchors_hold_at_every_line() {
    let bench = Bench::new();
    let lines: String = (1..=50_000).map(|n| format!("{n}\n")).collect();
    bench.file("lf", &lines);
    bench.file("crlf", lines.replace('\n', "\r\n"));
    for (pattern, count) in [
        ("^49999$", 1),
        ("^1", 11_111),
        ("7$", 5_000),
        ("^$", 0),
        (r"^\d5$", 9),
    ] {
        let grep = json!({"pattern": pattern, "output": "count"});
        let found = bench.ok("grep", grep).await;
        let wanted = match count {
            0 => found.clone(),
            _ => format!("crlf:{count}\nlf:{count}"),
        };
        assert_eq!(found, wanted, "{pattern}");
        assert!(count > 0 || found.starts_with("No matches"), "{found}");
    }
}

#[tokio::test]
async fn long_listings_are_cut() {
    let bench = Bench::new();
    for number in 0..700 {
        bench.file(&format!("d/{number:03}.txt"), "hit\n".repeat(3));
    }
    let all = bench.ok("glob", json!({"pattern": "**/*.txt"})).await;
    assert_eq!(all.lines().count(), 501);
    assert!(all.ends_with("[the first 500 of 700 are shown; narrow the pattern or the path]"));
    let all = bench.ok("grep", json!({"pattern": "hit"})).await;
    assert_eq!(all.lines().count(), 501);
    assert!(
        all.lines()
            .last()
            .unwrap()
            .starts_with("[the first 500 are shown"),
        "{all}"
    );
    bench.file(
        "wide.txt",
        format!("hit {}\n", "x".repeat(100_000)).repeat(100),
    );
    let wide = bench
        .ok("grep", json!({"pattern": "hit", "path": "wide.txt"}))
        .await;
    assert!(wide.len() < 31_000 && wide.contains("[... line cut]"));
}

#[test]
fn a_search_says_what_it_is() {
    let bench = project();
    let grep = json!({"pattern": "x+", "path": "src", "glob": "*.rs"});
    assert_eq!(
        bench.action("grep", grep).unwrap().summary,
        "x+ in *.rs below src"
    );
    let glob = json!({"pattern": "*.md"});
    assert_eq!(bench.action("glob", glob).unwrap().summary, "*.md");
    let read = json!({"path": "README.md", "offset": 2, "limit": 3});
    assert_eq!(
        bench.action("read_file", read).unwrap().summary,
        "README.md (3 lines from 2)"
    );
}

#[tokio::test]
async fn directories_with_brackets_in_their_names_are_found() {
    let bench = Bench::new();
    for dir in ["app/[id]", "app/[...slug]", "app/[[...rest]]", "app/i"] {
        bench.file(&format!("{dir}/page.tsx"), "run\n");
    }
    for (pattern, found) in [
        ("app/[id]/*.tsx", "app/[id]/page.tsx\napp/i/page.tsx"),
        ("app/[...slug]/page.tsx", "app/[...slug]/page.tsx"),
        ("app/[[...rest]]/*", "app/[[...rest]]/page.tsx"),
        ("app/[q]/*", "No files match app/[q]/*."),
    ] {
        let text = bench.ok("glob", json!({"pattern": pattern})).await;
        assert!(
            text.starts_with(found) && text.len() < found.len() + 90,
            "{pattern}: {text}"
        );
    }
    let grep = json!({"pattern": "run", "glob": "app/[...slug]/*", "output": "files"});
    assert_eq!(bench.ok("grep", grep).await, "app/[...slug]/page.tsx");
}

use std::{
    os::unix::fs::PermissionsExt,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::{Value, json};
use teammate_core::{port::Target, tool::OutcomePart};

use crate::support::{Bench, block_on, run};

#[tokio::test]
async fn a_file_is_written_and_read() {
    let bench = Bench::new();
    let write = json!({"path": "a/b/hello.py", "content": "prünt\n"});
    assert_eq!(
        bench.ok("write_file", write).await,
        "Wrote 7 bytes to a/b/hello.py (new file)"
    );
    assert_eq!(
        bench.ok("read_file", json!({"path": "a/b/hello.py"})).await,
        "prünt\n"
    );
    let path = bench.root.join("a/b/hello.py");
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o750)).unwrap();
    let write = json!({"file_path": path, "content": ""});
    assert_eq!(
        bench.ok("write_file", write).await,
        "Wrote 0 bytes to a/b/hello.py (replaced 7 bytes)"
    );
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o750);
    assert_eq!(
        bench.ok("read_file", json!({"path": "a/b/hello.py"})).await,
        "(empty file)"
    );
    let names = std::fs::read_dir(path.parent().unwrap()).unwrap().count();
    assert_eq!(names, 1, "nothing is left beside it");
}

#[tokio::test]
async fn what_is_not_written_to() {
    let bench = Bench::new();
    bench.file("dir/file", "x");
    bench.file("locked", "x");
    std::fs::set_permissions(bench.root.join("locked"), PermissionsExt::from_mode(0o444)).unwrap();
    for (path, why) in [
        ("dir", "directory"),
        ("dir/file/x", "not a directory"),
        ("locked", "read-only"),
        (".", ""),
    ] {
        let error = bench
            .error("write_file", json!({"path": path, "content": "y"}))
            .await;
        assert!(error.contains(why), "{error}");
    }
    assert_eq!(std::fs::read_dir(&bench.root).unwrap().count(), 3);
}

#[tokio::test]
async fn long_files_are_read_in_parts() {
    let bench = Bench::new();
    let lines: String = (1..=10_000).map(|n| format!("line {n}\n")).collect();
    bench.file("long", &lines);
    let page = bench
        .ok(
            "read_file",
            json!({"path": "long", "offset": 3, "limit": 2}),
        )
        .await;
    assert_eq!(
        page,
        "line 3\nline 4\n... (9996 more lines of 10000; go on with offset 5)"
    );
    let end = bench
        .ok("read_file", json!({"path": "long", "offset": 10_000}))
        .await;
    assert_eq!(end, "line 10000\n");
    let error = bench
        .error("read_file", json!({"path": "long", "offset": 10_001}))
        .await;
    assert!(error.contains("10000 lines only"), "{error}");

    // Following the notices gives the whole, each part within the limit.
    let (mut whole, mut offset) = (String::new(), 1);
    while offset > 0 {
        let page = bench
            .ok("read_file", json!({"path": "long", "offset": offset}))
            .await;
        assert!(page.len() < 50_200);
        let (text, next) = page.split_once("... (").unwrap_or((&page, "offset 0)"));
        whole.push_str(text);
        let next = next.rsplit_once("offset ").unwrap().1;
        offset = next.trim_end_matches(')').parse().unwrap();
    }
    assert_eq!(whole, lines);
}

#[tokio::test]
async fn odd_texts_are_read() {
    let bench = Bench::new();
    bench.file("wide", format!("{}\nend", "ü".repeat(1_000_000)));
    let wide = bench.ok("read_file", json!({"path": "wide"})).await;
    assert!(
        wide.starts_with("üü") && wide.contains("ü [... line cut]\nend\n(1 lines are"),
        "{}",
        &wide[1990..]
    );
    bench.file("crlf", "a\r\nb\r\n");
    let crlf = bench.ok("read_file", json!({"path": "crlf"})).await;
    assert!(crlf.starts_with("a\nb\n(lines end with CRLF"), "{crlf}");
    bench.file("latin", b"gr\xfc\xdfe\n");
    let latin = bench.ok("read_file", json!({"path": "latin"})).await;
    assert!(
        latin.starts_with("gr\u{fffd}\u{fffd}e\n(not valid UTF-8"),
        "{latin}"
    );
}

#[tokio::test]
async fn what_is_no_text() {
    let bench = Bench::new();
    bench.file("program", b"\x7fELF\x02\0\0");
    let error = bench.error("read_file", json!({"path": "program"})).await;
    assert!(
        error.contains("binary file, 7 bytes, an ELF program"),
        "{error}"
    );
    bench.file("blob", b"ab\0cd");
    assert!(
        bench
            .error("read_file", json!({"path": "blob"}))
            .await
            .contains("unknown type")
    );
    bench.file("dir/x", "");
    let error = bench.error("read_file", json!({"path": "dir"})).await;
    assert!(error.contains("pattern \"*\""), "{error}");
    let pipe = bench.root.join("pipe");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let error = bench.error("read_file", json!({"path": "pipe"})).await;
    assert!(error.contains("not a regular file"), "{error}");
    bench
        .error("write_file", json!({"path": "pipe", "content": "x"}))
        .await;
}

/// The smallest PNG: one pixel.
pub(crate) const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\0\x05\0\x01\xff\x89\x99=\x1d\0\0\0\0IEND\xaeB`\x82";

#[tokio::test]
async fn pictures_and_documents_are_shown() {
    let bench = Bench::new();
    bench.file("a.txt", PNG);
    let outcome = bench.run("read_file", json!({"path": "a.txt"})).await;
    assert_eq!(outcome.text(), "a.txt (image/png, 70 bytes)\n[image]");
    assert!(
        matches!(&outcome.parts[1], OutcomePart::Image { media_type: "image/png", base64 }
            if base64.starts_with("iVBORw0KGgo")),
        "{outcome:?}"
    );
    bench.file(
        "docs/a b.pdf",
        "%PDF-1.4\n1 0 obj << /Type /Page >> endobj\nstartxref\n9\n%%EOF\n",
    );
    let outcome = bench
        .run("read_file", json!({"path": "docs/a b.pdf"}))
        .await;
    assert!(
        matches!(&outcome.parts[1], OutcomePart::Document { media_type: "application/pdf", name, base64 }
            if name == "a b.pdf" && base64.starts_with("JVBERi0")),
        "{outcome:?}"
    );
    for (name, content, expected) in [
        (
            "broken.png",
            &PNG[..30],
            "cannot be shown: it cannot be decoded",
        ),
        ("cut.pdf", b"%PDF-1.4\n", "`pdftotext` may still"),
    ] {
        bench.file(name, content);
        let error = bench.error("read_file", json!({"path": name})).await;
        assert!(error.contains(expected), "{error}");
    }
}

#[tokio::test]
async fn the_nearest_file_is_offered() {
    let bench = Bench::new();
    bench.file("src/parser.rs", "");
    bench.file("src/other.rs", "");
    bench.file(".team/parser.rs", "");
    for path in [
        "src/parsers.rs",
        "parser.rs",
        "lib/parser.rs",
        "src/Parser.rs",
    ] {
        let error = bench.error("read_file", json!({"path": path})).await;
        assert!(error.contains("Did you mean src/parser.rs?"), "{error}");
    }
    let error = bench
        .error("read_file", json!({"path": "nothing-like-it"}))
        .await;
    assert!(error.contains("search for its name"), "{error}");
}

#[tokio::test]
async fn a_piece_is_replaced() {
    let bench = Bench::new();
    bench.file("f", "one\ntwo\none\n");
    let edit = |old: &str, new: &str| json!({"path": "f", "old_text": old, "new_text": new});
    assert_eq!(bench.ok("edit_file", edit("two", "2")).await, "Edited f");
    let error = bench.error("edit_file", edit("one", "1")).await;
    assert!(
        error.contains("2 times, at lines 1, 3") && error.contains("all"),
        "{error}"
    );
    let error = bench.error("edit_file", edit("three", "3")).await;
    assert!(error.contains("does not occur"), "{error}");
    let all = json!({"path": "f", "old_string": "one", "new_string": "1", "replace_all": true});
    assert_eq!(bench.ok("edit_file", all).await, "Edited f (2 places)");
    assert_eq!(bench.read("f"), "1\n2\n1\n");

    let absent = json!({"path": "new/g", "old_text": "x", "new_text": "y"});
    assert!(
        bench
            .error("edit_file", absent)
            .await
            .contains("write it as a new file")
    );
    let create = json!({"path": "new/g", "old_text": "", "new_text": "y"});
    assert_eq!(bench.ok("edit_file", create.clone()).await, "Created new/g");
    assert!(bench.error("edit_file", create).await.contains("empty"));
    bench.file("latin", b"gr\xfc\xdfe\n");
    let latin = json!({"path": "latin", "old_text": "e", "new_text": "y"});
    assert!(bench.error("edit_file", latin).await.contains("UTF-8"));
    assert_eq!(
        std::fs::read(bench.root.join("latin")).unwrap(),
        b"gr\xfc\xdfe\n"
    );
}

#[test]
fn what_will_happen_is_shown() {
    let bench = Bench::new();
    bench.file("f", "one\ntwo\n");
    let edit = json!({"path": "./f", "old_text": "two", "new_text": "2\n3"});
    let action = bench.action("edit_file", edit).unwrap();
    let Target::Path(path) = action.target else {
        panic!("a path")
    };
    assert_eq!(path.resolved, Path::new("f"));
    assert_eq!(path.written, Path::new("./f"));
    assert_eq!(path.full, bench.root.join("f"));
    assert_eq!(
        action.shows,
        "--- f\n+++ f\n@@ -1,2 +1,3 @@\n one\n-two\n+2\n+3\n"
    );
    assert_eq!(action.summary, "f (+2 -1)");
    let write = json!({"path": "new/f", "content": "whole\ncontent\n"});
    let action = bench.action("write_file", write).unwrap();
    assert_eq!(action.shows, "create new/f with:\nwhole\ncontent\n");
    assert_eq!(action.summary, "new/f (14 bytes)");
    assert!(!bench.root.join("new").exists(), "looking makes nothing");
    let edit = json!({"path": "f", "old_text": "x", "new_text": "y"});
    assert!(bench.action("edit_file", edit).unwrap_err().is_error);
}

// slow: many random edits
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn edits_of_two_members_lose_nothing() {
    const EACH: usize = 500;
    let bench = Arc::new(Bench::new());
    let lines: String = (0..2 * EACH).map(|n| format!("<{n}> todo\n")).collect();
    bench.file("board", lines);
    let mut tasks = Vec::new();
    for number in 0..2 * EACH {
        let bench = bench.clone();
        tasks.push(tokio::spawn(async move {
            let (old, new) = (format!("<{number}> todo"), format!("<{number}> done"));
            let edit = json!({"path": "board", "old_text": old, "new_text": new});
            bench.ok("edit_file", edit).await
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let wanted: String = (0..2 * EACH).map(|n| format!("<{n}> done\n")).collect();
    assert_eq!(bench.read("board"), wanted);
}

#[test]
fn readers_see_the_old_or_the_new() {
    let bench = Bench::new();
    let contents = ["a".repeat(90_000), "b".repeat(60_000)];
    let first = json!({"path": "f", "content": contents[0]});
    block_on(bench.ok("write_file", first));
    let path = bench.root.join("f");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut reads = 0;
            while !stop.load(Ordering::Relaxed) || reads == 0 {
                let seen = std::fs::read_to_string(&path).unwrap();
                assert!(
                    contents.contains(&seen),
                    "{} bytes of a torn file",
                    seen.len()
                );
                reads += 1;
            }
        });
        let writer = scope.spawn(|| {
            block_on(async {
                for round in 1..=80 {
                    let content = &contents[round % 2];
                    bench
                        .ok("write_file", json!({"path": "f", "content": content}))
                        .await;
                }
            });
        });
        let written = writer.join();
        stop.store(true, Ordering::Relaxed);
        reader.join().unwrap();
        written.unwrap();
    });
}

#[tokio::test]
async fn a_dropped_write_leaves_the_old_or_the_new_and_nothing_beside() {
    let bench = Bench::new();
    let (old, new) = ("old\n".repeat(1000), "new\n".repeat(100_000));
    for round in 0..25 {
        bench.file("f", &old);
        bench.ok("read_file", json!({"path": "f"})).await;
        let tool = bench.tool("write_file");
        let input = json!({"path": "f", "content": new});
        let write = run(&*tool, &input, &bench.context);
        let soon = tokio::time::sleep(std::time::Duration::from_micros(round * 80));
        tokio::select! {
            _ = write => {}
            () = soon => {}
        }
        let after = bench.read("f");
        assert!(after == old || after == new);
        std::thread::sleep(std::time::Duration::from_millis(2));
        assert_eq!(bench.read("f"), after, "nothing happens after the drop");
    }
}

#[tokio::test]
async fn what_a_call_changed_comes_with_its_outcome() {
    let bench = Bench::new();
    bench.file("f", "one\ntwo\n");
    let changed = async |tool: &str, input: Value| {
        let outcome = bench.run(tool, input).await;
        assert!(!outcome.is_error, "{}", outcome.text());
        *outcome.change.expect("it changed a file")
    };
    let edit = json!({"path": "f", "old_text": "two", "new_text": "2"});
    let edited = changed("edit_file", edit).await;
    assert_eq!(
        (edited.path.as_str(), edited.added, edited.removed),
        ("f", 1, 1)
    );
    assert_eq!(
        edited.diff,
        "--- f\n+++ f\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
    );
    let written = changed("write_file", json!({"path": "g", "content": "a\nb\n"})).await;
    assert_eq!((written.added, written.removed), (2, 0));
    assert!(written.diff.ends_with("@@ -0,0 +1,2 @@\n+a\n+b\n"));
    let replaced = changed("write_file", json!({"path": "g", "content": "a\n"})).await;
    assert_eq!((replaced.added, replaced.removed), (0, 1));
    bench.file("latin", b"gr\xfc\xdfe\n");
    let write = json!({"path": "latin", "content": "a\nb\n"});
    let refused = bench.error("write_file", write).await;
    assert!(refused.contains("not UTF-8 text"), "{refused}");
    let latin = std::fs::read(bench.root.join("latin")).unwrap();
    assert_eq!(latin, b"gr\xfc\xdfe\n");
}

#[tokio::test]
async fn utf16_is_read_and_changed_and_stays_utf16_with_its_mark() {
    let bench = Bench::new();
    let utf16 = |text: &str, bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    };
    for bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        bench.file("a.reg", utf16("\u{feff}one\r\ntwo é\r\n", bytes));
        let read = json!({"path": "a.reg"});
        assert_eq!(
            bench.ok("read_file", read.clone()).await,
            "one\ntwo é\n(lines end with CRLF, not shown; edits keep them)\n\
             (the file is UTF-16; edits keep that and its byte order mark)"
        );
        let edit = json!({"path": "a.reg", "old_text": "one\ntwo", "new_text": "1\n2"});
        bench.ok("edit_file", edit).await;
        let held = || std::fs::read(bench.root.join("a.reg")).unwrap();
        assert_eq!(held(), utf16("\u{feff}1\r\n2 é\r\n", bytes));
        bench.ok("read_file", read).await;
        let write = json!({"path": "a.reg", "content": "ü\nz\n"});
        let wrote = bench.ok("write_file", write).await;
        assert!(
            wrote.contains("byte order mark were kept; it stays UTF-16"),
            "{wrote}"
        );
        assert_eq!(held(), utf16("\u{feff}ü\r\nz\r\n", bytes));
    }
    bench.file("bad", b"\xff\xfea");
    let error = bench.error("read_file", json!({"path": "bad"})).await;
    assert!(
        error.contains("looks like UTF-16 text, 3 bytes, and is not"),
        "{error}"
    );
}

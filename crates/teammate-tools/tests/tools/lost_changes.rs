//! Nobody's newer change is lost: what a member does not know of a file, it does not replace unasked.

use std::path::Path;

use serde_json::{Value, json};
use teammate_core::{
    Incarnation, MemberName,
    name::AgentName,
    port::{LineRange, WorkspaceAccess, WorkspaceFiles as _},
};
use teammate_tools::HeldFiles;

use crate::support::{Bench, block_on, run};

/// The files of carol, whom an agent of another make answers.
fn agents_files(bench: &Bench) -> HeldFiles {
    let carol = MemberName::parse("carol").unwrap();
    HeldFiles::new(
        (&bench.root, &bench.root.join(".team")),
        WorkspaceAccess::Writes,
    )
    .of_member(
        &AgentName::parse("codex").unwrap(),
        (&carol, Incarnation::FIRST),
        &bench.catalogue,
    )
}

/// A member at work. Each of its calls is in an answer of its own.
struct Member<'a> {
    bench: &'a Bench,
    name: &'static str,
    answers: u64,
}

impl<'a> Member<'a> {
    fn new(bench: &'a Bench, name: &'static str) -> Self {
        let answers = 0;
        Self {
            bench,
            name,
            answers,
        }
    }

    /// What a call says, and whether it did it.
    async fn call(&mut self, tool: &str, input: Value) -> (String, bool) {
        self.answers += 1;
        let context = self.bench.as_member(self.name, self.answers);
        let outcome = run(&*self.bench.tool(tool), &input, &context).await;
        (outcome.text(), !outcome.is_error)
    }

    async fn ok(&mut self, tool: &str, input: Value) -> String {
        let (text, done) = self.call(tool, input).await;
        assert!(done, "{text}");
        text
    }

    async fn refused(&mut self, tool: &str, input: Value) -> String {
        let (text, done) = self.call(tool, input).await;
        assert!(!done, "{text}");
        text
    }
}

fn write(content: &str) -> Value {
    json!({"path": "f", "content": content})
}

fn edit(old: &str, new: &str) -> Value {
    json!({"path": "f", "old_text": old, "new_text": new})
}

fn read() -> Value {
    json!({"path": "f"})
}

#[tokio::test]
async fn a_change_of_another_member_is_not_written_over_unasked() {
    let bench = Bench::new();
    bench.file("f", "one\ntwo\n");
    let [mut alice, mut bob] = ["alice", "bob"].map(|name| Member::new(&bench, name));
    bob.ok("read_file", read()).await;
    alice.ok("read_file", read()).await;
    alice.ok("write_file", write("one by alice\ntwo\n")).await;
    let refused = bob.refused("write_file", write("one\ntwo by bob\n")).await;
    assert!(
        refused.contains("changed since you last saw it (+1 -1 lines)")
            && refused.contains("ago by alice's write_file."),
        "{refused}"
    );
    assert_eq!(bench.read("f"), "one by alice\ntwo\n");
    // Something else is not the same again, and what was read is known.
    bob.refused("write_file", write("one\n2 by bob\n")).await;
    bob.ok("read_file", read()).await;
    bob.ok("write_file", write("one by alice\ntwo by bob\n"))
        .await;
    // The same again means it.
    let again = write("alice's own\n");
    alice.refused("write_file", again.clone()).await;
    alice.ok("write_file", again).await;
    assert_eq!(bench.read("f"), "alice's own\n");
}

#[tokio::test]
async fn the_same_again_counts_only_when_the_refusal_could_be_read() {
    let bench = Bench::new();
    bench.file("f", "theirs\n");
    let mut alice = Member::new(&bench, "alice");
    alice.refused("write_file", write("mine\n")).await;
    alice.answers -= 1;
    alice.refused("write_file", write("mine\n")).await;
    bench.file("f", "theirs, newer\n");
    alice.refused("write_file", write("mine\n")).await;
    alice.ok("write_file", write("mine\n")).await;
}

#[tokio::test]
async fn who_changed_a_file_is_said_as_far_as_it_is_known() {
    let bench = Bench::new();
    let [mut alice, mut bob] = ["alice", "bob"].map(|name| Member::new(&bench, name));
    bob.ok("write_file", write("1\n")).await;
    alice.ok("bash", json!({"command": "echo 2 >> f"})).await;
    let refused = bob.refused("write_file", write("3\n")).await;
    let maybe = "(+1 -0 lines), 0 s ago maybe by alice's command `echo 2 >> f`.";
    assert!(refused.contains(maybe), "{refused}");
    let refused = alice.refused("write_file", write("3\n")).await;
    assert!(
        refused.contains("2 lines, 4 bytes")
            && refused.contains("maybe by your command")
            && refused.contains("you have not read it"),
        "{refused}"
    );

    bob.ok("read_file", read()).await;
    let path = bench.root.join("f");
    std::fs::write(&path, "by an editor\n").unwrap();
    let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(7300);
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(long_ago).unwrap();
    let refused = bob.refused("write_file", write("3\n")).await;
    assert!(
        refused.contains("2 h ago by no tool or command of this team")
            && refused.contains("the user or another program"),
        "{refused}"
    );
}

#[tokio::test]
async fn a_part_that_was_read_is_not_the_file() {
    let bench = Bench::new();
    bench.file("f", "1\n2\n3\n4\n");
    let mut alice = Member::new(&bench, "alice");
    let part = |offset: u64| json!({"path": "f", "offset": offset, "limit": 2});
    alice.ok("read_file", part(1)).await;
    let refused = alice.refused("write_file", write("1\n")).await;
    assert!(refused.contains("you have read 2 lines only"), "{refused}");
    // Parts of two versions are no whole.
    bench.file("f", "one\n2\n3\n4\n");
    alice.ok("read_file", part(3)).await;
    alice.refused("write_file", write("1\n")).await;
    alice.ok("read_file", part(1)).await;
    alice.ok("write_file", write("1\n")).await;
}

#[tokio::test]
async fn an_edit_of_one_place_leaves_what_others_changed_and_says_so() {
    let bench = Bench::new();
    bench.file("f", "one\ntwo\ntwo\n");
    let [mut alice, mut bob] = ["alice", "bob"].map(|name| Member::new(&bench, name));
    bob.ok("read_file", read()).await;
    assert_eq!(alice.ok("edit_file", edit("one", "1")).await, "Edited f");
    let everywhere = json!({"path": "f", "old_text": "two", "new_text": "2", "all": true});
    let refused = bob.refused("edit_file", everywhere.clone()).await;
    assert!(
        refused.contains("not edited in 2 places") && refused.contains("by alice's edit_file"),
        "{refused}"
    );
    let said = bob.ok("edit_file", edit("1\ntwo", "1\nII")).await;
    assert!(
        said.starts_with("Edited f. Note: it has changed since you last saw it (+1 -1 lines)"),
        "{said}"
    );
    assert_eq!(bench.read("f"), "1\nII\ntwo\n");
    // It has seen one place, not the file.
    bob.refused("write_file", write("x\n")).await;
    bob.ok("edit_file", everywhere).await;
}

#[tokio::test]
async fn a_subagent_s_reading_is_not_its_member_s() {
    let bench = Bench::new();
    bench.file("f", "1\n");
    let mut context = bench.as_member("alice", 1);
    context.caller.subagent = Some("alice/1/1/task".into());
    let read = run(&*bench.tool("read_file"), &read(), &context).await;
    assert!(!read.is_error);
    let mut alice = Member::new(&bench, "alice");
    alice.refused("write_file", write("2\n")).await;
    let written = run(&*bench.tool("write_file"), &write("2\n"), &context).await;
    assert!(!written.is_error, "{}", written.text());
}

#[tokio::test]
async fn nobody_is_asked_about_a_write_that_is_refused() {
    let bench = Bench::new();
    bench.file("f", "theirs\n");
    let tool = bench.tool("write_file");
    let input = teammate_core::tool::ToolInput::from_json(write("mine\n").to_string());
    let context = bench.as_member("alice", 1);
    let ready = tool.read(&input, &context).unwrap();
    let refused = ready.preview.unwrap().await.unwrap_err();
    assert!(
        refused.text().contains("you have not read it"),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_write_keeps_line_ends_mark_and_encoding() {
    let bench = Bench::new();
    let mut alice = Member::new(&bench, "alice");
    bench.file("f", "\u{feff}one\r\ntwo\r\n");
    alice.ok("read_file", read()).await;
    let said = alice.ok("write_file", write("one\ntwo\nthree\n")).await;
    assert_eq!(
        said,
        "Wrote 20 bytes to f (replaced 13 bytes; its CRLF line ends and byte order mark were kept)"
    );
    assert_eq!(bench.read("f"), "\u{feff}one\r\ntwo\r\nthree\r\n");
    alice.ok("edit_file", edit("\u{feff}one", "1")).await;
    assert_eq!(bench.read("f"), "\u{feff}1\r\ntwo\r\nthree\r\n");
    for other in [
        &b"\xff\xfea\0\n"[..],
        b"gr\xfc\xdfe\n",
        b"\x89PNG\r\n\x1a\n",
    ] {
        bench.file("f", other);
        for _ in 0..2 {
            let refused = alice.refused("write_file", write("mine\n")).await;
            assert!(refused.contains("not UTF-8 text"), "{refused}");
        }
        assert_eq!(std::fs::read(bench.root.join("f")).unwrap(), other);
    }
}

#[tokio::test]
async fn an_agent_of_another_make_replaces_only_what_it_read_and_keeps_its_form() {
    let bench = Bench::new();
    let path = Path::new("f");
    bench.file("f", "\u{feff}one\r\ntwo\r\n");
    let files = agents_files(&bench);
    let refused = files.write(path, "one\n2\n").unwrap_err();
    assert!(refused.contains("you have not read it"), "{refused}");
    let part = LineRange { first: 2, count: 1 };
    assert_eq!(files.read(path, part).unwrap(), "two\r\n");
    let refused = files.write(path, "1\n2\n").unwrap_err();
    assert!(refused.contains("you have read 1 lines only"), "{refused}");
    files.read(path, LineRange::ALL).unwrap();

    let mut alice = Member::new(&bench, "alice");
    alice.ok("edit_file", edit("one", "one by alice")).await;
    let refused = files.write(path, "one\ntwo by carol\n").unwrap_err();
    assert!(
        refused.contains("changed since you last saw it (+1 -1 lines)")
            && refused.contains("by alice's edit_file"),
        "{refused}"
    );
    files.read(path, LineRange::ALL).unwrap();
    let both = "one by alice\ntwo by carol\n";
    files.write(path, both).unwrap();
    assert_eq!(bench.read("f"), "\u{feff}one by alice\r\ntwo by carol\r\n");

    // The others know whose change it is, also of what it changes by itself.
    let refused = alice.refused("write_file", write("alice's\n")).await;
    assert!(refused.contains("by carol's agent."), "{refused}");
    alice.ok("read_file", read()).await;
    bench.file("f", "by itself\n");
    let refused = alice.refused("write_file", write("alice's\n")).await;
    assert!(
        refused.contains("maybe by carol's command `codex`"),
        "{refused}"
    );
    // The same again means it.
    files.write(path, "carol's\n").unwrap_err();
    files.write(path, "carol's\n").unwrap();

    bench.file("f", b"gr\xfc\xdfe\n");
    let refused = files.write(path, "mine\n").unwrap_err();
    assert!(refused.contains("not UTF-8 text"), "{refused}");
}

/// What one writer of the traces knows, as simply as can be said.
#[derive(Default)]
struct Naive {
    seen: Option<String>,
    knows_all: bool,
    refused: Option<(String, String)>,
}

struct Chance(u64);

impl Chance {
    fn below(&mut self, max: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % max
    }
}

fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

// slow: many random traces
/// Two members with all three tools, a third whom an agent of another make answers, an editor that saves in either way, and commands
/// that append, at one file. Each change is a line of its own, so a line that is gone without a refusal is a loss. `TEAMMATE_TRACES` plays more.
// slow: many random edits
#[test]
fn three_writers_at_one_file_lose_nothing_silently() {
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    let seed = from_environment("TEAMMATE_SEED").unwrap_or(u64::from(now.subsec_nanos()) + 1);
    let traces = from_environment("TEAMMATE_TRACES").unwrap_or(400);
    let mut refusals = 0;
    block_on(async {
        let bench = Bench::new();
        for trace in 0..traces {
            let told = format!("TEAMMATE_SEED={seed}, trace {trace}");
            let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (trace + 1));
            refusals += play(&bench, &mut chance, trace, &told).await;
        }
    });
    assert!(refusals > traces, "too tame: {refusals} refusals");
}

async fn play(bench: &Bench, chance: &mut Chance, trace: u64, told: &str) -> u64 {
    let (name, path) = (format!("f{trace}"), bench.root.join(format!("f{trace}")));
    let mut members = ["alice", "bob"].map(|name| Member::new(bench, name));
    members
        .iter_mut()
        .for_each(|member| member.answers = trace * 100);
    let agent = agents_files(bench);
    let mut naive: [Naive; 3] = Default::default();
    let mut refusals = 0;
    for step in 0..14 {
        let current = std::fs::read_to_string(&path).ok();
        let text = current.clone().unwrap_or_default();
        let line = format!("line {step}\n");
        let who = chance.below(3) as usize;
        let (mut member, knows) = (members.get_mut(who), &mut naive[who]);
        match chance.below(8) {
            // Commands take long: mostly something else appends as they do.
            0 => match (&mut member, chance.below(16)) {
                (Some(member), 0) => {
                    let command = format!("echo 'line {step}' >> {name}");
                    member.ok("bash", json!({ "command": command })).await;
                }
                (_, _) => std::fs::write(&path, text + &line).unwrap(),
            },
            1 => {
                std::fs::write(bench.root.join("saved"), line + &text).unwrap();
                std::fs::rename(bench.root.join("saved"), &path).unwrap();
            }
            2 => {
                let is_read = match member {
                    Some(member) => member.call("read_file", json!({ "path": name })).await.1,
                    None => agent.read(Path::new(&name), LineRange::ALL).is_ok(),
                };
                if is_read {
                    (knows.seen, knows.knows_all, knows.refused) = (current, true, None);
                }
            }
            3 | 4 => {
                let (Some(member), Some(at)) = (member, text.lines().next().map(str::to_owned))
                else {
                    continue;
                };
                if text.matches(&at).count() != 1 {
                    continue;
                }
                let input =
                    json!({"path": name, "old_text": at, "new_text": format!("{at} e{step}")});
                let (said, done) = member.call("edit_file", input).await;
                assert!(done, "{told}, step {step}: {said}");
                let new = text.replacen(&at, &format!("{at} e{step}"), 1);
                assert_eq!(
                    std::fs::read_to_string(&path).unwrap(),
                    new,
                    "{told}, step {step}"
                );
                let was_news = knows.seen.as_ref().is_some_and(|seen| *seen != text);
                assert_eq!(
                    said.contains("Note: it has changed"),
                    was_news,
                    "{told}, step {step}"
                );
                knows.knows_all = knows.knows_all && knows.seen.as_ref() == Some(&text);
                (knows.seen, knows.refused) = (Some(new), None);
            }
            _ => {
                let again = knows.refused.as_ref().map(|(_, call)| call.clone());
                let new = again.filter(|_| chance.below(2) == 0);
                let new = new.unwrap_or_else(|| {
                    // What it makes of what it saw last.
                    knows.seen.clone().unwrap_or_default() + &line
                });
                let is_known = knows.knows_all && knows.seen.as_ref() == Some(&text);
                let is_again = knows.refused.as_ref() == Some(&(text.clone(), new.clone()));
                let passes = text.is_empty() || is_known || is_again || new == text;
                let (said, done) = match member {
                    Some(member) => {
                        let input = json!({ "path": name, "content": new });
                        member.call("write_file", input).await
                    }
                    None => match agent.write(Path::new(&name), &new) {
                        Ok(()) => (String::new(), true),
                        Err(why) => (why, false),
                    },
                };
                assert_eq!(done, passes, "{told}, step {step}: {said}");
                let after = std::fs::read_to_string(&path).unwrap();
                if done {
                    assert_eq!(after, new, "{told}, step {step}");
                    (knows.seen, knows.knows_all, knows.refused) = (Some(new), true, None);
                } else {
                    assert_eq!(after, text, "{told}, step {step}");
                    knows.refused = Some((text, new));
                    refusals += 1;
                }
            }
        }
    }
    refusals
}

//! What `teammate doctor` finds, and what it says to do about it.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::TcpListener,
    thread,
};

use serde_json::json;

use crate::{
    play::{Scene as _, bash, calls, play, say},
    world::World,
};

/// Status and body for a request's head, in lower case.
pub(crate) type Answers = fn(&str) -> (u16, &'static str);

/// A server that answers the list of models as the request's headers deserve, and anything else with 404. Returns its address.
pub(crate) fn server(answer: Answers) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let head: Vec<String> = lines
                .map_while(Result::ok)
                .take_while(|line| !line.is_empty())
                .collect();
            let (status, body) = answer(&head.join("\n").to_lowercase());
            let length = body.len();
            let _ = write!(
                stream,
                "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}"
            );
        }
    });
    url
}

const REFUSAL: &str = r#"{"error": {"type": "error", "message": "no, sir"}}"#;

fn asking(url: &str) -> World {
    World::with_model("openai:m")
        .env("OPENAI_API_KEY", "key-good")
        .env("OPENAI_BASE_URL", url)
}

// fast: the verb doctor
#[test]
fn the_key_is_tried_and_each_refusal_is_told_apart() {
    let good = server(|head| match head {
        head if !head.starts_with("get /v1/models ") => (500, REFUSAL),
        head if head.contains("key-good") => (200, "{\"data\": []}"),
        _ => (401, REFUSAL),
    });
    asking(&good)
        .teammate(&["doctor"])
        .ends(0)
        .says("answers, accepts the key from OPENAI_API_KEY");
    let bad: [(Answers, i32, &str); 6] = [
        (
            |_| (401, REFUSAL),
            1,
            "the key is not valid: set OPENAI_API_KEY to a valid one",
        ),
        (
            |_| (403, REFUSAL),
            1,
            "the key is valid, but may not do this",
        ),
        (
            |_| (429, REFUSAL),
            0,
            "the key is accepted, but the server's rate limit",
        ),
        (|_| (503, REFUSAL), 1, "the server has a problem"),
        // No list, and no such model either.
        (|_| (404, REFUSAL), 1, "Check the model name 'm'"),
        // A list for everybody proves nothing; one token does.
        (
            |head| match head.starts_with("get ") {
                true => (200, "{\"data\": []}"),
                false => (401, REFUSAL),
            },
            1,
            "'openai:m' was asked for one token",
        ),
    ];
    for (answer, code, says) in bad {
        let run = asking(&server(answer)).teammate(&["doctor"]);
        assert_eq!(run.code, code, "{says}: {}", run.out);
        assert!(run.out.contains(says), "{says}: {}", run.out);
        assert!(!run.out.contains("key-good"), "{}", run.out);
    }
}

#[test]
fn without_the_network_nothing_is_asked() {
    let world = asking("http://127.0.0.1:9");
    world
        .teammate(&["doctor", "--offline"])
        .ends(0)
        .says("was not checked (--offline)");
    world
        .teammate(&["doctor"])
        .ends(1)
        .says("cannot be reached");
}

#[cfg(target_os = "linux")]
#[test]
fn a_lock_that_git_left_and_a_member_without_its_worktree_are_named_with_what_to_do() {
    let ask = json!({ "name": "alice", "prompt": "Work", "worktree": true });
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([("spawn_teammate", ask)]),
                calls([("wait_for_team", json!({}))]),
                say("done").otherwise(),
            ],
        ),
        (
            "alice",
            vec![bash("pwd"), say("ready"), say("ready").otherwise()],
        ),
    ]));
    let git = "git init -qb main && git config user.name A && git config user.email a@b && echo 1 > a && git add a && git commit -qm a";
    let made = std::process::Command::new("sh")
        .args(["-c", git])
        .current_dir(world.work())
        .status();
    assert!(made.unwrap().success());
    world.run("Go").ends(0);
    let lock = world.path(".git/worktrees/alice/index.lock");
    fs::write(&lock, "").unwrap();
    world
        .teammate(&["doctor"])
        .ends(1)
        .says("index.lock blocks the worktree 'alice'")
        .says("it is removed when the team is opened");
    assert!(lock.exists(), "looking changes nothing");
    world
        .resume()
        .ends(0)
        .complains("git was killed in the worktree 'alice' and left");
    assert!(!lock.exists());
    world.teammate(&["doctor"]).ends(0);

    fs::remove_dir_all(world.path(".team/worktrees/alice")).unwrap();
    world
        .teammate(&["doctor"])
        .ends(1)
        .says("alice cannot be opened")
        .says("ask the lead to spawn 'alice' again");
}

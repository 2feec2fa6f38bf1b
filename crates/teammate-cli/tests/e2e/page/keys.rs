//! Keys: how the browser gets its own, what others are good for, and that they end.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use serde_json::json;

use super::{Client, Page, asks, host_that_asks};
use crate::world::{World, until};

/// A key for another device.
fn pair(world: &World, page: &Page, scope: &str) -> Client {
    let pair = world.teammate(&["web", "pair", "--scope", scope]).ends(0);
    let (_, key) = pair.out.split_once("/#key=").unwrap();
    assert!(
        pair.out
            .contains(&format!("Good for `{scope}` and 12 hours")),
        "{}",
        pair.out
    );
    assert!(
        pair.out.contains('█') || pair.out.contains('▀'),
        "a picture for its camera"
    );
    page.client(&key[..64])
}

/// A program that writes down how it was called, and keeps what it was given.
fn browser(world: &World) -> String {
    let path = world.path("../browser");
    let text = "#!/bin/sh\nstat -c %a \"$1\" > \"$HOME/mode\"; cp \"$1\" \"$HOME/opened.html\"; echo \"$@\" > \"$HOME/called\"\n";
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.canonicalize().unwrap().display().to_string()
}

fn has(path: &Path) -> bool {
    fs::read(path).is_ok_and(|bytes| !bytes.is_empty())
}

#[test]
fn the_browser_gets_its_key_by_a_file_that_is_gone_once_the_page_is_open() {
    let world = asks();
    world.run("Begin").ends(0);
    let browser = browser(&world);
    let world = world.env("BROWSER", &browser);
    let mut web = world.start(&["web"]);
    let home = world.path("../home");
    until(|| has(&home.join("called")), || web.err());
    assert_eq!(fs::read_to_string(home.join("mode")).unwrap(), "600\n");
    let page = fs::read_to_string(home.join("opened.html")).unwrap();
    let (_, rest) = page.split_once("url=http://127.0.0.1:").unwrap();
    let (port, rest) = rest.split_once("/#key=").unwrap();
    let key = &rest[..64];
    let called = fs::read_to_string(home.join("called")).unwrap();
    let file = Path::new(called.trim());
    assert!(
        file.exists() && !called.contains(key) && !web.out().contains(key),
        "{called}"
    );

    let client = Client::new(port.parse().unwrap(), key);
    let shell = client.get("/");
    assert!(
        !shell.body.contains(key) && !shell.head.contains("set-cookie"),
        "{}",
        shell.head
    );
    assert!(file.exists(), "nobody has come with the key yet");
    assert!(client.get("/teams").json()[0]["id"].is_string());
    until(|| !file.exists(), || web.err());
    assert!(!web.is_over());
    web.signal(rustix::process::Signal::TERM);
    web.end().ends(0);
    world.assert_at_rest();
}

// fast: the page's keys stay with the user
#[test]
fn a_command_of_a_member_gets_no_key() {
    let world = asks();
    world.run("Begin").ends(0);
    let _page = Page::of(&world, &[]);
    let member = world
        .again()
        .env("TEAMMATE_TEAM", "as commands of members have it");
    for words in [
        &["web", "--no-open"][..],
        &["web", "pair"],
        &["web", "keys"],
        &["web", "keys", "revoke"],
    ] {
        member
            .teammate(words)
            .ends(1)
            .complains("members use their own tools");
    }
    let listed = world.teammate(&["web", "keys"]).ends(0).out;
    assert_eq!(listed.lines().count(), 1, "{listed}");
}

#[test]
fn a_key_is_good_for_its_scope_and_those_before_it() {
    let world = asks();
    let _host = host_that_asks(&world);
    let page = Page::of(&world, &[]);
    let [see, answer, steer] = ["see", "answer", "steer"].map(|scope| pair(&world, &page, scope));
    let need = page.need();
    let yes = |answer: &str| json!({ "request": need["id"], "saw": need["saw"], "answer": answer });
    let say = json!({ "to": "lead", "text": "hello" });
    for client in [&see, &answer, &steer] {
        assert_eq!(client.get("/teams").status, 200);
    }
    for (verb, words) in [
        ("answer", yes("once")),
        ("approve", json!({ "words": "1" })),
        ("say", say.clone()),
        ("team", json!({})),
    ] {
        page.asks(&see, verb, verb, words).is(403, "good for `see`");
    }
    for (verb, words) in [
        ("answer", yes("always")),
        ("answer", yes("tool")),
        ("say", say.clone()),
        ("team", json!({})),
        ("interrupt", json!({})),
        (
            "approve",
            json!({ "words": "1 always", "saw": need["saw"] }),
        ),
    ] {
        page.asks(&answer, verb, verb, words)
            .is(403, "good for `answer`, and `steer` is needed");
    }
    page.asks(&answer, "answer", "a", yes("once"))
        .is(200, "allowed once: req_");
    page.asks(&steer, "say", "s", say).is(200, "lines");
    page.asks(&steer, "team", "t", json!({})).is(200, "lead");
    until(
        || world.path("made").exists(),
        || world.teammate(&["log"]).out,
    );

    let none = page.client(&"0".repeat(64));
    none.get("/teams").is(401, "this key is none");
    let listed = world.teammate(&["web", "keys"]).ends(0).out;
    assert_eq!(listed.lines().count(), 4, "{listed}");
}

#[test]
fn a_revoked_key_sees_nothing_more_and_others_go_on() {
    let world = asks();
    let _host = host_that_asks(&world);
    let page = Page::of(&world, &[]);
    let phone = pair(&world, &page, "answer");
    let mut live = phone.live(&format!("/live?team={}&see=team", page.team()));
    live.until("parts").unwrap();
    let listed = world.teammate(&["web", "keys"]).ends(0).out;
    let line = listed.lines().find(|line| line.contains("answer")).unwrap();
    assert!(line.contains("11 h 59 min more"), "{line}");
    let id = line.split(' ').next().unwrap();
    world
        .teammate(&["web", "keys", "revoke", id])
        .ends(0)
        .says("Ended: 1");
    phone.get("/teams").is(401, "was revoked");
    page.asks(
        &phone,
        "answer",
        "k",
        json!({ "request": "1", "answer": "no" }),
    )
    .is(401, "was revoked");
    // Nothing that happens from now on gets there.
    assert_eq!(live.until("never said"), None);
    assert_eq!(page.own.get("/teams").status, 200);

    world
        .teammate(&["web", "keys", "revoke"])
        .ends(0)
        .says("Ended: 1");
    assert_eq!(page.own.get("/teams").status, 401);
}

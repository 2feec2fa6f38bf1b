//! Where commands connect, through the whole program: rules, settings, questions and what a member reads.

use teammate_testkit::serve_hello;

use crate::{
    play::{Scene as _, bash, play, say, spawn},
    world::World,
};

/// Asks the proxy for a name that programs look for on their own loopback.
fn curl(port: u16) -> String {
    format!("curl -sS --noproxy '' http://localhost:{port}/")
}

/// A lead that runs this command so often.
fn runs(command: &str, times: usize) -> World {
    let mut scenes = vec![bash(command); times];
    scenes.push(say("Done.").otherwise());
    World::playing(&play([("lead", scenes)]))
}

/// What the lead reads of its first command when the program is started with these flags; and how it ends.
fn outcome(command: &str, flags: &[&str], code: i32) -> String {
    let world = runs(command, 1);
    let arguments = [&["run", "--allow", "bash", "go"], flags].concat();
    world.teammate(&arguments).ends(code);
    world.outcomes("lead").remove(0)
}

#[test]
fn without_anybody_to_ask_a_host_is_refused_and_the_flag_that_allows_it_named() {
    let port = serve_hello().unwrap();
    let world = runs(&curl(port), 1);
    let flag = format!("--allow 'net(localhost:{port})'");
    world
        .teammate(&["run", "--allow", "bash", "go"])
        .ends(4)
        .complains(&format!("refused net: connect to localhost:{port}"))
        .complains(&flag);
    let read = &world.outcomes("lead")[0];
    let line = format!("[This command could not connect to: localhost:{port} (nobody can be asked");
    assert!(read.contains(&line) && read.contains(&flag), "{read}");

    let rule = format!("net(localhost:{port})");
    let read = outcome(&curl(port), &["--allow", &rule], 0);
    assert!(read.contains("hello"), "{read}");
}

#[test]
fn the_setting_says_where_commands_connect() {
    let port = serve_hello().unwrap();
    let host = format!("localhost:{port}");
    let (rule, other) = (format!("net({host})"), "other.example");
    for (flags, word) in [
        (&["--network", &host][..], "hello"),
        (&["--network", other], "it is not in the list of hosts"),
        (
            &["--network", other, "--permission-mode", "bypass"],
            "it is not in the list of hosts",
        ),
        (&["--network", other, "--allow", &rule], "hello"),
        (
            &["--network", &host, "--deny", "net(localhost)"],
            "forbids it",
        ),
        (
            &["--network", "none", "--allow", &rule],
            "network = \"none\"",
        ),
        // Asked by nobody, but no less this machine's.
        (
            &["--permission-mode", "bypass"],
            "its address is one of this machine",
        ),
    ] {
        let read = outcome(&curl(port), flags, 0);
        assert!(read.contains(word), "{flags:?}: {read}");
    }
    let direct = format!("curl -sS http://127.0.0.1:{port}/");
    let read = outcome(&direct, &["--network", "all"], 0);
    assert!(read.contains("hello"), "{read}");
    let read = outcome(&direct, &["--permission-mode", "bypass"], 0);
    assert!(!read.contains("hello"), "{read}");
}

#[test]
fn commands_connect_through_the_proxy_of_the_user() {
    let proxy = format!("http://127.0.0.1:{}", serve_hello().unwrap());
    for (excepted, word) in [
        ("127.0.0.1", "hello"),
        ("127.0.0.1,server.invalid", "could not connect to"),
    ] {
        let world = runs("curl -sS http://server.invalid/", 1)
            .env("HTTP_PROXY", &proxy)
            .env("NO_PROXY", excepted);
        let flags = ["--allow", "bash", "--network", "server.invalid", "go"];
        world.teammate(&[&["run"], &flags[..]].concat()).ends(0);
        let read = world.outcomes("lead").remove(0);
        assert!(read.contains(word), "{excepted}: {read}");
    }
}

// fast: hosts that commands reach
#[test]
fn a_question_names_member_command_and_host_and_an_answer_decides() {
    let command = curl(serve_hello().unwrap());
    let port = command.trim_end_matches('/').rsplit(':').next().unwrap();
    let alice = vec![
        bash(&command),
        bash(&command),
        bash(&command),
        say("Done.").otherwise(),
    ];
    let lead = vec![
        spawn([("alice", "coder", "Begin")]).after("go"),
        say("I wait.").otherwise(),
    ];
    let world = World::playing(&play([("lead", lead), ("alice", alice)]));
    let run = world.start(&["run", "--allow", "bash", "--answers", "wait", "go"]);
    run.until("req_000001");
    for word in ["alice", &format!("connect to localhost:{port}"), &command] {
        assert!(run.err().contains(word), "{word}: {}", run.err());
    }
    let answer = |words: &[&str]| drop(world.teammate(words).ends(0));
    answer(&["deny", "1", "--because", "not today"]);
    run.until("req_000002");
    answer(&["approve", "2"]);
    run.until("req_000003");
    answer(&["approve", "3", "--always"]);
    run.end().ends(0);

    let read = world.outcomes("alice");
    assert!(
        read[0].contains("the user denied it (not today)"),
        "{read:#?}"
    );
    // A yes is for the name; that it is this machine's nobody saw.
    for outcome in &read[1..3] {
        assert!(
            outcome.contains("its address is one of this machine"),
            "{read:#?}"
        );
    }
    world
        .teammate(&["rules"])
        .ends(0)
        .says(&format!("net(localhost:{port})  answered with \"always\""));
}

#[test]
fn rules_about_hosts_are_listed_and_wrong_ones_refused() {
    let world = runs("true", 0);
    let network = [
        "--network",
        "crates.io,*.crates.io",
        "--deny",
        "net(evil.example)",
    ];
    world
        .teammate(&[&["rules"], &network[..]].concat())
        .ends(0)
        .says("net(crates.io)")
        .says("net(*.crates.io)")
        .says("net(evil.example)")
        .says("network: commands connect to hosts that rules net(HOST) allow, and to no others");
    world
        .teammate(&["doctor", "--offline", "--network", "all"])
        .says("network: commands connect wherever this machine does");
    world
        .teammate(&["rules", "--allow", "net(https://crates.io/)"])
        .ends(2)
        .complains(
            "'net(https://crates.io/)' is not understood: at character 11, write the host alone",
        );
    world
        .teammate(&["rules", "--network", "10.0.0.1"])
        .ends(2)
        .complains("at character 5, an address is no host");
}

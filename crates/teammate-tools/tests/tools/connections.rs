//! Where commands connect: what the team says to a host, and what a command reads of it.

use serde_json::json;
use teammate_core::port::{ConnectVerdict, Reach};
use teammate_sandbox::{NetworkRule, SandboxRules};
use teammate_testkit::serve_hello;

use crate::support::Bench;

fn bench(network: NetworkRule) -> Bench {
    Bench::within(|_| SandboxRules {
        network,
        ..SandboxRules::default()
    })
}

fn say(bench: &Bench, host: &str, verdict: ConnectVerdict) {
    let mut hosts = bench.team.hosts.lock().unwrap();
    hosts.insert(host.to_owned(), verdict);
}

/// Asks the proxy also for a name that programs look for on their own loopback.
fn curl(port: u16) -> String {
    format!("curl -sS --noproxy '' http://localhost:{port}/")
}

#[tokio::test]
async fn a_refusal_is_read_by_the_command_and_by_the_model() {
    let bench = bench(NetworkRule::Ask);
    let command = "curl -sS http://crates.example/ | cat";
    let text = bench.ok("bash", json!({"command": command})).await;
    assert_eq!(
        text,
        "crates.example:80: a test forbids it\n\
         [This command could not connect to: crates.example:80 (a test forbids it)]\n\
         exit status 0"
    );
    assert_eq!(
        bench.team.asked(),
        format!("asks crates.example:80 for {command}")
    );
}

#[tokio::test]
async fn connections_to_one_host_are_one_question() {
    let bench = bench(NetworkRule::Ask);
    let command =
        "for i in 1 2 3 4; do curl -s http://a.example/ & done; wait; curl -s http://b.example/";
    let text = bench.ok("bash", json!({"command": command})).await;
    assert_eq!(text.matches("a.example:80: a test").count(), 4, "{text}");
    assert!(
        text.contains("to: a.example:80 (a test forbids it); b.example:80 (a test forbids it)]"),
        "{text}"
    );
    assert_eq!(bench.team.asked().matches("asks").count(), 2);
}

#[tokio::test]
async fn a_host_of_this_machine_is_reached_only_if_it_may_be_anywhere() {
    let (bench, port) = (bench(NetworkRule::Ask), serve_hello().unwrap());
    let host = format!("localhost:{port}");
    say(&bench, &host, ConnectVerdict::Allowed(Reach::Anywhere));
    let text = bench.ok("bash", json!({"command": curl(port)})).await;
    assert_eq!(text, "hello\nexit status 0");

    say(&bench, &host, ConnectVerdict::Allowed(Reach::Public));
    let text = bench.ok("bash", json!({"command": curl(port)})).await;
    assert!(!text.contains("hello"), "{text}");
    let why =
        format!("[This command could not connect to: {host} (its address is one of this machine");
    assert!(text.contains(&why), "{text}");

    // By its address nothing is there, whatever is allowed.
    let command = format!("curl -sS http://127.0.0.1:{port}/");
    let text = bench.error("bash", json!({"command": command})).await;
    assert!(!text.contains("hello"), "{text}");
}

#[tokio::test]
async fn a_program_that_knows_no_proxy_does_not_hide_which_host_it_wanted() {
    let bench = bench(NetworkRule::Ask);
    let connect = "import socket\n\
        for host, port in ('db.example', 5432), ('db.example', 5433), ('a.example', 80):\n    \
        s = socket.create_connection((host, port)) if port == 80 else None\n    \
        if s: s.sendall(b'GET / HTTP/1.0\\r\\n\\r\\n'); s.recv(1); continue\n    \
        try: socket.create_connection((host, port))\n    \
        except OSError as error: print(error)\n";
    let input = json!({"command": format!("python3 - <<'E'\n{connect}E")});
    let text = bench.ok("bash", input).await;
    let remark = "[This command could not connect to: a.example:80 (a test forbids it); \
        db.example (it was looked up; only ports 80 and 443 lead out, other ones through the proxy that HTTPS_PROXY names. For a \
        program that knows no proxy the user opens the network: [sandbox] network = \"all\")]\nexit status 0";
    assert!(text.contains("Connection refused"), "{text}");
    assert!(text.ends_with(remark), "{text}");

    // One that is asked for and looks up no more than that has connected to nothing.
    let looks = "python3 -c \"import socket; print(socket.gethostbyname('db.example'))\"";
    let text = bench.ok("bash", json!({"command": looks})).await;
    assert!(!text.contains("could not connect"), "{text}");
}

#[tokio::test]
async fn an_address_is_named_as_what_was_not_connected_to() {
    let bench = bench(NetworkRule::Ask);
    let command = "curl -s -o /dev/null http://192.0.2.7:8080/a; \
        curl -s --socks5 127.0.0.1:3128 http://192.0.2.8/; true";
    let text = bench.ok("bash", json!({"command": command})).await;
    assert_eq!(
        text,
        "(no output)\n[This command could not connect to: 192.0.2.7:8080 (servers are connected to by name only); \
         192.0.2.8 (servers are connected to by name only)]\nexit status 0"
    );
}

#[tokio::test]
async fn who_is_not_answered_in_time_is_told_to_try_again() {
    let bench = bench(NetworkRule::Ask);
    say(&bench, "a.example:80", ConnectVerdict::Unanswered);
    let input = json!({"command": "curl -s http://a.example/; curl -s http://a.example/"});
    let text = bench.ok("bash", input).await;
    assert!(text.contains("run the same command again"), "{text}");
    // The second connection asks once more.
    assert_eq!(bench.team.asked().matches("asks a.example:80").count(), 2);
}

#[tokio::test]
async fn a_list_asks_nobody_none_asks_not_even_rules_and_all_is_the_machines_network() {
    let listed = bench(NetworkRule::Listed);
    let input = json!({"command": "curl -s http://a.example/"});
    listed.ok("bash", input.clone()).await;
    assert!(listed.team.asked().starts_with("wants a.example:80"));

    let none = bench(NetworkRule::Nowhere);
    say(
        &none,
        "a.example:80",
        ConnectVerdict::Allowed(Reach::Anywhere),
    );
    let text = none.ok("bash", input).await;
    assert!(text.contains("[sandbox] network = \"none\""), "{text}");
    assert_eq!(none.team.asked(), "");

    let (all, port) = (bench(NetworkRule::Machine), serve_hello().unwrap());
    let command = format!("curl -s http://127.0.0.1:{port}/");
    let text = all.ok("bash", json!({"command": command})).await;
    assert_eq!(text, "hello\nexit status 0");
    assert_eq!(all.team.asked(), "");
}

#[tokio::test]
async fn the_users_own_proxy_is_replaced_by_that_of_the_commands_network() {
    let mut bench = bench(NetworkRule::Ask);
    let proxy = (
        "HTTPS_PROXY".to_owned(),
        "http://proxy.example:1".to_owned(),
    );
    let mut environment = bench.context.environment.to_vec();
    environment.push(proxy);
    bench.context.environment = std::sync::Arc::new(environment);
    let text = bench
        .ok(
            "bash",
            json!({"command": "env | grep -ci _proxy=; echo $HTTPS_PROXY"}),
        )
        .await;
    assert_eq!(text, "8\nhttp://127.0.0.1:3128\nexit status 0");
}

#[tokio::test]
async fn a_command_reaches_the_server_that_its_members_earlier_command_runs() {
    let bench = bench(NetworkRule::Ask);
    let serve = "nohup python3 -m http.server 8123 --bind 127.0.0.1 >/dev/null 2>&1 &";
    bench.ok("bash", json!({"command": serve})).await;
    let get = "until curl -sf http://127.0.0.1:8123/ >/dev/null; do sleep 0.05; done; \
        curl -s http://a.example/";
    let text = bench.ok("bash", json!({"command": get})).await;
    assert!(text.contains("a.example:80: a test forbids it"), "{text}");
    // The command that started last is taken for the one that connects.
    let asked = bench.team.asked();
    assert!(
        asked.contains(&format!("asks a.example:80 for {get}")),
        "{asked}"
    );
}

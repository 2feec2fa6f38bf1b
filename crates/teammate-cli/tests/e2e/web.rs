//! Pages and searches, through the whole program: rules, questions, what a member reads, and what is recorded.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpListener,
    path::PathBuf,
    sync::{Arc, Mutex},
    thread,
};

use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};
use serde_json::{Value, json};
use teammate_testkit::{serve_answers, serve_hello};

use crate::{
    play::{Scene as _, calls, play, say, spawn},
    world::{World, json_lines},
};

fn fetch(url: &str) -> Value {
    calls([("web_fetch", json!({ "url": url }))])
}

/// A lead that reads this page so often.
fn reads(url: &str, times: usize) -> World {
    let mut scenes = vec![fetch(url); times];
    scenes.push(say("Done.").otherwise());
    World::playing(&play([("lead", scenes)]))
}

fn local() -> (String, String) {
    let host = format!("localhost:{}", serve_hello().unwrap());
    (format!("http://{host}/"), host)
}

/// What the lead reads when the program is started with these flags; and how it ends.
fn outcome(url: &str, flags: &[&str], code: i32) -> String {
    let world = reads(url, 1);
    world.teammate(&[&["run", "go"], flags].concat()).ends(code);
    world.outcomes("lead").remove(0)
}

#[test]
fn the_rules_and_settings_for_hosts_hold_for_pages() {
    let (url, host) = local();
    let (net, fetch) = (format!("net({host})"), format!("web_fetch({host})"));
    let shown = format!("<fetched from=\"{url}\">\nhello\n</fetched>");
    let bypass = ["--permission-mode", "bypass"];
    for (flags, word) in [
        (&["--allow", &*fetch][..], &*shown),
        (&["--allow", &net], &shown),
        (&["--network", &host], &shown),
        (&["--network", "all"], &shown),
        (&["--allow", &fetch, "--deny", "web_fetch"], "forbids it"),
        (
            &["--allow", &fetch, "--deny", "net(localhost)"],
            "forbids it",
        ),
        (&["--network", &host, "--deny", &fetch], "forbids it"),
        (&["--network", "all", "--deny", &fetch], "forbids it"),
        (
            &["--allow", &net, "--network", "none"],
            "network = \"none\"",
        ),
        (
            &["--network", "other.example"],
            "it is not in the list of hosts",
        ),
        // Asked by nobody, but no less this machine's. So is a rule for all hosts.
        (&bypass, "its address is one of this machine"),
        (
            &["--allow", "web_fetch(*:*)"],
            "its address is one of this machine",
        ),
    ] {
        let read = outcome(&url, flags, 0);
        assert!(read.contains(word), "{flags:?}: {read}");
    }
    let address = url.replace("localhost", "127.0.0.1");
    let read = outcome(&address, &["--network", "all"], 0);
    assert!(read.contains("'127.0.0.1' is no server's name"), "{read}");
}

#[test]
fn without_anybody_to_ask_a_page_is_refused_and_the_flag_that_allows_it_named() {
    let (url, host) = local();
    let world = reads(&url, 1);
    let flag = format!("--allow 'web_fetch({host})'");
    world
        .teammate(&["run", "go"])
        .ends(4)
        .complains(&format!("refused web_fetch: fetch from {host}"))
        .complains(&flag);
    let read = &world.outcomes("lead")[0];
    let begin = format!("{url} was not fetched: nobody can be asked here. ");
    assert!(read.starts_with(&begin) && read.contains(&flag), "{read}");
}

#[test]
fn a_question_names_the_page_and_always_is_for_pages_of_the_host() {
    let (url, host) = local();
    let alice = vec![
        fetch(&url),
        fetch(&url),
        fetch(&url),
        say("Done.").otherwise(),
    ];
    let lead = vec![
        spawn([("alice", "coder", "Begin")]).after("go"),
        say("I wait.").otherwise(),
    ];
    let world = World::playing(&play([("lead", lead), ("alice", alice)]));
    let run = world.start(&["run", "--answers", "wait", "go"]);
    run.until("req_000001");
    for word in ["alice", &format!("fetch {url}"), &format!("from {host}")] {
        assert!(run.err().contains(word), "{word}: {}", run.err());
    }
    let answer = |words: &[&str]| drop(world.teammate(words).ends(0));
    answer(&["deny", "1", "--because", "not today"]);
    run.until("req_000002");
    answer(&["approve", "2", "--always"]);
    run.end().ends(0);

    let read = world.outcomes("alice");
    assert_eq!(
        read[0],
        format!("{url} was not fetched: the user denied it (not today).")
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
        .says(&format!("web_fetch({host})  answered with \"always\""));
    let audit = world.teammate(&["audit", "--json"]).ends(0);
    let mut entries = json_lines(&audit.out);
    entries.retain(|entry| entry["tool"] == "web_fetch");
    let told: Vec<_> = entries
        .iter()
        .map(|entry| (&entry["event"], &entry["by"], &entry["shows"]))
        .collect();
    let shows = json!(format!("fetch {url}\nfrom {host}"));
    let (allowed, refused) = (json!("allowed"), json!("refused"));
    assert_eq!(
        told,
        [
            (&refused, &Value::Null, &shows),
            (&allowed, &json!("answer"), &shows),
            (&allowed, &json!("rules"), &shows),
        ]
    );
}

#[test]
fn a_page_that_was_asked_about_when_the_program_died_is_asked_about_once_more() {
    let (url, host) = local();
    let world = reads(&url, 1);
    let run = world.start(&["run", "--answers", "wait", "go"]);
    run.until("req_000001");
    run.signal(rustix::process::Signal::KILL);
    run.end();
    let run = world.start(&["resume", "--answers", "wait"]);
    run.until("(req_000001, no in");
    world.teammate(&["approve", "1"]).ends(0);
    run.end();
    let read = &world.outcomes("lead")[0];
    // The yes was for the name.
    let why = format!("{url} was not fetched: its address is one of this machine");
    assert!(read.starts_with(&why), "{host}: {read}");
}

#[test]
fn a_member_whose_plan_is_not_approved_yet_may_read_pages() {
    let (url, host) = local();
    let alice = vec![fetch(&url), say("Done.").otherwise()];
    let asked =
        json!({ "name": "alice", "role": "coder", "prompt": "Begin", "require_plan": true });
    let lead = vec![
        calls([("spawn_teammate", asked)]).after("go"),
        say("I wait.").otherwise(),
    ];
    let world = World::playing(&play([("lead", lead), ("alice", alice)]));
    let rule = format!("web_fetch({host})");
    world.teammate(&["run", "go", "--allow", &rule]);
    assert!(world.outcomes("alice")[0].contains("hello"));
}

#[test]
fn a_page_is_read_through_the_proxy_of_the_user() {
    let heard = Arc::new(Mutex::new(String::new()));
    let hears = heard.clone();
    let proxy = serve_answers(move |request| {
        *hears.lock().unwrap() = request.to_owned();
        b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 7\r\n\r\nproxied".to_vec()
    })
    .unwrap();
    let world = reads("http://server.invalid/a?b", 1)
        .env("HTTP_PROXY", &format!("http://me:secret@127.0.0.1:{proxy}"));
    world
        .teammate(&["run", "go", "--allow", "web_fetch(server.invalid)"])
        .ends(0);
    assert!(world.outcomes("lead")[0].contains("\nproxied\n"));
    let heard = heard.lock().unwrap();
    assert!(
        heard.starts_with("GET http://server.invalid/a?b HTTP/1.1\r\n"),
        "{heard}"
    );
    assert!(
        heard
            .to_lowercase()
            .contains("proxy-authorization: basic bwu6c2vjcmv0"),
        "{heard}"
    );
}

/// A server with TLS at `https://localhost:PORT`, of an authority whose certificate is the second value.
fn tls_server() -> (u16, String) {
    let dir =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../teammate-models/tests/certificates");
    let chain = CertificateDer::pem_file_iter(dir.join("server.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_file(dir.join("server.key")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain.map(Result::unwrap).collect(), key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let connection = ServerConnection::new(config.clone()).unwrap();
            let mut stream = StreamOwned::new(connection, stream);
            if stream.read(&mut [0; 4096]).is_ok() {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecure");
                stream.conn.send_close_notify();
                let _ = stream.flush();
            }
        }
    });
    (port, dir.join("ca.pem").display().to_string())
}

#[test]
fn a_secure_page_is_read_only_from_a_server_whose_certificate_is_trusted() {
    let (port, authority) = tls_server();
    let url = format!("https://localhost:{port}/");
    let rule = format!("web_fetch(localhost:{port})");
    let read = |world: World| {
        world.teammate(&["run", "go", "--allow", &rule]).ends(0);
        world.outcomes("lead").remove(0)
    };
    let trusted = read(reads(&url, 1).env("SSL_CERT_FILE", &authority));
    assert!(trusted.contains("\nsecure\n"), "{trusted}");
    let unknown = read(reads(&url, 1));
    let begin = format!("{url} was not fetched: a secure connection could not be made");
    assert!(unknown.starts_with(&begin), "{unknown}");
}

/// A world whose configuration has these lines, and whose lead searches once.
fn searching(config: &str) -> World {
    let search = calls([("web_search", json!({ "query": "rust async" }))]);
    let scenes = vec![search, say("Done.").otherwise()];
    let world = World::playing(&play([("lead", scenes)]));
    let dir = world.path("../home/.config/teammate");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("config.toml"), config).unwrap();
    world
}

const RESULTS: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n\
    {\"results\":[{\"title\":\"T\",\"url\":\"https://t.example/\",\"content\":\"Text of canary-search-key.\"}]}";

#[test]
fn a_service_that_is_configured_is_asked_with_a_key_that_nobody_sees() {
    let heard = Arc::new(Mutex::new(String::new()));
    let hears = heard.clone();
    let port = serve_answers(move |request| {
        *hears.lock().unwrap() = request.to_owned();
        RESULTS.to_vec()
    })
    .unwrap();
    let config = format!(
        "[web_search]\napi = \"tavily\"\nurl = \"http://localhost:{port}/search\"\n\
         key_command = \"echo canary-search-key\"\n"
    );
    let world = searching(&config);
    world.teammate(&["run", "go"]).ends(0);
    assert_eq!(
        world.outcomes("lead")[0],
        "<fetched from=\"a search for rust async\">\n1. T\n   https://t.example/\n   \
         Text of [secret web_search/key_command].\n</fetched>"
    );
    assert!(heard.lock().unwrap().contains("Bearer canary-search-key"));
    let audit = world.teammate(&["audit", "--json"]).ends(0);
    let entry = json_lines(&audit.out)
        .into_iter()
        .find(|entry| entry["tool"] == "web_search")
        .unwrap();
    assert_eq!(
        (&entry["by"], &entry["setting"]),
        (&json!("setting"), &json!("[web_search]"))
    );
    assert!(!audit.out.contains("canary"));
    world
        .teammate(&["audit"])
        .ends(0)
        .says("the setting [web_search]");

    let world = searching(&config);
    world
        .teammate(&["run", "go", "--deny", "web_search"])
        .ends(0);
    assert!(world.outcomes("lead")[0].contains("rule 'web_search' forbids it"));
    let world = searching(&config);
    world
        .teammate(&["run", "go", "--deny", "net(localhost)"])
        .ends(0);
    assert!(world.outcomes("lead")[0].contains("rule 'net(localhost)' forbids it"));
}

#[test]
fn without_a_service_or_its_key_nobody_searches() {
    let world = searching("");
    world.teammate(&["run", "go"]);
    assert!(
        world.outcomes("lead")[0].contains("web_search"),
        "{:?}",
        world.outcomes("lead")
    );
    let world = searching("[web_search]\napi = \"brave\"\nkey_env = \"NO_SUCH_KEY\"\n");
    world.teammate(&["run", "go"]).complains(
        "members cannot search the web: NO_SUCH_KEY is not set, which [web_search] names",
    );
    for (config, why) in [
        (
            "api = \"brave\"",
            "the service wants a key; name it with key_env or key_command",
        ),
        (
            "api = \"searxng\"",
            "a SearXNG has no usual address; name it with url",
        ),
        (
            "api = \"searxng\"\nurl = \"http://10.0.0.1/\"",
            "'10.0.0.1' is no server's name",
        ),
        (
            "api = \"gogle\"",
            "expected one of `brave`, `exa`, `searxng`, `serper`, `tavily`",
        ),
    ] {
        let world = searching(&format!("[web_search]\n{config}\n"));
        world.teammate(&["run", "go"]).ends(1).complains(why);
    }
    let world = reads("https://docs.rs/", 1);
    let dir = world.path("../home/.config/teammate");
    fs::create_dir_all(&dir).unwrap();
    fs::write(dir.join("config.toml"), "[web]\nfetch = false\n").unwrap();
    world.teammate(&["run", "go"]);
    assert!(world.outcomes("lead")[0].starts_with("Unknown tool 'web_fetch'"));
}

//! Traces and metrics of the whole program, as a collector gets them.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use opentelemetry_proto::tonic::{
    collector::{metrics::v1::ExportMetricsServiceRequest, trace::v1::ExportTraceServiceRequest},
    common::v1::{KeyValue, any_value},
    trace::v1::Span,
};
use prost::Message as _;
use serde_json::Value;

use crate::{
    play::{Scene as _, bash, play, say, send, spawn},
    world::World,
};

/// A collector on this machine that keeps what it gets.
struct Collector {
    endpoint: String,
    got: Arc<Mutex<Vec<Got>>>,
}

struct Got {
    head: String,
    body: Vec<u8>,
}

impl Collector {
    fn open() -> Self {
        Self::serving(|stream| {
            let _ = stream
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        })
    }

    fn serving(answer: impl Fn(&mut TcpStream) + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let got = Arc::new(Mutex::new(Vec::new()));
        let keeps = got.clone();
        thread::spawn(move || {
            let mut held = Vec::new();
            for mut stream in listener.incoming().flatten() {
                keeps.lock().unwrap().push(read(&mut stream));
                answer(&mut stream);
                held.push(stream);
                // Those that were answered need no connection any more.
                held.drain(..held.len().saturating_sub(100));
            }
        });
        Self { endpoint, got }
    }

    fn flag(&self) -> String {
        format!("--otel={}", self.endpoint)
    }

    fn spans(&self) -> Vec<Span> {
        let got = self.got.lock().unwrap();
        let traces = got.iter().filter(|got| got.head.contains("/v1/traces"));
        traces
            .map(|got| ExportTraceServiceRequest::decode(&*got.body).unwrap())
            .flat_map(|request| request.resource_spans)
            .flat_map(|spans| spans.scope_spans)
            .flat_map(|spans| spans.spans)
            .collect()
    }

    /// Everything in all messages, as text.
    fn text(&self) -> String {
        let got = self.got.lock().unwrap();
        let bodies = got.iter().map(|got| String::from_utf8_lossy(&got.body));
        bodies.collect()
    }
}

/// A whole request, or nothing of one that is none.
fn read(stream: &mut TcpStream) -> Got {
    let (mut bytes, mut piece) = (Vec::new(), [0; 8192]);
    loop {
        let head = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        if let Some(end) = head {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            let mut lines = head.lines();
            let length = lines.find_map(|line| line.strip_prefix("content-length: "));
            let whole = end + 4 + length.map_or(0, |length| length.parse().unwrap());
            if bytes.len() >= whole {
                let body = bytes[end + 4..whole].to_vec();
                return Got { head, body };
            }
        }
        match stream.read(&mut piece) {
            Ok(0) | Err(_) => {
                return Got {
                    head: String::new(),
                    body: Vec::new(),
                };
            }
            Ok(length) => bytes.extend_from_slice(&piece[..length]),
        }
    }
}

fn text<'a>(attributes: &'a [KeyValue], name: &str) -> &'a str {
    let found = attributes.iter().find(|pair| pair.key == name);
    let value = found.and_then(|pair| pair.value.as_ref()?.value.as_ref());
    match value {
        Some(any_value::Value::StringValue(text)) => text,
        _ => panic!("{name} is not in {attributes:?}"),
    }
}

/// A lead that spawns alice, who runs a command and writes to the lead.
fn two_members() -> Value {
    play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Look at the treasure")]),
                say("She looks"),
                say("Found it").after_mail_from("alice"),
                say("Fine").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("echo gold"),
                send("lead", "The treasure is gold"),
                say("Done").otherwise(),
            ],
        ),
    ])
}

fn run(world: &World, more: &[&str]) -> crate::world::Run {
    let flags = ["run", "--permission-mode", "bypass"];
    world.teammate(&[&flags, more, &["Find the treasure"]].concat())
}

// fast: traces
#[test]
fn a_run_is_one_trace_with_links_from_who_hears_to_who_writes() {
    let (world, collector) = (World::playing(&two_members()), Collector::open());
    run(&world, &[&collector.flag()]).ends(0);
    let spans = collector.spans();
    let named = |name: &str| {
        let found = spans.iter().find(|span| span.name == name);
        found.unwrap_or_else(|| panic!("no {name}"))
    };
    let root = named("invoke_workflow");
    assert!(spans.iter().all(|span| span.trace_id == root.trace_id));
    assert_eq!(text(&root.attributes, "gen_ai.workflow.name"), "default");
    let alice = named("invoke_agent alice");
    assert_eq!(alice.parent_span_id, root.span_id);
    let command = named("execute_tool bash");
    assert_eq!(command.parent_span_id, alice.span_id);
    // Her mail is a part of her turn, and a turn of the lead goes back to it.
    let mails = spans.iter().filter(|span| span.name == "mail lead");
    let mail = mails
        .filter(|span| span.parent_span_id == alice.span_id)
        .find(|span| text(&span.attributes, "teammate.mail.kind") == "message")
        .expect("the mail of alice");
    let heard = spans
        .iter()
        .filter(|span| span.name == "invoke_agent lead")
        .flat_map(|span| &span.links)
        .find(|link| link.span_id == mail.span_id)
        .expect("a link to it");
    assert_eq!(
        text(&heard.attributes, "teammate.mail.id"),
        text(&mail.attributes, "teammate.mail.id")
    );
    for span in &spans {
        assert!(span.start_time_unix_nano <= span.end_time_unix_nano);
    }
    // What was said stays here.
    let all = collector.text();
    assert!(!all.contains("treasure") && !all.contains("gold"), "{all}");
}

#[test]
fn metrics_come_at_the_end() {
    let (world, collector) = (World::playing(&two_members()), Collector::open());
    run(&world, &[&collector.flag()]).ends(0);
    let got = collector.got.lock().unwrap();
    let last = got.last().unwrap();
    assert!(last.head.starts_with("POST /v1/metrics"), "{}", last.head);
    let metrics = ExportMetricsServiceRequest::decode(&*last.body).unwrap();
    let metrics = &metrics.resource_metrics[0].scope_metrics[0].metrics;
    let names: Vec<&str> = metrics.iter().map(|metric| &*metric.name).collect();
    for name in [
        "gen_ai.client.token.usage",
        "gen_ai.client.operation.duration",
        "gen_ai.execute_tool.duration",
        "gen_ai.invoke_agent.duration",
        "gen_ai.workflow.duration",
    ] {
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
}

#[test]
fn without_the_flag_nothing_connects_whatever_the_environment_says() {
    let collector = Collector::open();
    let world = World::playing(&two_members());
    let world = world.env("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.endpoint);
    run(&world, &[]).ends(0);
    assert!(collector.got.lock().unwrap().is_empty());
}

#[test]
fn the_standard_variables_say_where_and_with_what() {
    let collector = Collector::open();
    let world = World::playing(&two_members())
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", &collector.endpoint)
        .env("OTEL_EXPORTER_OTLP_HEADERS", "authorization=Bearer%20abc")
        .env("OTEL_SERVICE_NAME", "treasury");
    run(&world, &["--otel"]).ends(0);
    let got = collector.got.lock().unwrap();
    assert!(!got.is_empty());
    for got in got.iter() {
        assert!(got.head.contains("authorization: Bearer abc"));
        assert!(String::from_utf8_lossy(&got.body).contains("treasury"));
    }
}

#[test]
fn the_configuration_turns_it_on_and_sends_what_was_said_without_keys() {
    let key = "otlp-key-0123456789";
    let collector = Collector::open();
    let leaky = play([(
        "lead",
        vec![bash(&format!("echo {key}")), say("done").otherwise()],
    )]);
    let world =
        World::playing(&leaky).env("OTEL_EXPORTER_OTLP_HEADERS", &format!("x-api-key={key}"));
    let config = world.path("../config.toml");
    let endpoint = &collector.endpoint;
    fs::write(
        &config,
        format!("[otel]\nenabled = true\nendpoint = \"{endpoint}\"\ncontents = true\n"),
    )
    .unwrap();
    run(&world, &["--config", config.to_str().unwrap()]).ends(0);
    let all = collector.text();
    assert!(
        all.contains("Find the treasure") && all.contains("echo [secret"),
        "{all}"
    );
    assert!(!all.contains(key));
}

#[test]
fn a_collector_that_is_not_there_changes_nothing_and_is_said() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap();
    let flag = format!("--otel=http://{}", nobody.local_addr().unwrap());
    drop(nobody);
    let world = World::playing(&two_members());
    run(&world, &[&flag])
        .ends(0)
        .says("Found it")
        .complains("spans of this run were not sent to http://127.0.0.1");
}

#[test]
fn a_collector_that_never_answers_does_not_hold_the_program() {
    let collector = Collector::serving(|_| {});
    let world = World::playing(&two_members());
    run(&world, &[&collector.flag()])
        .ends(0)
        .complains("it does not answer in time");
}

#[test]
fn an_address_that_is_none_is_said_before_anything_runs() {
    let world = World::playing(&two_members());
    run(&world, &["--otel=localhost:4318"])
        .ends(1)
        .complains("http://localhost:4318");
    assert!(!world.path(".team").exists());
}

#[test]
fn an_interrupted_run_and_the_one_that_goes_on_are_two_whole_traces() {
    let slow = play([("lead", vec![bash("sleep 600"), say("went on").otherwise()])]);
    let (world, collector) = (World::playing(&slow), Collector::open());
    let flag = collector.flag();
    let running = world.start(&["run", "--permission-mode", "bypass", &flag, "Wait"]);
    running.until("sleep 600");
    running.signal(rustix::process::Signal::TERM);
    running.end();
    let first = collector.spans();
    let roots = |spans: &[Span]| {
        let roots = spans.iter().filter(|span| span.parent_span_id.is_empty());
        roots.count()
    };
    assert_eq!(roots(&first), 1);
    assert!(first.iter().any(|span| span.name == "execute_tool bash"));
    world
        .teammate(&["resume", "--permission-mode", "bypass", &flag])
        .ends(0);
    let both = collector.spans();
    assert_eq!(roots(&both), 2);
    assert_ne!(both[0].trace_id, both.last().unwrap().trace_id);
    // Whatever is a part of something is a part of what came, too.
    for span in &both {
        let parent = &span.parent_span_id;
        assert!(parent.is_empty() || both.iter().any(|other| other.span_id == *parent));
    }
}

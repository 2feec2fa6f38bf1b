//! Collectors that take what is sent, and those that do not.

use std::{
    future::pending,
    pin::Pin,
    sync::{Arc, Mutex},
    task::{Context, Poll},
    time::Duration,
};

use futures_core::Stream;
use opentelemetry_proto::tonic::collector::{
    metrics::v1::ExportMetricsServiceRequest,
    trace::v1::{ExportTracePartialSuccess, ExportTraceServiceRequest, ExportTraceServiceResponse},
};
use prost::Message as _;
use teammate_core::event::Event;
use teammate_otel::{Contents, Settings, Telemetry};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::mpsc,
    time::{Instant, timeout},
};

use crate::told::{about, event, events};

const RUN: &str = include_str!("run.events");

/// Longer than this nothing may take: a hang fails. Nothing passes by its speed.
const HANG: Duration = Duration::from_secs(60);

struct Feed(mpsc::Receiver<Arc<Event>>);

impl Stream for Feed {
    type Item = Arc<Event>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Arc<Event>>> {
        self.0.poll_recv(context)
    }
}

/// A run whose events are given one after the other.
struct Run {
    events: mpsc::Sender<Arc<Event>>,
    telemetry: Telemetry,
    told: Arc<Mutex<Vec<String>>>,
}

impl Run {
    fn to(endpoint: &str) -> Self {
        let settings = Settings::to(endpoint).unwrap();
        let settings = settings.headers("authorization=Bearer%20key").unwrap();
        let (events, feed) = mpsc::channel(4096);
        let told = Arc::new(Mutex::new(Vec::new()));
        let hears = told.clone();
        let tell = Box::new(move |text| hears.lock().unwrap().push(text));
        let telemetry = Telemetry::begin(settings, about(Contents::Left), Feed(feed), tell);
        Self {
            events,
            telemetry,
            told,
        }
    }

    fn give(&self, lines: &str) {
        for event in events(lines) {
            self.events.try_send(Arc::new(event)).unwrap();
        }
    }

    async fn finish(self) -> Option<String> {
        drop(self.events);
        timeout(HANG, self.telemetry.finish()).await.unwrap()
    }
}

/// A request, as far as a collector looks at it.
struct Request {
    head: String,
    body: Vec<u8>,
}

/// Serves each request on a connection of its own.
async fn collector<Answering>(
    answer: impl Fn(Request, TcpStream) -> Answering + Send + Sync + 'static,
) -> String
where
    Answering: Future<Output = ()> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            if let Some(request) = read(&mut stream).await {
                tokio::spawn(answer(request, stream));
            }
        }
    });
    format!("http://{address}")
}

async fn read(stream: &mut TcpStream) -> Option<Request> {
    let mut bytes = Vec::new();
    loop {
        stream.read_buf(&mut bytes).await.ok().filter(|n| *n > 0)?;
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))?;
        let whole = end + 4 + length.parse::<usize>().ok()?;
        if bytes.len() >= whole {
            let body = bytes[end + 4..whole].to_vec();
            return Some(Request { head, body });
        }
    }
}

async fn write(mut stream: TcpStream, status: &str, more: &str, body: &[u8]) {
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n{more}\r\n");
    // A client that has gone is no error.
    let _ = stream.write_all(&[head.as_bytes(), body].concat()).await;
}

/// One that keeps what it takes, and answers all with the same.
async fn keeping(status: &'static str, more: &'static str, body: Vec<u8>) -> (String, Kept) {
    let kept = Kept::default();
    let keeps = kept.clone();
    let endpoint = collector(move |request, stream| {
        keeps.0.lock().unwrap().push(request);
        let body = body.clone();
        async move { write(stream, status, more, &body).await }
    })
    .await;
    (endpoint, kept)
}

#[derive(Clone, Default)]
struct Kept(Arc<Mutex<Vec<Request>>>);

impl Kept {
    fn spans(&self) -> usize {
        let requests = self.0.lock().unwrap();
        let traces = requests
            .iter()
            .filter(|one| one.head.contains("/v1/traces"));
        traces
            .map(|one| {
                let request = ExportTraceServiceRequest::decode(&*one.body).unwrap();
                request.resource_spans[0].scope_spans[0].spans.len()
            })
            .sum()
    }
}

#[tokio::test]
async fn a_collector_gets_every_span_and_what_was_counted_at_the_end() {
    let (endpoint, kept) = keeping("200 OK", "", Vec::new()).await;
    let run = Run::to(&endpoint);
    run.give(RUN);
    assert_eq!(run.finish().await, None);
    assert_eq!(kept.spans(), 14);
    let requests = kept.0.lock().unwrap();
    for request in requests.iter() {
        assert!(request.head.contains("authorization: Bearer key"));
        assert!(
            request
                .head
                .contains("content-type: application/x-protobuf")
        );
    }
    let spans = ExportTraceServiceRequest::decode(&*requests[0].body).unwrap();
    let spans = &spans.resource_spans[0].scope_spans[0].spans;
    let run = spans.iter().find(|span| span.name == "invoke_workflow");
    let run = run.unwrap();
    assert_eq!(run.trace_id.len(), 16);
    assert_eq!((run.span_id.len(), run.parent_span_id.len()), (8, 0));
    assert_eq!(run.start_time_unix_nano, 1_000_000);
    assert_eq!(run.end_time_unix_nano, 1_570_000_000);
    let heard = spans.iter().filter(|span| !span.links.is_empty());
    assert_eq!(heard.count(), 3);
    let last = requests.last().unwrap();
    assert!(last.head.starts_with("POST /v1/metrics"));
    let metrics = ExportMetricsServiceRequest::decode(&*last.body).unwrap();
    let metrics = &metrics.resource_metrics[0].scope_metrics[0].metrics;
    assert_eq!(metrics.len(), 7);
}

#[tokio::test]
async fn a_collector_that_is_not_there_costs_the_team_nothing_and_is_said_once() {
    let nobody = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", nobody.local_addr().unwrap());
    drop(nobody);
    let run = Run::to(&endpoint);
    run.give(RUN);
    let told = run.told.clone();
    let last = run.finish().await;
    assert_eq!(
        last,
        Some(format!(
            "14 spans of this run were not sent to {endpoint}: it cannot be reached"
        ))
    );
    assert_eq!(told.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn a_collector_that_never_answers_holds_the_end_up_for_two_seconds_at_most() {
    let endpoint = collector(|_, stream| async move {
        let _open = stream;
        pending::<()>().await;
    })
    .await;
    let run = Run::to(&endpoint);
    run.give(RUN);
    let last = run.finish().await.unwrap();
    assert!(
        last.starts_with("14 spans of this run were not sent"),
        "{last}"
    );
}

#[tokio::test(start_paused = true)]
async fn spans_that_do_not_fit_into_the_queue_are_counted_and_dropped() {
    let run = Run::to("http://127.0.0.1:1");
    for number in 0..10_000 {
        let begun = format!(
            "1 lead tool_started {{\"call\":\"{number}\",\"tool\":\"x\",\"summary\":\"\"}}"
        );
        let ended = format!(
            "2 lead tool_finished {{\"call\":\"{number}\",\"tool\":\"x\",\"ok\":true,\"summary\":\"\",\"took_ms\":1}}"
        );
        for line in [begun, ended] {
            run.events.send(Arc::new(event(&line))).await.unwrap();
        }
    }
    let last = run.finish().await.unwrap();
    // With the turn and the run.
    assert!(last.starts_with("10002 spans"), "{last}");
}

#[tokio::test]
async fn a_collector_that_is_busy_is_asked_again_and_loses_nothing() {
    let tries = Arc::new(Mutex::new(0));
    let kept = Kept::default();
    let (counts, keeps) = (tries.clone(), kept.clone());
    let endpoint = collector(move |request, stream| {
        let is_first = std::mem::replace(&mut *counts.lock().unwrap(), 1) == 0;
        if !is_first {
            keeps.0.lock().unwrap().push(request);
        }
        async move {
            let status = if is_first {
                "503 Service Unavailable"
            } else {
                "200 OK"
            };
            write(stream, status, "", b"").await;
        }
    })
    .await;
    let run = Run::to(&endpoint);
    run.give(RUN);
    let begun = Instant::now();
    while *tries.lock().unwrap() == 0 {
        assert!(begun.elapsed() < HANG);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(run.finish().await, None);
    assert_eq!(kept.spans(), 14);
}

#[tokio::test]
async fn what_a_collector_rejects_or_refuses_is_counted() {
    let partial = ExportTraceServiceResponse {
        partial_success: Some(ExportTracePartialSuccess {
            rejected_spans: 4,
            error_message: "\u{1b}[31mno".to_owned(),
        }),
    };
    let huge = ExportTraceServiceResponse {
        partial_success: Some(ExportTracePartialSuccess {
            rejected_spans: i64::MAX,
            error_message: String::new(),
        }),
    };
    for (status, body, says) in [
        ("200 OK", partial.encode_to_vec(), "4 spans"),
        ("200 OK", huge.encode_to_vec(), "14 spans"),
        ("401 Unauthorized", Vec::new(), "14 spans"),
        ("404 Not Found", b"<html>".to_vec(), "14 spans"),
    ] {
        let (endpoint, _) = keeping(status, "", body).await;
        let run = Run::to(&endpoint);
        run.give(RUN);
        let last = run.finish().await.unwrap();
        assert!(last.starts_with(says) && !last.contains('\u{1b}'), "{last}");
    }
}

#[tokio::test]
async fn a_collector_without_a_place_for_metrics_gets_the_spans_and_is_said() {
    let kept = Kept::default();
    let keeps = kept.clone();
    let endpoint = collector(move |request, stream| {
        let status = match request.head.contains("/v1/metrics") {
            true => "404 Not Found",
            false => "200 OK",
        };
        keeps.0.lock().unwrap().push(request);
        async move { write(stream, status, "", b"").await }
    })
    .await;
    let run = Run::to(&endpoint);
    run.give(RUN);
    assert_eq!(
        run.finish().await,
        Some(format!(
            "The metrics of this run were not sent to {endpoint}: it answered 404 Not Found"
        ))
    );
    assert_eq!(kept.spans(), 14);
}

#[tokio::test]
async fn a_hostile_collector_gets_no_key_by_a_redirect_and_no_memory_by_its_answer() {
    let (thief, stolen) = keeping("200 OK", "", Vec::new()).await;
    let place = thief.clone();
    let endpoint = collector(move |_, stream| {
        let more = format!("location: {place}/v1/traces\r\n");
        async move { write(stream, "307 Temporary Redirect", &more, b"").await }
    })
    .await;
    let run = Run::to(&endpoint);
    run.give(RUN);
    assert!(run.finish().await.unwrap().starts_with("14 spans"));
    assert!(stolen.0.lock().unwrap().is_empty());

    // An answer without an end, and one that is no message.
    let endpoint = collector(|_, mut stream| async move {
        let _ = stream
            .write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n")
            .await;
        while stream.write_all(&[0xff; 4096]).await.is_ok() {}
    })
    .await;
    let run = Run::to(&endpoint);
    run.give(RUN);
    assert_eq!(run.finish().await, None);
}

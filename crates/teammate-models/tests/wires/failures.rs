use std::time::{Duration, Instant};

use teammate_core::{
    model::{ModelFailure, Remedy},
    port::Model,
};
use teammate_models::{Anthropic, Endpoint, OpenAi, Responses, Timeouts};
use teammate_testkit::{Answer, Server};

use crate::{KEY, ask, endpoint, http, request, user_says};

const RETRY: Remedy = Remedy::Retry { after: None };

/// The failure of each wire, with the server's address left out of its words.
async fn failures(answer: Answer) -> [ModelFailure; 3] {
    let server = Server::with_answers([answer.clone(), answer.clone(), answer])
        .await
        .unwrap();
    let models: [Box<dyn Model>; 3] = [
        Box::new(crate::anthropic(&server.url())),
        Box::new(crate::openai(&server.url())),
        Box::new(crate::responses(&server.url())),
    ];
    let mut out = Vec::new();
    for model in models {
        let mut failure = ask(&*model, request(&user_says("hi"))).await.0.unwrap_err();
        assert!(!failure.what.contains(KEY), "{failure}");
        let (before, rest) = failure.what.split_once(" (http://").unwrap();
        let (_, after) = rest.split_once(") ").unwrap();
        failure.what = format!("{before} {after}");
        out.push(failure);
    }
    out.try_into().unwrap()
}

async fn check(answer: Answer, what: &str, remedy: Remedy) {
    for failure in failures(answer).await {
        assert_eq!((failure.what.as_str(), &failure.remedy), (what, &remedy));
    }
}

#[tokio::test]
async fn refusals_say_what_to_do() {
    let long = "prompt is too long: 9 > 8";
    let after = Some(Duration::from_secs(3));
    for (answer, what, remedy) in [
        (
            Answer::error(401, "authentication_error", "invalid x-api-key")
                .header("request-id", "req_1"),
            "test answered 401 authentication_error: invalid x-api-key (request req_1). Check the key in TEST_KEY.",
            Remedy::Never,
        ),
        (
            Answer::error(529, "overloaded_error", "Overloaded")
                .header("request-id", "req_2")
                .header("x-request-id", "req_2"),
            "test answered 529 overloaded_error: Overloaded (request req_2)",
            RETRY,
        ),
        (
            Answer::error(529, "overloaded_error", "Overloaded").header("x-request-id", "req_3"),
            "test answered 529 overloaded_error: Overloaded (request req_3)",
            RETRY,
        ),
        (
            Answer::error(
                401,
                "invalid_request_error",
                "Incorrect API key: sk-very-secret",
            ),
            "test answered 401 invalid_request_error: Incorrect API key: [key]. Check the key in TEST_KEY.",
            Remedy::Never,
        ),
        (
            Answer::error(429, "rate_limit_error", "slower").header("retry-after", "3"),
            "test answered 429 rate_limit_error: slower",
            Remedy::SlowDown { after },
        ),
        (
            Answer::error(529, "overloaded_error", "Overloaded"),
            "test answered 529 overloaded_error: Overloaded",
            RETRY,
        ),
        (
            Answer::error(503, "x", "no").header("x-should-retry", "false"),
            "test answered 503 x: no",
            Remedy::Never,
        ),
        (
            Answer::error(400, "invalid_request_error", long),
            "test answered 400 invalid_request_error: prompt is too long: 9 > 8",
            Remedy::Shorten,
        ),
        (
            Answer::html(502, "Bad\n Gateway"),
            "test answered 502: an HTML page (Bad Gateway)",
            RETRY,
        ),
        (
            Answer::html(200, "Welcome"),
            "test answered with an HTML page (Welcome) where a stream of events was expected. Check the base URL.",
            Remedy::Never,
        ),
        (
            Answer::body(200, "application/json", "{\"ok\":true}"),
            "test answered with {\"ok\":true} where a stream of events was expected. Check the base URL.",
            Remedy::Never,
        ),
        (
            Answer::body(200, "application/json", "{\"error\":\"model not loaded\"}"),
            "test answered 500: model not loaded",
            RETRY,
        ),
        (
            Answer::body(302, "text/plain", "").header("location", "/v2"),
            "test answered 302. The server redirects: set the base URL to where it points.",
            Remedy::Never,
        ),
    ] {
        check(answer, what, remedy).await;
    }
}

#[tokio::test]
async fn a_model_or_path_that_is_not_there_is_named() {
    let answer = Answer::error(404, "not_found_error", "model: x");
    let [first, second, _] = failures(answer).await;
    assert!(
        first
            .what
            .ends_with("Check the model name 'claude' and the base URL."),
        "{first}"
    );
    assert!(
        second
            .what
            .ends_with("Check the model name 'gpt' and the base URL."),
        "{second}"
    );
}

#[tokio::test]
async fn a_long_error_is_cut() {
    let [failure, _, _] = failures(Answer::body(500, "text/plain", "x".repeat(1 << 20))).await;
    assert!(failure.what.len() < 700, "{}", failure.what.len());
}

#[tokio::test]
async fn silence_is_a_failure() {
    for answer in [
        Answer::close_without_answer(),
        Answer::stream("").claim_length_but_end_at(0),
        Answer::text("hello").cut_at(300),
        Answer::stream("data: {}\r\rrubbish").cut_at(5),
    ] {
        for failure in failures(answer).await {
            assert_eq!(failure.remedy, RETRY, "{failure}");
        }
    }
}

#[tokio::test]
async fn an_address_where_nobody_listens_can_be_tried_again() {
    let port = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    };
    let model = crate::openai(&format!("http://127.0.0.1:{port}"));
    let failure = ask(&model, request(&user_says("hi"))).await.0.unwrap_err();
    assert_eq!(failure.remedy, RETRY);
    assert!(failure.what.contains("cannot be reached"), "{failure}");
    assert!(failure.what.contains("refused"), "{failure}");
}

#[tokio::test]
async fn no_progress_is_noticed_whatever_keeps_the_line_alive() {
    let hasty = Timeouts {
        first_event: Duration::from_millis(80),
        gap: Duration::from_millis(80),
    };
    let pings = ": ping\n\nevent: ping\ndata: {\"type\":\"ping\"}\n\n".repeat(3);
    let begun = teammate_testkit::anthropic_stream(&teammate_testkit::reply(
        vec![teammate_core::block::Block::text("hello")],
        teammate_core::model::StopReason::EndTurn,
    ));
    for body in ["", ": hello\n\n", pings.as_str(), begun.as_str()] {
        let stalls = body.len().min(400);
        let server = Server::with_answers([Answer::stream(body).stalled_at(stalls)])
            .await
            .unwrap();
        let model = Anthropic::new(&endpoint(&server.url()), "claude", http(hasty)).unwrap();
        let asked = Instant::now();
        let failure = ask(&model, request(&user_says("hi"))).await.0.unwrap_err();
        assert!(failure.what.contains("made no progress"), "{failure}");
        assert_eq!(failure.remedy, RETRY);
        assert!(asked.elapsed() >= hasty.first_event);
    }
}

#[tokio::test]
async fn base_urls_may_end_anywhere() {
    let server = Server::start(|_| Answer::text("x")).await.unwrap();
    let url = server.url();
    for tail in ["", "/", "/v1", "/v1/", "/v1/messages"] {
        let model = Anthropic::new(
            &endpoint(&format!("{url}{tail}")),
            "m",
            http(crate::PATIENT),
        );
        ask(&model.unwrap(), request(&user_says("hi")))
            .await
            .0
            .unwrap();
    }
    for tail in ["", "/", "/v1", "/v1/", "/v1/chat/completions"] {
        let model = OpenAi::new(
            &endpoint(&format!("{url}{tail}")),
            "m",
            http(crate::PATIENT),
        );
        ask(&model.unwrap(), request(&user_says("hi")))
            .await
            .0
            .unwrap();
    }
    for tail in ["", "/", "/v1", "/v1/", "/v1/responses"] {
        let model = Responses::new(
            &endpoint(&format!("{url}{tail}")),
            "m",
            http(crate::PATIENT),
        );
        ask(&model.unwrap(), request(&user_says("hi")))
            .await
            .0
            .unwrap();
    }
    assert_eq!(server.totals().requests, 15);
}

#[tokio::test]
async fn the_key_goes_where_the_server_looks() {
    let server = Server::start(|_| Answer::text("x")).await.unwrap();
    let official = Endpoint {
        base_url: server.url(),
        headers: vec![
            ("x-team".into(), "red".into()),
            ("anthropic-version".into(), "2026-10-21".into()),
        ],
        ..Endpoint::anthropic(Some(" k1\n".into()))
    };
    let model = Anthropic::new(&official, "m", http(crate::PATIENT)).unwrap();
    ask(&model, request(&user_says("hi"))).await.0.unwrap();
    let model = crate::openai(&server.url());
    ask(&model, request(&user_says("hi"))).await.0.unwrap();
    let seen = server.seen();
    assert_eq!(seen[0].header("x-api-key"), Some("k1"));
    assert_eq!(seen[0].header("anthropic-version"), Some("2026-10-21"));
    assert_eq!(seen[0].header("x-team"), Some("red"));
    assert_eq!(
        seen[1].header("authorization"),
        Some("Bearer sk-very-secret")
    );
    assert_eq!(seen[1].header("x-api-key"), None);
}

//! A local server is asked once how much it takes.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use teammate_core::port::Model as _;
use teammate_models::{Endpoint, ModelFacts, ModelSettings, OpenAi};

use crate::{ask, http, request, user_says};

/// A server that knows these paths, and answers every question to a model; what it was asked.
struct Local {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Local {
    fn knowing(answers: &'static [(&'static str, &'static str)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let log = asked.clone();
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let log = log.clone();
                thread::spawn(move || serve(stream, answers, &log));
            }
        });
        Self { url, asked }
    }
}

fn serve(mut stream: TcpStream, answers: &[(&str, &str)], log: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|read| read > 0) {
        let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
        let mut length = 0;
        loop {
            let mut header = String::new();
            reader.read_line(&mut header).unwrap();
            if header.trim().is_empty() {
                break;
            }
            if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
        }
        reader.read_exact(&mut vec![0; length]).unwrap();
        log.lock().unwrap().push(path.clone());
        let known = answers.iter().find(|(known, _)| *known == path);
        let (status, kind, body) = match known {
            Some((_, body)) => ("200 OK", "application/json", (*body).to_owned()),
            None if path.ends_with("/chat/completions") => {
                let chunk = r#"{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}"#;
                let stream = format!("data: {chunk}\n\ndata: [DONE]\n\n");
                ("200 OK", "text/event-stream", stream)
            }
            None => ("404 Not Found", "text/plain", String::new()),
        };
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        line.clear();
    }
}

fn model(url: &str, name: &str, settings: ModelSettings) -> OpenAi {
    OpenAi::new(&Endpoint::at("local", url), name, http(crate::PATIENT))
        .unwrap()
        .with_settings(settings)
}

/// What a server answers by path, the model that is asked, the context that is found.
type Case = (
    &'static [(&'static str, &'static str)],
    &'static str,
    Option<u64>,
);

#[tokio::test]
async fn each_kind_of_server_says_it_in_its_own_place() {
    let cases: [Case; 6] = [
        (
            &[(
                "/props",
                r#"{"default_generation_settings":{"n_ctx":8192}}"#,
            )],
            "m",
            Some(8_192),
        ),
        (
            &[(
                "/v1/models",
                r#"{"data":[{"id":"other","max_model_len":1},{"id":"m","max_model_len":32768}]}"#,
            )],
            "m",
            Some(32_768),
        ),
        (
            &[
                ("/v1/models", r#"{"data":[{"id":"q:7b"}]}"#),
                (
                    "/api/ps",
                    r#"{"models":[{"name":"q:7b","context_length":16384}]}"#,
                ),
            ],
            "q:7b",
            Some(16_384),
        ),
        (
            &[
                ("/api/ps", r#"{"models":[]}"#),
                (
                    "/api/show",
                    r#"{"parameters":"stop \"x\"\nnum_ctx    4096\n"}"#,
                ),
            ],
            "q:7b",
            Some(4_096),
        ),
        (
            &[("/api/ps", r#"{"models":[]}"#), ("/api/show", "{}")],
            "q:7b",
            None,
        ),
        (&[("/props", "no JSON")], "m", None),
    ];
    for (answers, name, expected) in cases {
        let local = Local::knowing(Box::leak(answers.to_vec().into_boxed_slice()));
        let model = model(&local.url, name, ModelSettings::default());
        assert_eq!(model.profile().context_tokens, None);
        ask(&model, request(&user_says("hi"))).await.0.unwrap();
        assert_eq!(model.profile().context_tokens, expected, "{answers:?}");
        let before = local.asked.lock().unwrap().len();
        ask(&model, request(&user_says("hi"))).await.0.unwrap();
        assert_eq!(local.asked.lock().unwrap().len(), before + 1, "asked once");
    }
}

#[tokio::test]
async fn what_the_server_gives_counts_before_the_catalogue_and_not_before_the_user() {
    let answers = &[(
        "/props",
        r#"{"default_generation_settings":{"n_ctx":8192}}"#,
    )];
    let settings = |is_context_set| ModelSettings {
        facts: ModelFacts {
            context_tokens: Some(131_072),
            ..ModelFacts::default()
        },
        is_context_set,
        ..ModelSettings::default()
    };
    for (is_set, expected, questions) in [(false, 8_192, true), (true, 131_072, false)] {
        let local = Local::knowing(answers);
        let model = model(&local.url, "gpt-oss:20b", settings(is_set));
        ask(&model, request(&user_says("hi"))).await.0.unwrap();
        assert_eq!(model.profile().context_tokens, Some(expected));
        let asked = local.asked.lock().unwrap().clone();
        assert_eq!(asked.contains(&"/props".to_owned()), questions, "{asked:?}");
    }
}

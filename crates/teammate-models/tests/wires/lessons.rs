//! What one program learnt of a server, and how the next one asks.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{model::Remedy, port::Model};
use teammate_models::{LessonStore, Lessons, ModelSettings, OpenAi};
use teammate_testkit::{Answer, RecordedRequest, Server};

use crate::{ask, request, user_says};

/// What programs that follow each other share.
#[derive(Debug, Default)]
struct Shelf(Mutex<Lessons>);

impl LessonStore for Shelf {
    fn known(&self) -> Lessons {
        self.0.lock().unwrap().clone()
    }

    fn keep(&self, lessons: &Lessons) {
        self.0.lock().unwrap().add(lessons);
    }

    fn replace(&self, lessons: &Lessons) {
        *self.0.lock().unwrap() = lessons.clone();
    }
}

fn kept(words: &[&str]) -> Lessons {
    Lessons {
        refused: words.iter().map(|word| (*word).to_owned()).collect(),
        ..Lessons::default()
    }
}

/// A program that begins, on this shelf.
fn program(server: &Server, shelf: &Arc<Shelf>) -> OpenAi {
    crate::openai(&server.url()).with_lessons(shelf.clone())
}

/// A server that refuses what this function says.
async fn strict(
    refusal: impl Fn(&RecordedRequest) -> Option<&'static str> + Send + 'static,
) -> Server {
    let answers = move |seen: &RecordedRequest| match refusal(seen) {
        Some(words) => Answer::error(400, "invalid_request_error", words),
        None => Answer::text("fine"),
    };
    Server::start(answers).await.unwrap()
}

const NO_STREAM_OPTIONS: &str = "Unrecognized request argument supplied: stream_options";

fn refuses_stream_options(seen: &RecordedRequest) -> Option<&'static str> {
    seen.body
        .contains("stream_options")
        .then_some(NO_STREAM_OPTIONS)
}

/// How many requests a short question takes.
async fn tries(server: &Server, model: &dyn Model) -> usize {
    let before = server.seen().len();
    let reply = ask(model, request(&user_says("hi"))).await.0;
    assert_eq!(reply.unwrap().text(), "fine");
    server.seen().len() - before
}

#[tokio::test]
async fn the_next_program_asks_right_at_once() {
    let shelf = Arc::default();
    let server = strict(refuses_stream_options).await;
    assert_eq!(tries(&server, &program(&server, &shelf)).await, 2);
    assert_eq!(shelf.known(), kept(&["stream_options"]));
    assert_eq!(tries(&server, &program(&server, &shelf)).await, 1);
}

#[tokio::test]
async fn what_does_not_hold_any_more_is_given_up() {
    let shelf = Arc::<Shelf>::default();
    shelf.keep(&kept(&["limit_name", "stream_options"]));
    // It wants the first name again.
    let server = strict(|seen| {
        let is_other = seen.body.contains("max_completion_tokens");
        is_other
            .then_some("Unsupported parameter: 'max_completion_tokens'. Use 'max_tokens' instead.")
    })
    .await;
    assert_eq!(tries(&server, &program(&server, &shelf)).await, 2);
    assert_eq!(shelf.known(), Lessons::default());
    assert_eq!(tries(&server, &program(&server, &shelf)).await, 1);
    assert!(server.seen()[2].json()["max_tokens"].is_u64());
}

#[tokio::test]
async fn a_refusal_for_another_reason_forgets_nothing() {
    let shelf = Arc::<Shelf>::default();
    shelf.keep(&kept(&["stream_options"]));
    for (status, words) in [
        (401, "Incorrect API key provided"),
        (400, "Your credit balance is too low"),
        (400, "Invalid model: x"),
    ] {
        let answers = move |_: &RecordedRequest| Answer::error(status, "error", words);
        let server = Server::start(answers).await.unwrap();
        let (answer, _) = ask(&program(&server, &shelf), request(&user_says("hi"))).await;
        assert_eq!(answer.unwrap_err().remedy, Remedy::Never, "{words}");
        assert_eq!(server.seen().len(), 1, "{words}");
        assert_eq!(shelf.known(), kept(&["stream_options"]), "{words}");
    }
}

#[tokio::test]
async fn what_another_start_of_the_server_may_bring_is_not_kept() {
    let shelf = Arc::default();
    let server = strict(|seen| {
        let has_tools = seen.json()["tools"].is_array();
        has_tools.then_some("\"auto\" tool choice requires --enable-auto-tool-choice")
    })
    .await;
    assert_eq!(tries(&server, &program(&server, &shelf)).await, 2);
    assert_eq!(shelf.known(), Lessons::default());
    // Nor what hangs on the account's credit.
    let server = strict(|seen| {
        let is_dear = seen.json()["max_tokens"].as_u64() > Some(600);
        is_dear.then_some("You requested up to 1000 tokens, but can only afford 600")
    })
    .await;
    assert_eq!(tries(&server, &program(&server, &shelf)).await, 2);
    assert_eq!(shelf.known(), Lessons::default());
}

#[tokio::test]
async fn a_context_is_kept_unless_the_user_or_the_server_says_another() {
    let shelf = Arc::<Shelf>::default();
    let server = strict(|_| Some("This model's maximum context length is 8192 tokens.")).await;
    let model = program(&server, &shelf);
    let (answer, _) = ask(&model, request(&user_says("hi"))).await;
    assert_eq!(answer.unwrap_err().remedy, Remedy::Shorten);
    assert_eq!(shelf.known().context_tokens, Some(8_192));
    assert_eq!(
        program(&server, &shelf).profile().context_tokens,
        Some(8_192)
    );
    let mut settings = ModelSettings {
        is_context_set: true,
        ..ModelSettings::default()
    };
    settings.facts.context_tokens = Some(32_000);
    let model = crate::openai(&server.url())
        .with_settings(settings)
        .with_lessons(shelf.clone());
    assert_eq!(model.profile().context_tokens, Some(32_000));
    // A server that was started anew with more.
    let server = Server::for_others(|seen| match seen.path.ends_with("/models") {
        true => Answer::body(
            200,
            "application/json",
            r#"{"data":[{"id":"gpt","max_model_len":16384}]}"#,
        ),
        false => Answer::text("fine"),
    })
    .await
    .unwrap();
    let model = program(&server, &shelf);
    ask(&model, request(&user_says("hi"))).await.0.unwrap();
    assert_eq!(model.profile().context_tokens, Some(16_384));
}

#[tokio::test]
async fn requests_that_are_refused_together_are_all_answered() {
    let server = Server::start(|seen| match refuses_stream_options(seen) {
        // Both are on their way before the first one is refused.
        Some(words) => {
            Answer::error(400, "invalid_request_error", words).after(Duration::from_millis(300))
        }
        None => Answer::text("fine"),
    })
    .await
    .unwrap();
    let model = crate::openai(&server.url());
    let asked = || ask(&model, request(&user_says("hi")));
    let (one, other) = tokio::join!(asked(), asked());
    assert_eq!(one.0.unwrap().text(), "fine");
    assert_eq!(other.0.unwrap().text(), "fine");
}

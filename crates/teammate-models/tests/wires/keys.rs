//! Keys that a source gives: one that is refused is asked for anew, once, and the request is made again.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use secrecy::SecretString;
use teammate_core::{model::Remedy, port::BoxFuture};
use teammate_models::{Anthropic, Auth, Endpoint, KeySource, OpenAi, RenewableKey};
use teammate_testkit::{Answer, RecordedRequest, Server};

use crate::{PATIENT, ask, http, request, user_says};

/// Gives these, one after the other.
#[derive(Debug)]
struct Given(Mutex<Vec<Result<String, String>>>);

impl KeySource for Given {
    fn obtain(&self) -> BoxFuture<'_, Result<SecretString, String>> {
        let next = self.0.lock().unwrap().remove(0);
        Box::pin(async { next.map(Into::into) })
    }
}

fn endpoint(url: &str, keys: &[&str]) -> Endpoint {
    let given = keys.iter().map(|key| match key.strip_prefix("fails: ") {
        Some(why) => Err(why.to_owned()),
        None => Ok((*key).to_owned()),
    });
    let source = Arc::new(Given(Mutex::new(given.collect())));
    let key = Arc::new(RenewableKey::new(source, None));
    Endpoint::at("work", url).with_renewable_key(key, "key_command")
}

fn key_of(seen: &RecordedRequest) -> &str {
    let bearer = seen.header("authorization").unwrap_or_default();
    bearer.trim_start_matches("Bearer ")
}

/// Accepts one key only, and refuses others with this answer.
async fn accepting(good: &'static str, refusal: Answer) -> Server {
    let answer = move |seen: &RecordedRequest| match key_of(seen) {
        key if key == good => Answer::text("hello"),
        _ => refusal.clone(),
    };
    Server::start(answer).await.unwrap()
}

fn unauthorized() -> Answer {
    Answer::error(401, "authentication_error", "bad key key-old, no")
}

#[tokio::test]
async fn a_refused_key_is_asked_for_anew_once_and_the_same_request_is_made_again() {
    let expired = Answer::error(
        403,
        "ExpiredTokenException",
        "The security token has expired",
    );
    for refusal in [unauthorized(), expired] {
        let server = accepting("key-new", refusal).await;
        let endpoint = endpoint(&server.url(), &["key-old", "key-new"]);
        let model = OpenAi::new(&endpoint, "m", http(PATIENT)).unwrap();
        for _ in 0..2 {
            ask(&model, request(&user_says("hi"))).await.0.unwrap();
        }
        let seen = server.seen();
        let keys: Vec<&str> = seen.iter().map(key_of).collect();
        assert_eq!(keys, ["key-old", "key-new", "key-new"]);
        assert_eq!(seen[0].body, seen[1].body);
    }
}

#[tokio::test]
async fn the_same_key_again_or_another_that_is_refused_is_final() {
    for (keys, hint, requests) in [
        (
            ["key-old", "key-old"],
            "Asked again, key_command gave the same key: check it.",
            1,
        ),
        (
            ["key-old", "key-odd"],
            "Asked again, key_command gave another key, which was refused, too: check it.",
            2,
        ),
    ] {
        let server = accepting("key-new", unauthorized()).await;
        let model = OpenAi::new(&endpoint(&server.url(), &keys), "m", http(PATIENT)).unwrap();
        let failure = ask(&model, request(&user_says("hi"))).await.0.unwrap_err();
        assert!(failure.what.ends_with(hint), "{failure}");
        assert!(failure.what.contains("bad key [key], no"), "{failure}");
        assert_eq!(failure.remedy, Remedy::Never);
        assert_eq!(server.totals().requests, requests);
    }
}

#[tokio::test]
async fn what_is_no_matter_of_the_key_asks_for_none() {
    for (status, kind) in [(403, "permission_error"), (400, "token_expired")] {
        let server = accepting("key-new", Answer::error(status, kind, "no")).await;
        let model = OpenAi::new(&endpoint(&server.url(), &["key-old"]), "m", http(PATIENT));
        let failure = ask(&model.unwrap(), request(&user_says("hi"))).await.0;
        assert_eq!(failure.unwrap_err().remedy, Remedy::Never);
        assert_eq!(server.totals().requests, 1);
    }
}

#[tokio::test]
async fn a_key_that_is_known_from_the_start_is_not_tried_twice() {
    let server = accepting("key-new", unauthorized()).await;
    let model = crate::openai(&server.url());
    ask(&model, request(&user_says("hi"))).await.0.unwrap_err();
    assert_eq!(server.totals().requests, 1);
}

#[tokio::test]
async fn without_a_key_nothing_is_sent() {
    let server = accepting("key-new", unauthorized()).await;
    for (keys, says) in [
        (
            ["fails: ended with 1: locked"],
            "work: key_command ended with 1: locked",
        ),
        (
            ["key\u{7}"],
            "work: the key in key_command has characters that no key has",
        ),
    ] {
        let model = OpenAi::new(&endpoint(&server.url(), &keys), "m", http(PATIENT)).unwrap();
        let failure = ask(&model, request(&user_says("hi"))).await.0.unwrap_err();
        assert_eq!(
            (failure.what.as_str(), failure.remedy),
            (says, Remedy::Never)
        );
    }
    assert_eq!(server.totals().requests, 0);
}

#[tokio::test]
async fn members_that_are_refused_at_once_get_one_new_key() {
    let obtained = Arc::new(AtomicUsize::new(0));
    #[derive(Debug)]
    struct Counting(Arc<AtomicUsize>);
    impl KeySource for Counting {
        fn obtain(&self) -> BoxFuture<'_, Result<SecretString, String>> {
            let at = self.0.fetch_add(1, Ordering::SeqCst);
            Box::pin(async move { Ok(format!("key-{at}").into()) })
        }
    }
    let server = accepting("key-1", unauthorized()).await;
    let key = Arc::new(RenewableKey::new(
        Arc::new(Counting(obtained.clone())),
        None,
    ));
    let endpoint = Endpoint::at("work", &server.url()).with_renewable_key(key, "key_command");
    // Each member may have another model of the provider.
    let asking: Vec<_> = (0..4)
        .map(|at| {
            let model = OpenAi::new(&endpoint, &format!("m{at}"), http(PATIENT)).unwrap();
            tokio::spawn(async move { ask(&model, request(&user_says("hi"))).await.0 })
        })
        .collect();
    for answer in asking {
        answer.await.unwrap().unwrap();
    }
    assert_eq!(obtained.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn a_new_key_changes_neither_the_header_nor_the_rate_limit_that_is_shared() {
    let seen_key = |seen: &RecordedRequest| seen.header("x-api-key").map(str::to_owned);
    let server = Server::start(move |seen| match seen_key(seen).as_deref() {
        Some("key-new") => Answer::text("hello"),
        _ => unauthorized(),
    })
    .await
    .unwrap();
    let endpoint = Endpoint {
        auth: Auth::ApiKey,
        headers: vec![("x-api-key".to_owned(), "of the user".to_owned())],
        ..endpoint(&server.url(), &["key-old", "key-new"])
    };
    let model = Anthropic::new(&endpoint, "m", http(PATIENT)).unwrap();
    let before = teammate_core::port::Model::rate_limit_key(&model).to_owned();
    ask(&model, request(&user_says("hi"))).await.0.unwrap();
    assert_eq!(teammate_core::port::Model::rate_limit_key(&model), before);
    let other = Anthropic::new(&endpoint, "other", http(PATIENT)).unwrap();
    assert_eq!(teammate_core::port::Model::rate_limit_key(&other), before);
    for seen in server.seen() {
        let keys = seen.headers.iter().filter(|(name, _)| name == "x-api-key");
        assert_eq!(keys.count(), 1, "{:?}", seen.headers);
    }
}

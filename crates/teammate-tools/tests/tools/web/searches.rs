//! Search services: each is asked as its documentation says, and its answer read. The samples in `answers` have the documented
//! form.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use secrecy::SecretString;
use serde_json::{Value, json};
use teammate_core::port::{ConnectVerdict, Reach};
use teammate_process::TeamSandbox;
use teammate_sandbox::{NetworkRule, SandboxRules};
use teammate_testkit::serve_answers;
use teammate_tools::{
    ToolCatalogue,
    web::{SearchApi, SearchError, SearchKey, SearchSettings},
};

use super::{answer, bench};
use crate::support::{Bench, sandbox_in};

const KEY: &str = "key-0123456789";

/// A service of this machine.
struct Service {
    bench: Bench,
    port: u16,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Service {
    fn new(settings: SearchSettings, network: NetworkRule, said: Vec<Vec<u8>>) -> Self {
        let heard = Arc::<Mutex<Vec<String>>>::default();
        let (hears, next) = (heard.clone(), AtomicUsize::new(0));
        let port = serve_answers(move |request| {
            hears.lock().unwrap().push(request.to_owned());
            said[next.fetch_add(1, Ordering::SeqCst).min(said.len() - 1)].clone()
        })
        .unwrap();
        let mut bench = bench(network);
        let url = settings.url.as_deref().unwrap_or("/");
        let settings = SearchSettings {
            url: Some(format!("http://localhost:{port}{url}")),
            ..settings
        };
        let rules = SandboxRules {
            network,
            ..SandboxRules::default()
        };
        let sandbox: TeamSandbox = sandbox_in(&bench.root, rules);
        let catalogue = ToolCatalogue::with_sandbox(sandbox.clone());
        bench.catalogue = catalogue.with_web_search(settings, sandbox).unwrap();
        let mut hosts = bench.team.hosts.lock().unwrap();
        let anywhere = ConnectVerdict::Allowed(Reach::Anywhere);
        hosts.insert(format!("localhost:{port}"), anywhere);
        drop(hosts);
        Self { bench, port, heard }
    }

    fn answering(api: SearchApi, body: &str) -> Self {
        Self::new(
            settings(api),
            NetworkRule::Ask,
            vec![answer("200 OK", body)],
        )
    }

    async fn finds(&self, query: &str) -> String {
        self.bench.ok("web_search", json!({ "query": query })).await
    }

    async fn fails(&self) -> String {
        let input = json!({ "query": "x" });
        let text = self.bench.error("web_search", input).await;
        text.replace(&self.port.to_string(), "PORT")
    }

    /// The head of the last request without what all have, and its body.
    fn heard(&self) -> (String, Value) {
        let heard = self.heard.lock().unwrap().pop().unwrap();
        let (head, body) = heard.split_once("\r\n\r\n").unwrap();
        let is_own = |line: &&str| {
            let usual = [
                "host:",
                "user-agent:",
                "accept-encoding:",
                "connection:",
                "content-length:",
            ];
            !usual.iter().any(|name| line.starts_with(name))
        };
        let own: Vec<&str> = head.lines().filter(is_own).collect();
        (
            own.join("\n"),
            serde_json::from_str(body).unwrap_or_default(),
        )
    }
}

fn settings(api: SearchApi) -> SearchSettings {
    SearchSettings {
        api,
        url: None,
        key: Some(SearchKey::fixed("THE_KEY", SecretString::from(KEY))),
    }
}

const SHOWN: &str = "\
<fetched from=\"a search for rust async book\">
1. Getting Started - Asynchronous Programming in Rust DATE
   https://rust-lang.github.io/async-book/
   Welcome to Asynchronous Programming in Rust! If you're looking to start writing asynchronous Rust code, you've come to the right place.
</fetched>";

#[tokio::test]
async fn each_service_is_asked_as_it_is_documented_and_its_answer_read() {
    let sample = |name: &str| {
        let path = format!(
            "{}/tests/tools/web/answers/{name}.json",
            env!("CARGO_MANIFEST_DIR")
        );
        std::fs::read_to_string(path).unwrap()
    };
    let post = |header: &str| {
        format!(
            "POST / HTTP/1.1\ncontent-type: application/json\naccept: application/json\n{header}"
        )
    };
    let get = |target: &str| format!("GET {target} HTTP/1.1\naccept: application/json\n");
    let query = "rust async book";
    for (api, name, date, request, body) in [
        (
            SearchApi::Brave,
            "brave",
            " (March 4, 2026)",
            get("/?q=rust+async+book&count=10&text_decorations=false")
                + "x-subscription-token: key-0123456789",
            Value::Null,
        ),
        (
            SearchApi::Tavily,
            "tavily",
            "",
            post("authorization: Bearer key-0123456789"),
            json!({ "query": query, "max_results": 10 }),
        ),
        (
            SearchApi::Exa,
            "exa",
            " (2026-03-04T10:12:00.000Z)",
            post("x-api-key: key-0123456789"),
            json!({ "query": query, "numResults": 10, "contents": { "highlights": true } }),
        ),
        (
            SearchApi::Serper,
            "serper",
            " (Mar 4, 2026)",
            post("x-api-key: key-0123456789"),
            json!({ "q": query, "num": 10 }),
        ),
        (
            SearchApi::Searxng,
            "searxng",
            "",
            get("/search?q=rust+async+book&format=json") + "authorization: Bearer key-0123456789",
            Value::Null,
        ),
    ] {
        let service = Service::answering(api, &sample(name));
        let shown = service.finds(query).await.replace(" ... If", " If");
        assert_eq!(shown, SHOWN.replace(" DATE", date), "{name}");
        assert_eq!(service.heard(), (request, body), "{name}");
        let asked = format!("takes localhost:{} for {query}", service.port);
        assert_eq!(service.bench.team.asked(), asked);
        let none = service.bench.context.secrets.redact(KEY).into_owned();
        assert_eq!(none, "[secret THE_KEY]");
    }
}

#[tokio::test]
async fn nothing_found_is_no_failure_and_a_failure_says_what_it_is() {
    for (api, body) in [
        (SearchApi::Brave, "{\"type\":\"search\",\"query\":{}}"),
        (SearchApi::Tavily, "{\"results\":[]}"),
        (SearchApi::Serper, "{\"organic\":[]}"),
    ] {
        let found = Service::answering(api, body).finds("x").await;
        assert_eq!(found, "Nothing was found; try other words.");
    }
    for (head, body, why) in [
        (
            "200 OK",
            "<html>",
            "localhost answers something that is no list of results",
        ),
        (
            "200 OK",
            "{\"error\":1}",
            "localhost answers something that is no list of results",
        ),
        (
            "401 Unauthorized",
            "",
            "localhost refuses the key (401 Unauthorized)",
        ),
        ("429 Slow", "", "localhost has been asked too often for now"),
        (
            "302 Found\r\nLocation: http://other.example/",
            "",
            "localhost answers 302 Found",
        ),
    ] {
        let said = vec![answer(head, body)];
        let service = Service::new(settings(SearchApi::Tavily), NetworkRule::Ask, said);
        assert_eq!(
            service.fails().await,
            format!("Nothing was found out: {why}.")
        );
    }
}

#[tokio::test]
async fn a_key_that_is_refused_is_asked_for_anew_once() {
    let times = Arc::new(AtomicUsize::new(0));
    let counted = times.clone();
    let key = SearchKey::new("THE_KEY", move || {
        let number = counted.fetch_add(1, Ordering::SeqCst).min(1);
        let key = SecretString::from(format!("number-{number}-of-the-keys"));
        Box::pin(std::future::ready(Ok(key)))
    });
    let settings = SearchSettings {
        key: Some(key),
        ..settings(SearchApi::Tavily)
    };
    let (no, yes) = (answer("401 No", ""), answer("200 OK", "{\"results\":[]}"));
    let said = vec![no.clone(), yes.clone(), yes, no];
    let service = Service::new(settings, NetworkRule::Ask, said);
    service.finds("x").await;
    assert!(service.heard().0.contains("Bearer number-1-"));
    service.finds("x").await;
    assert_eq!(times.load(Ordering::SeqCst), 2);
    // The source has no other.
    assert!(service.fails().await.contains("refuses the key"));
    assert_eq!(times.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn nothing_is_searched_where_rules_or_the_setting_forbid_it() {
    let said = || vec![answer("200 OK", "{\"results\":[]}")];
    let nowhere = Service::new(settings(SearchApi::Tavily), NetworkRule::Nowhere, said());
    assert_eq!(
        nowhere.fails().await,
        "Not searched: the user lets nothing connect: [sandbox] network = \"none\"."
    );
    let denied = Service::new(settings(SearchApi::Tavily), NetworkRule::Ask, said());
    denied.bench.team.hosts.lock().unwrap().clear();
    assert_eq!(denied.fails().await, "Not searched: a test forbids it.");
    for service in [nowhere, denied] {
        assert_eq!(service.heard.lock().unwrap().len(), 0);
    }
}

#[test]
fn what_is_missing_to_ask_a_service_is_said_before() {
    let with = |api, url: Option<&str>, key: bool| {
        let url = url.map(str::to_owned);
        let key = key.then(|| SearchKey::fixed("K", SecretString::from(KEY)));
        SearchSettings { api, url, key }.check()
    };
    assert_eq!(with(SearchApi::Brave, None, true), Ok(()));
    assert_eq!(with(SearchApi::Brave, None, false), Err(SearchError::NoKey));
    assert_eq!(
        with(SearchApi::Searxng, Some("https://s.example"), false),
        Ok(())
    );
    assert_eq!(
        with(SearchApi::Searxng, None, true),
        Err(SearchError::NoUrl)
    );
    let address = with(SearchApi::Searxng, Some("http://127.0.0.1:8080"), false);
    assert!(matches!(address, Err(SearchError::Url(why)) if why.contains("no server's name")));
}

//! What commands reach over the network.

use std::sync::{Arc, Mutex};

use teammate_core::permission::Destination;
use teammate_sandbox::{Judge, Network, Networks, Verdict};

use crate::place::{Place, Said};

/// Refuses all, and remembers what was asked for.
#[derive(Default)]
struct Refusing(Mutex<Vec<String>>);

impl Judge for Refusing {
    fn judge<'a>(&'a self, to: &'a Destination) -> Verdict<'a> {
        self.0.lock().unwrap().push(to.to_string());
        Box::pin(async { Err("not allowed here".to_owned()) })
    }

    fn failed(&self, _: &Destination, _: &str) {}
}

/// Judges as nobody may connect anywhere.
pub(crate) fn nobody() -> Arc<dyn Judge> {
    Arc::new(Refusing::default())
}

struct Online {
    place: Place,
    networks: Arc<Networks>,
    judge: Arc<Refusing>,
}

impl Online {
    fn new() -> Self {
        let place = Place::new();
        let networks = Arc::new(place.helper.networks().unwrap());
        Self {
            place,
            networks,
            judge: Arc::default(),
        }
    }

    async fn run(&self, script: &str) -> Said {
        let network = self.networks.take(self.judge.clone()).unwrap();
        let mut order = self.place.order(script);
        order.environment.extend(Network::environment());
        self.place.try_run(&order, Some(network)).await.unwrap()
    }

    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.judge.0.lock().unwrap())
    }
}

#[tokio::test]
async fn who_asks_by_name_is_refused_with_a_word_and_the_name_is_known() {
    let online = Online::new();
    for (script, asked, word) in [
        (
            "curl -sS http://example.com/",
            "example.com:80",
            "not allowed here",
        ),
        ("curl -sS https://crates.io/", "crates.io:443", "403"),
        (
            "curl -sS --noproxy '*' https://pypi.org/",
            "pypi.org:443",
            "denied",
        ),
        (
            "curl -sS --noproxy '*' http://pypi.org/",
            "pypi.org:80",
            "not allowed here",
        ),
        (
            "curl -sS --socks5-hostname 127.0.0.1:3128 http://a.example/",
            "a.example:80",
            "SOCKS",
        ),
    ] {
        let said = online.run(script).await;
        assert!(said.text.contains(word), "{script}: {said:?}");
        assert_eq!(online.asked(), [asked], "{script}");
    }
}

#[tokio::test]
async fn no_variable_names_socks() {
    let said = Online::new().run("env | grep -i _proxy=").await;
    assert!(said.text.contains("ALL_PROXY=http://"), "{said:?}");
    assert!(!said.text.contains("socks"), "{said:?}");
}

#[tokio::test]
async fn the_loopback_is_the_commands_own() {
    let online = Online::new();
    let outside = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = outside.local_addr().unwrap().port();
    let said = online
        .run(&format!("exec 3<>/dev/tcp/127.0.0.1/{port} && echo open"))
        .await;
    assert_ne!(said.text.trim(), "open", "{said:?}");
    let server = "python3 -m http.server -b 127.0.0.1 8000 >/dev/null 2>&1 & \
                  for i in $(seq 100); do curl -s http://127.0.0.1:8000/src/ >/dev/null && break; sleep 0.1; done; \
                  curl -s http://127.0.0.1:8000/src/main.c";
    assert_eq!(online.run(server).await.text, "int main() {}\n");
    assert_eq!(online.asked(), [""; 0]);
}

#[tokio::test]
async fn a_network_is_used_again_and_holds_nothing_of_the_last_command() {
    let online = Online::new();
    for _ in 0..50 {
        let said = online
            .run("exec 3<>/dev/tcp/127.0.0.1/3128 && cat /proc/net/tcp | wc -l")
            .await;
        assert_eq!(said.code, Some(0), "{said:?}");
    }
}

//! A page of one team that counts what it is asked, and connections to it.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use teammate_core::{Timestamp, port::BoxFuture};
use teammate_view::{Door, Fact, TeamView, Verb, VerbAnswer, VerbResult};
use teammate_web::{KeyFile, KeyScope, OpenTeam, TeamFacts, TeamLine, Teams, WebServer};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};

use crate::few_words::FewWords;

/// The id of the team.
pub(crate) const TEAM: &str = "a";

/// What was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Taken {
    /// How often somebody got the list of teams.
    pub(crate) lists: usize,
    /// How often something was done.
    pub(crate) verbs: usize,
}

#[derive(Default)]
struct Counted {
    lists: AtomicUsize,
    verbs: AtomicUsize,
}

impl Door for Counted {
    fn ask(&self, verb: Verb) -> BoxFuture<'_, VerbResult> {
        if let Verb::Answer { request, .. } = verb {
            let why = format!("there is no request {request}");
            return Box::pin(async { Err(why.into()) });
        }
        self.verbs.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { Ok(VerbAnswer::Lines(Vec::new())) })
    }

    fn history(&self) -> BoxFuture<'_, Result<Vec<Fact>, String>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}

struct OneTeam(Arc<Counted>);

impl Teams for OneTeam {
    fn list(&self) -> BoxFuture<'_, Vec<TeamLine>> {
        self.0.lists.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { Vec::new() })
    }

    fn open<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<OpenTeam, String>> {
        let door = self.0.clone();
        Box::pin(async move {
            if id != TEAM {
                return Err("there is no such team".to_owned());
            }
            let (_, next) = mpsc::channel(1);
            Ok(OpenTeam {
                door,
                words: Arc::new(FewWords),
                facts: TeamFacts::default(),
                first: TeamView::default(),
                next,
                pump: tokio::spawn(std::future::pending::<()>()).abort_handle(),
            })
        })
    }

    fn changes(&self) -> tokio::sync::watch::Receiver<u64> {
        tokio::sync::watch::channel(0).1
    }

    fn now(&self) -> Timestamp {
        Timestamp(1_000)
    }
}

pub(crate) struct Target {
    pub(crate) port: u16,
    pub(crate) keys: KeyFile,
    /// One that may do everything.
    pub(crate) own: String,
    /// One of the page that was at this place before.
    pub(crate) earlier: String,
    counted: Arc<Counted>,
    _dir: TempDir,
}

impl Target {
    pub(crate) async fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let file = dir.path().join("7.json");
        let begin = || KeyFile::begin(&file, "x").unwrap();
        let make = |keys: &KeyFile| {
            keys.make((KeyScope::Steer, None), Timestamp(0), None)
                .unwrap()
        };
        let earlier = make(&begin()).reveal().to_owned();
        let keys = begin();
        let own = make(&keys).reveal().to_owned();
        let counted = Arc::new(Counted::default());
        let teams = Arc::new(OneTeam(counted.clone()));
        let server = WebServer::new(listener, teams, keys.clone(), None).unwrap();
        tokio::spawn(server.serve(std::future::pending()));
        Self {
            port,
            keys,
            own,
            earlier,
            counted,
            _dir: dir,
        }
    }

    pub(crate) fn taken(&self) -> Taken {
        Taken {
            lists: self.counted.lists.load(Ordering::SeqCst),
            verbs: self.counted.verbs.load(Ordering::SeqCst),
        }
    }

    /// The header that names this server.
    pub(crate) fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\n", self.port)
    }

    /// The header with its own key.
    pub(crate) fn key(&self) -> String {
        format!("Authorization: Bearer {}\r\n", self.own)
    }

    /// A look with everything that is needed, and this besides.
    pub(crate) fn get(&self, path: &str, more: &str) -> Vec<u8> {
        let (host, key) = (self.host(), self.key());
        format!("GET {path} HTTP/1.1\r\n{host}{key}{more}\r\n").into()
    }

    /// A look without a key.
    pub(crate) fn open(&self, path: &str) -> Vec<u8> {
        format!("GET {path} HTTP/1.1\r\n{}\r\n", self.host()).into()
    }

    /// A word to the lead, as the page sends it.
    pub(crate) fn say(&self, key: &str) -> Vec<u8> {
        self.post(
            "say",
            &format!("{}{JSON}", self.key()),
            good(key).as_bytes(),
        )
    }

    /// A verb with these headers.
    pub(crate) fn post(&self, verb: &str, head: &str, body: &[u8]) -> Vec<u8> {
        let (host, length) = (self.host(), body.len());
        let head =
            format!("POST /v/{verb} HTTP/1.1\r\n{host}{head}Content-Length: {length}\r\n\r\n");
        [head.as_bytes(), body].concat()
    }

    /// How a request is answered; 0 if it is not.
    pub(crate) async fn status(&self, request: &[u8]) -> u16 {
        let connection = self.connect();
        connection.drip(request.to_vec(), None).await
    }

    pub(crate) fn connect(&self) -> Connection {
        Connection(self.port)
    }
}

/// Says what a body is.
pub(crate) const JSON: &str = "Content-Type: application/json\r\n";

/// A body with nothing wrong in it.
pub(crate) fn good(key: &str) -> String {
    format!(r#"{{"team":"{TEAM}","key":"{key}","text":"hello"}}"#)
}

/// A connection that is made when something is to be said.
pub(crate) struct Connection(u16);

impl Connection {
    /// Says this at once, then again and again a little if there is something, until there is an answer; its status.
    pub(crate) async fn drip(self, begin: Vec<u8>, again: Option<&'static [u8]>) -> u16 {
        let stream = TcpStream::connect(("127.0.0.1", self.0)).await.unwrap();
        let (mut answers, mut said) = stream.into_split();
        // Nobody may be listening any more.
        let _ = said.write_all(&begin).await;
        let dripping = async {
            match again {
                None => std::future::pending().await,
                Some(drop) => loop {
                    tokio::time::sleep(std::time::Duration::from_millis(200)).await;
                    let _ = said.write_all(drop).await;
                },
            }
        };
        let mut answer = [0; 64];
        let read = tokio::select! {
            read = answers.read(&mut answer) => read.unwrap_or(0),
            () = dripping => 0,
        };
        let text = String::from_utf8_lossy(&answer[..read]).into_owned();
        let code = text.split(' ').nth(1);
        code.map_or(0, |code| code.parse().unwrap_or(0))
    }
}

//! A web service that hosts teams: each has a workspace of its own, its events come as server-sent events.
//!
//! - `POST /teams/NAME` with a job: the team of that name does it (and is opened before, if it is not); answers with the result.
//! - `GET /teams/NAME`: who is there, and the task board, as JSON.
//! - `GET /teams/NAME/events`: everything that happens from now on.
//!
//! It serves on a free port, and is its own client once: `cargo run -p teammate --example web_service`
#![expect(clippy::print_stdout, reason = "it shows what happens")]

use std::{
    collections::HashMap,
    convert::Infallible,
    net::SocketAddr,
    path::PathBuf,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use futures_core::Stream as _;
use http_body_util::{BodyExt as _, Full, combinators::BoxBody};
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Body, Bytes, Frame, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use serde_json::json;
use teammate::{EventFeed, GroupName, Mode, ModelRef, RunOutcome, Team, TeamError};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::{TcpListener, TcpStream},
    sync::Mutex,
};

const PLAY: &str = r#"{ "members": {
    "lead": [
        { "calls": [{ "tool": "create_task", "input": { "subject": "Water the plants" } }] },
        { "say": "It is on the board." }
    ]
} }"#;

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// The teams that this process runs.
struct Service {
    root: PathBuf,
    model: ModelRef,
    teams: Mutex<HashMap<GroupName, Arc<Team>>>,
}

/// What the client did wrong, or what went wrong here.
enum Wrong {
    NotFound,
    Team(TeamError),
    Body(hyper::Error),
}

impl From<TeamError> for Wrong {
    fn from(error: TeamError) -> Self {
        Self::Team(error)
    }
}

impl Service {
    async fn answer(&self, request: Request<Incoming>) -> Result<Answer, Infallible> {
        Ok(match self.act(request).await {
            Ok(answer) => answer,
            Err(Wrong::NotFound) => text(StatusCode::NOT_FOUND, "there is nothing here".to_owned()),
            Err(Wrong::Body(error)) => text(StatusCode::BAD_REQUEST, error.to_string()),
            // Another process has it.
            Err(Wrong::Team(TeamError::Host(error))) => {
                text(StatusCode::CONFLICT, error.to_string())
            }
            Err(Wrong::Team(error)) => text(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()),
        })
    }

    async fn act(&self, request: Request<Incoming>) -> Result<Answer, Wrong> {
        let path = request.uri().path().to_owned();
        let mut parts = path.trim_matches('/').split('/');
        let (Some("teams"), Some(name), what) = (parts.next(), parts.next(), parts.next()) else {
            return Err(Wrong::NotFound);
        };
        let name = GroupName::parse(name).map_err(|_| Wrong::NotFound)?;
        match (request.method(), what) {
            (&Method::POST, None) => {
                let body = request.into_body().collect().await.map_err(Wrong::Body)?;
                let job = String::from_utf8_lossy(&body.to_bytes()).into_owned();
                let ending = self.team(&name).await?.run(&job).await?;
                let status = match ending.outcome {
                    RunOutcome::Done => StatusCode::OK,
                    _ => StatusCode::BAD_GATEWAY,
                };
                Ok(text(status, ending.text))
            }
            (&Method::GET, None) => {
                let team = self.team(&name).await?;
                let members = team.roster().into_iter().map(|member| member.name);
                let tasks = team
                    .tasks()
                    .into_iter()
                    .map(|line| line.task.subject.clone());
                let shown = json!({
                    "members": members.collect::<Vec<_>>(),
                    "tasks": tasks.collect::<Vec<_>>(),
                });
                Ok(text(StatusCode::OK, shown.to_string()))
            }
            (&Method::GET, Some("events")) => {
                let events = self.team(&name).await?.events();
                let mut answer = Response::new(ServerSentEvents(events).boxed());
                let kind = "text/event-stream".parse().expect("it is plain text");
                answer.headers_mut().insert("content-type", kind);
                Ok(answer)
            }
            _ => Err(Wrong::NotFound),
        }
    }

    /// The team of that name, opened if it is not.
    async fn team(&self, name: &GroupName) -> Result<Arc<Team>, TeamError> {
        let mut teams = self.teams.lock().await;
        if let Some(team) = teams.get(name) {
            return Ok(team.clone());
        }
        // A workspace each: no team sees another's files.
        let workspace = self.root.join(name.as_str());
        std::fs::create_dir_all(&workspace).map_err(|why| TeamError::Workspace {
            path: workspace.clone(),
            why,
        })?;
        let team = Team::builder(workspace, self.model.clone())
            .mode(Mode::Ask)
            .open()
            .await?;
        let team = Arc::new(team);
        teams.insert(name.clone(), team.clone());
        Ok(team)
    }

    /// Unfinished turns go on at the next opening.
    async fn close(&self) {
        for (_, team) in std::mem::take(&mut *self.teams.lock().await) {
            if let Some(team) = Arc::into_inner(team) {
                team.close().await;
            }
        }
    }
}

fn text(status: StatusCode, text: String) -> Answer {
    let mut answer = Response::new(Full::from(text).boxed());
    *answer.status_mut() = status;
    answer
}

/// One event after the other, until the team is closed.
struct ServerSentEvents(EventFeed);

impl Body for ServerSentEvents {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.0).poll_next(context).map(|event| {
            let line = serde_json::to_string(&*event?).unwrap_or_default();
            Some(Ok(Frame::data(format!("data: {line}\n\n").into())))
        })
    }
}

async fn serve(service: Arc<Service>, listener: TcpListener) {
    while let Ok((stream, _)) = listener.accept().await {
        let service = service.clone();
        tokio::spawn(async move {
            let answer = service_fn(|request| service.answer(request));
            // A client that goes away is its own affair.
            let _ = http1::Builder::new()
                .serve_connection(TokioIo::new(stream), answer)
                .await;
        });
    }
}

/// A client that could be anything: it asks, and reads until the connection ends.
async fn ask(to: SocketAddr, request: &str, body: &str) -> std::io::Result<String> {
    let mut stream = open(to, request, body).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    let (_, body) = answer.split_once("\r\n\r\n").unwrap_or_default();
    Ok(body.to_owned())
}

async fn open(to: SocketAddr, request: &str, body: &str) -> std::io::Result<TcpStream> {
    let mut stream = TcpStream::connect(to).await?;
    let length = body.len();
    let head = format!(
        "{request} HTTP/1.1\r\nhost: {to}\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(format!("{head}{body}").as_bytes()).await?;
    Ok(stream)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // This program, started again, holds what members' commands start.
    teammate::begin();
    play()
}

#[tokio::main]
async fn play() -> Result<(), Box<dyn std::error::Error>> {
    let dir = tempfile::tempdir()?;
    let play = dir.path().join("play.json");
    std::fs::write(&play, PLAY)?;
    let service = Arc::new(Service {
        root: dir.path().join("teams"),
        model: format!("scripted:{}", play.display()).parse()?,
        teams: Mutex::default(),
    });
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let at = listener.local_addr()?;
    let server = tokio::spawn(serve(service.clone(), listener));

    let events = open(at, "GET /teams/garden/events", "").await?;
    let mut events = BufReader::new(events).lines();
    // The stream has begun when its head is there.
    while events
        .next_line()
        .await?
        .is_some_and(|line| !line.is_empty())
    {}

    let said = ask(at, "POST /teams/garden", "Have the plants watered.").await?;
    println!("The lead says: {said}");
    println!("{}", ask(at, "GET /teams/garden", "").await?);
    println!("{}", ask(at, "GET /elsewhere", "").await?);
    while let Some(line) = events.next_line().await? {
        if line.contains("\"event\":\"task\"") {
            println!("An event: {line}");
            break;
        }
    }
    drop(events);
    server.abort();
    let _ = server.await;
    service.close().await;
    Ok(())
}

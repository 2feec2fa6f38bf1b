//! Events at the moment they happen, for faces in other processes: a Unix socket in the state directory of the user that runs the
//! team, from the host to its viewers only. Pieces of answers come nowhere else. Nothing depends on it: every event that is no
//! piece is in the event log, too.

use std::{
    collections::VecDeque,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use serde::{Deserialize, Serialize};
use teammate_core::{
    contained::{contained, may_fail_here},
    event::Event,
    port::{EventPieces, FleetFeed},
};
use teammate_runtime::{EventFeed, EventSource};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    net::{UnixListener, UnixStream, unix::UCred},
    task::JoinSet,
    time::timeout,
};

use crate::{
    place::Site,
    project::{UserDirs, UserState},
};

/// The directory below the state directory.
const KIND: &str = "live";

/// How many viewers there may be at once.
const VIEWERS_MAX: usize = 32;

/// A viewer that takes nothing for so long is left to the event log.
const STUCK: Duration = Duration::from_secs(10);

/// The first line that a viewer reads.
#[derive(Serialize, Deserialize)]
struct Hello {
    /// The number of the first numbered event that follows.
    first: u64,
    /// The latest progress of each running call. Nothing from older versions.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    progress: VecDeque<Arc<Event>>,
}

/// Where the socket of a team is; nothing without a state directory.
fn socket(user: &UserDirs, site: &Site) -> Option<PathBuf> {
    let state = UserState::at(user.state.as_deref(), KIND);
    state.short_file(&site.key, "sock").ok()
}

/// Gives events to viewers until it is dropped.
pub(crate) struct LiveServer {
    path: PathBuf,
    _serving: JoinSet<()>,
}

impl LiveServer {
    /// Begins. Nothing where there is no place for a socket, or its path is longer than the system takes: viewers then read files.
    ///
    /// Only the process that holds the team's lock may call it: what an earlier one left is removed.
    pub(crate) fn begin(user: &UserDirs, site: &Site, source: EventSource) -> Option<Self> {
        let path = socket(user, site)?;
        let _ = fs::remove_file(&path);
        let listener = UnixListener::bind(&path).ok()?;
        let mode = fs::Permissions::from_mode(0o600);
        fs::set_permissions(&path, mode).ok()?;
        let mut serving = JoinSet::new();
        serving.spawn(serve(listener, source));
        Some(Self {
            path,
            _serving: serving,
        })
    }
}

impl Drop for LiveServer {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

async fn serve(listener: UnixListener, source: EventSource) {
    let mut viewers = JoinSet::new();
    loop {
        tokio::select! {
            come = listener.accept() => {
                // Out of handles or the like: viewers have the files.
                let Ok((stream, _)) = come else { return };
                if is_own(stream.peer_cred()) && viewers.len() < VIEWERS_MAX {
                    let show = show(stream, source.subscribe());
                    viewers.spawn(contained("a viewer's connection", show));
                }
            }
            Some(_) = viewers.join_next(), if !viewers.is_empty() => {}
        }
    }
}

/// Whether the other end is a process of the same user.
fn is_own(other: std::io::Result<UCred>) -> bool {
    other.is_ok_and(|other| other.uid() == rustix::process::geteuid().as_raw())
}

/// Writes all events of the feed.
async fn show(stream: UnixStream, mut feed: EventFeed) {
    let (mut from, mut to) = stream.into_split();
    let hello = Hello {
        first: feed.first(),
        progress: feed.progress().iter().cloned().collect(),
    };
    let mut text = Vec::new();
    add_line(&mut text, &hello);
    loop {
        match timeout(STUCK, to.write_all(&text)).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) | Err(_) => return,
        }
        text.clear();
        let event = tokio::select! {
            event = feed.next() => event,
            // A viewer sends nothing: it has gone.
            _ = from.read_u8() => return,
        };
        let Some(event) = event else { return };
        may_fail_here("viewer");
        add_line(&mut text, &*event);
        while let Some(event) = feed.try_next() {
            add_line(&mut text, &*event);
        }
    }
}

fn add_line(text: &mut Vec<u8>, line: &impl Serialize) {
    let before = text.len();
    match serde_json::to_writer(&mut *text, line) {
        Ok(()) => text.push(b'\n'),
        // No event of ours is one that cannot be written; a half one would be no line.
        Err(_) => text.truncate(before),
    }
}

/// The events of a team that another process runs, at the moment they happen.
pub struct LiveEvents {
    first: u64,
    progress: VecDeque<Arc<Event>>,
    source: Source,
}

enum Source {
    Socket(Lines<BufReader<UnixStream>>),
    /// Pieces only.
    Wire(Box<dyn FleetFeed<Arc<Event>>>),
}

/// Where a team's events may be had at the moment they happen.
#[derive(Clone)]
pub enum LivePlace {
    /// A socket of this machine; nothing without a state directory.
    Socket(Option<PathBuf>),
    /// The wire of a store, from any machine.
    Wire(Arc<dyn EventPieces>),
}

impl LivePlace {
    pub(crate) fn of(user: &UserDirs, site: &Site) -> Self {
        Self::Socket(socket(user, site))
    }

    /// Begins to listen. Nothing where no process serves this user's processes.
    pub async fn connect(&self) -> Option<LiveEvents> {
        match self {
            Self::Socket(path) => LiveEvents::at(path.as_deref()?).await,
            Self::Wire(pieces) => Some(LiveEvents {
                // All others are read from the event log.
                first: u64::MAX,
                progress: VecDeque::new(),
                source: Source::Wire(pieces.hear().await.ok()?),
            }),
        }
    }

    /// Whether processes that open the team do it on this machine, where their numbers say which they are.
    pub fn is_local(&self) -> bool {
        matches!(self, Self::Socket(_))
    }
}

impl LiveEvents {
    async fn at(path: &Path) -> Option<Self> {
        let stream = UnixStream::connect(path).await.ok()?;
        if !is_own(stream.peer_cred()) {
            return None;
        }
        let mut lines = BufReader::new(stream).lines();
        let hello = timeout(STUCK, lines.next_line()).await.ok()?.ok()??;
        let Hello { first, progress } = serde_json::from_str(&hello).ok()?;
        Some(Self {
            first,
            progress,
            source: Source::Socket(lines),
        })
    }

    /// The number of the first numbered event that it gives: earlier ones are in the event log.
    pub fn first(&self) -> u64 {
        self.first
    }

    /// The latest progress of each running call, as it was when this began. [`LiveEvents::next`] gives it first.
    pub fn progress(&self) -> impl Iterator<Item = &Event> {
        self.progress.iter().map(|event| &**event)
    }

    /// The next event; nothing when the process has closed the team, has ended, or waits for this viewer no longer. Nothing is
    /// lost if the future is dropped.
    pub async fn next(&mut self) -> Option<Arc<Event>> {
        if let Some(event) = self.progress.pop_front() {
            return Some(event);
        }
        let lines = match &mut self.source {
            Source::Wire(pieces) => return pieces.next().await,
            Source::Socket(lines) => lines,
        };
        loop {
            let line = lines.next_line().await.ok()??;
            // Lines of another version that cannot be read are passed over.
            if let Ok(event) = serde_json::from_str(&line) {
                return Some(Arc::new(event));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines for a viewer, from a server of this process.
    async fn pair(lines: &[&str]) -> LiveEvents {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s");
        let listener = UnixListener::bind(&path).unwrap();
        let come = tokio::spawn(async move { listener.accept().await.unwrap().0 });
        let text = lines
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>();
        let serving = async {
            let mut stream = come.await.unwrap();
            stream.write_all(text.as_bytes()).await.unwrap();
        };
        tokio::join!(serving, LiveEvents::at(&path)).1.unwrap()
    }

    #[tokio::test]
    async fn lines_of_other_versions_are_passed_over_and_the_end_is_the_end() {
        let event = r#"{"at":1,"member":"lead","event":"text","delta":"x"}"#;
        let mut live = pair(&[
            r#"{"first":7,"later":1}"#,
            r#"{"event":"of tomorrow"}"#,
            event,
        ])
        .await;
        assert_eq!(live.first(), 7);
        assert!(live.next().await.unwrap().what.is_piece());
        assert!(live.next().await.is_none());
    }

    #[tokio::test]
    async fn progress_of_running_calls_comes_first() {
        let hello = r#"{"first":7,"progress":[{"at":1,"member":"lead","event":"tool_progress","call":"c","text":"3 of 9"}]}"#;
        let mut live = pair(&[hello]).await;
        assert_eq!(live.progress().count(), 1);
        assert!(live.next().await.unwrap().what.is_piece());
        assert!(live.next().await.is_none());
    }

    #[test]
    fn the_name_of_a_socket_is_short_whatever_the_workspace_is_called() {
        let (state, work) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let user = UserDirs {
            config: None,
            state: Some(state.path().to_owned()),
        };
        let deep = work.path().join("a-long-name/".repeat(20));
        fs::create_dir_all(&deep).unwrap();
        let site = crate::TeamPlace::default_of(deep).site().unwrap();
        let path = socket(&user, &site).unwrap();
        let below = path.strip_prefix(state.path()).unwrap();
        assert!(below.as_os_str().len() <= 42, "{}", below.display());
        std::os::unix::net::UnixListener::bind(&path).unwrap();
    }
}

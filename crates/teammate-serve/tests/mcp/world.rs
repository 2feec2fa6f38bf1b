//! A team in a directory of its own, and the program around its server: it runs the team in this process.

use std::{
    fs,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use serde_json::{Value, json};
use teammate::{
    BoxFuture, Conversation, LookOptions, Mode, Secrets, Team, TeamClient, TeamPlace,
    project::UserDirs,
};
use teammate_serve::mcp::{FirstJob, HostProgram, McpServer, ServedTeam};
use tempfile::TempDir;

/// How long the person has to answer: longer than any test takes.
const ANSWER_WITHIN: Duration = Duration::from_secs(600);

/// A workspace, a play and a user.
pub(crate) struct World {
    root: TempDir,
    clients_answer: bool,
    pub(crate) program: Arc<InProcess>,
}

/// Runs the team in this process, until nothing is left to do.
pub(crate) struct InProcess {
    place: TeamPlace,
    user: UserDirs,
    model: String,
    mode: Mode,
    pub(crate) starts: AtomicUsize,
}

impl World {
    pub(crate) fn playing(members: &Value) -> Self {
        Self::new(members, Mode::Bypass, false)
    }

    /// Members ask before they change anything.
    pub(crate) fn asking(members: &Value, clients_answer: bool) -> Self {
        Self::new(members, Mode::Ask, clients_answer)
    }

    fn new(members: &Value, mode: Mode, clients_answer: bool) -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("work")).unwrap();
        let play = root.path().join("play.json");
        let place = TeamPlace::default_of(root.path().join("work"));
        let user = UserDirs {
            config: None,
            state: Some(root.path().join("state")),
        };
        let program = Arc::new(InProcess {
            place,
            user,
            model: format!("scripted:{}", play.display()),
            mode,
            starts: AtomicUsize::new(0),
        });
        let world = Self {
            root,
            clients_answer,
            program,
        };
        fs::write(play, json!({ "members": members }).to_string()).unwrap();
        world
    }

    pub(crate) fn server(&self) -> McpServer {
        McpServer::new(ServedTeam::new(
            self.program.place.clone(),
            self.program.user.clone(),
            LookOptions {
                secrets: Arc::new(Secrets::new([("A_KEY".to_owned(), "sk-secret".to_owned())])),
                ..LookOptions::default()
            },
            self.program.clone(),
            self.clients_answer,
        ))
    }

    /// The team as the person's own terminal sees it.
    pub(crate) async fn look(&self) -> TeamClient {
        TeamClient::open(self.program.place.clone(), &self.program.user)
            .await
            .unwrap()
    }

    /// A file of the workspace.
    pub(crate) fn has(&self, file: &str) -> bool {
        self.root.path().join("work").join(file).exists()
    }

    /// A path beside the workspace.
    pub(crate) fn path(&self, below: &str) -> std::path::PathBuf {
        self.root.path().join(below)
    }

    /// The workspace as answers show it.
    pub(crate) fn directory(&self) -> String {
        let work = self.root.path().join("work").canonicalize();
        work.unwrap().display().to_string()
    }
}

impl HostProgram for InProcess {
    fn start(&self, job: Option<FirstJob>) -> BoxFuture<'_, Result<String, String>> {
        Box::pin(async move {
            self.starts.fetch_add(1, Ordering::SeqCst);
            let goes_on = job.as_ref().is_none_or(|job| job.goes_on);
            let model = self.model.parse().unwrap();
            let team = Team::builder(self.place.clone(), model)
                .user_dirs(self.user.clone())
                .mode(self.mode)
                .ask_user(ANSWER_WITHIN)
                .waits_for_answers(true)
                .conversation(match goes_on {
                    true => Conversation::Last,
                    false => Conversation::Fresh,
                });
            let team = team.prepare().await.map_err(|error| error.to_string())?;
            match job {
                Some(job) => team.start_with(job.text).await,
                None => team.start().await,
            }
            .map_err(|error| error.to_string())?;
            tokio::spawn(async move {
                tokio::select! {
                    () = team.wait_done() => {}
                    () = team.close_requested() => {}
                }
                team.close().await;
            });
            Ok(format!("process {}", std::process::id()))
        })
    }
}

//! A server, a user, a play, and processes of that user.

use std::{path::PathBuf, time::Duration};

use teammate::{
    HostError, MemberName, Mode, ModelRef, Team, TeamClient, TeamError, TeamPlace,
    nats::{
        NatsServers, NatsTeam, TeamCircle,
        connect::ServerUrl,
        layout::{Replicas, TeamId},
    },
    project::UserDirs,
};
use teammate_testkit::nats::{NatsServer, Sync, program};

use crate::on_servers::LONG;

const PLAY: &str = r#"{ "members": {
    "lead": [
        { "when": { "mail_contains": "Tell bob" }, "say": "I tell bob now.", "calls": [
            { "tool": "spawn_teammate", "input": { "name": "bob", "prompt": "Listen." } },
            { "tool": "send_message", "input": { "to": "bob", "content": "The lamp is lit." } }
        ] },
        { "when": { "mail_contains": "What" }, "say": "I told bob." },
        { "when": { "mail_contains": "Write" }, "calls": [
            { "tool": "write_file", "input": { "path": "lamp.txt", "content": "lit" } }
        ] },
        { "when": { "otherwise": true }, "say": "Done.", "repeat": true }
    ],
    "bob": [{ "say": "I heard: {{mail}}", "repeat": true }]
} }"#;

pub(crate) struct World {
    server: NatsServer,
    dir: tempfile::TempDir,
}

impl World {
    /// With a team of which nothing but its first record is there; `None` where there is no server.
    pub(crate) async fn new() -> Option<Self> {
        let program = program()?;
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("play.json"), PLAY).unwrap();
        let server = NatsServer::start(&program, dir.path(), Sync::Always).unwrap();
        let world = Self { server, dir };
        let circle = world.circle().await;
        let none = circle.find(&Self::name()).await.unwrap();
        assert!(none.is_none(), "no stream was made yet");
        let unmet = circle
            .prepare(Replicas::One, &[world.server.monitor()])
            .await;
        assert_eq!(unmet.unwrap(), []);
        circle.find_or_make(&Self::name(), None).await.unwrap();
        Some(world)
    }

    pub(crate) fn name() -> TeamId {
        TeamId::try_from("lamps".to_owned()).unwrap()
    }

    pub(crate) fn servers(&self) -> NatsServers {
        NatsServers {
            urls: vec![ServerUrl::parse(&self.server.url()).unwrap()],
            creds: None,
        }
    }

    /// A connection of its own, as another process has it.
    pub(crate) async fn circle(&self) -> TeamCircle {
        let circle = TeamCircle::connect(self.servers(), &self.user(), "test").await;
        circle.unwrap()
    }

    async fn team(&self) -> NatsTeam {
        let team = self.circle().await.find(&Self::name()).await;
        team.unwrap().unwrap()
    }

    fn user(&self) -> UserDirs {
        UserDirs {
            config: None,
            state: Some(self.dir.path().join("state")),
        }
    }

    fn model(&self) -> ModelRef {
        let play = self.dir.path().join("play.json");
        format!("scripted:{}", play.display()).parse().unwrap()
    }

    /// The team, as worked on in a directory of its own.
    pub(crate) async fn place(&self, dir: &str) -> TeamPlace {
        let dir: PathBuf = self.dir.path().join(dir);
        std::fs::create_dir_all(&dir).unwrap();
        TeamPlace::default_of(dir).kept_in(self.team().await.store())
    }

    /// A process begins that runs the team there.
    pub(crate) async fn open(&self, dir: &str) -> Result<Team, TeamError> {
        let team = Team::builder(self.place(dir).await, self.model())
            .mode(Mode::Bypass)
            .ask_user(LONG)
            .user_dirs(self.user());
        team.open().await
    }

    /// The same, as soon as nobody else does.
    pub(crate) async fn until_open(&self, dir: &str) -> Team {
        loop {
            match self.open(dir).await {
                Ok(team) => return team,
                Err(TeamError::Host(HostError::Running(_))) => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// A process begins that looks at the team.
    pub(crate) async fn look(&self) -> Result<TeamClient, TeamError> {
        TeamClient::open(self.place("look").await, &self.user()).await
    }
}

/// Whether that is the result of the lead's last turn.
pub(crate) async fn has_said(client: &TeamClient, text: &str) -> bool {
    let result = client.last_result(&MemberName::lead()).await.unwrap();
    result.is_some_and(|result| result.text == text)
}

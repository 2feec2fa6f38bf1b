//! A store in memory, a workspace, a play; and the processes that use them.

use std::{path::PathBuf, sync::Arc, time::Duration};

use teammate::{
    Happening, MemberName, Mode, ModelRef, Team, TeamClient, TeamError, TeamHistory,
    project::UserDirs,
    store::{Store, TeamStore},
};
use teammate_testkit::memory::MemoryStore;

const PLAY: &str = r#"{ "members": {
    "lead": [
        { "when": { "mail_contains": "Tell bob" }, "calls": [
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
    store: MemoryStore,
    dir: tempfile::TempDir,
}

impl World {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("work")).unwrap();
        std::fs::write(dir.path().join("play.json"), PLAY).unwrap();
        Self {
            store: MemoryStore::default(),
            dir,
        }
    }

    pub(crate) fn workspace(&self) -> PathBuf {
        self.dir.path().join("work")
    }

    pub(crate) fn model(&self) -> ModelRef {
        let play = self.dir.path().join("play.json");
        format!("scripted:{}", play.display()).parse().unwrap()
    }

    /// A process begins that runs the team.
    pub(crate) async fn try_open(&self) -> Result<Team, TeamError> {
        let store = self.store.clone();
        let team = Team::builder(self.workspace(), self.model())
            .mode(Mode::Bypass)
            .ask_user(Duration::from_secs(600));
        team.team_store(move || another_process(&store))
            .open()
            .await
    }

    pub(crate) async fn open(&self) -> Team {
        self.try_open().await.unwrap()
    }

    /// A process begins that looks at the team.
    pub(crate) async fn look(&self) -> Result<TeamClient, TeamError> {
        let user = UserDirs::default();
        TeamClient::open_in(another_process(&self.store), self.workspace(), &user).await
    }
}

fn another_process(store: &MemoryStore) -> TeamStore {
    let store = store.another_process();
    TeamStore {
        events: store.events.clone(),
        presence: Arc::new(store.presence.clone()),
        doorbells: Arc::new(store.clone()),
        store: Store {
            journal: store.journal.clone(),
            mailbox: store.mailbox.clone(),
            transcripts: store.transcripts.clone(),
            archive: Arc::new(store),
        },
    }
}

/// Whether there is such a file of the team.
pub(crate) fn is_in(world: &World, file: &str) -> bool {
    world.workspace().join(".team").join(file).exists()
}

/// Whether that is the result of the lead's last turn.
pub(crate) async fn has_said(client: &TeamClient, text: &str) -> bool {
    let result = client.last_result(&MemberName::lead()).await.unwrap();
    result.is_some_and(|result| result.text == text)
}

/// How many records and events there are that were not read yet.
pub(crate) async fn happenings(history: &mut TeamHistory) -> (usize, usize) {
    let (mut records, mut events) = (0, 0);
    for happening in history.read_on().await.unwrap() {
        match happening {
            Happening::Record(_) => records += 1,
            Happening::Event(_) => events += 1,
        }
    }
    (records, events)
}

/// The events are numbered from 0 on, each once.
pub(crate) async fn assert_numbered(history: &mut TeamHistory) {
    let all = history.read_on().await.unwrap();
    let numbers = all.iter().filter_map(|happening| match happening {
        Happening::Record(_) => None,
        Happening::Event(event) => Some(event.n.unwrap()),
    });
    let numbers: Vec<u64> = numbers.collect();
    assert_eq!(numbers, (0..numbers.len() as u64).collect::<Vec<_>>());
}

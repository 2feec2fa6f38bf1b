//! What is there afterwards: files of the workspace and of the team, what members heard, and whether the team is idle.

use std::{fs, sync::Arc};

use ring::hmac;
use serde_json::Value;
use teammate_core::{
    MemberName, Message, MessageId, MessageKind, Sender, Timestamp,
    model::{AnswerOptions, ModelRequest, Preamble},
    port::Model,
    transcript::{Conversation, Entry, ResumePoint},
};
use teammate_models::{Anthropic, Endpoint, Http, OpenAi};
use teammate_store::{
    disk::RealDisk,
    files::{FileTranscripts, TeamDir},
    seal::HmacSeal,
};
use teammate_testkit::{Answer, Server};

use super::{World, files, json_lines, now};

impl World {
    /// A file of the workspace.
    pub(crate) fn file(&self, below: &str) -> String {
        let path = self.path(below);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// A file of JSON lines.
    pub(crate) fn json_lines(&self, below: &str) -> Vec<Value> {
        json_lines(&self.file(below))
    }

    /// `config.json`.
    pub(crate) fn config(&self) -> Value {
        serde_json::from_str(&self.file(".team/config.json")).unwrap()
    }

    /// The status of a member in `config.json`.
    pub(crate) fn status(&self, name: &str) -> String {
        let config = self.config();
        let members = config["members"].as_array().unwrap();
        let member = members.iter().find(|member| member["name"] == name);
        let member = member.unwrap_or_else(|| panic!("no {name} in {config}"));
        member["status"].as_str().unwrap().to_owned()
    }

    /// Everything a member heard, as `from kind: content`.
    pub(crate) fn heard(&self, name: &str) -> Vec<String> {
        let mail = self
            .entries(name)
            .into_iter()
            .filter_map(|entry| match entry {
                Entry::Heard(mail) => Some(mail),
                _ => None,
            });
        mail.flatten()
            .map(|mail| format!("{} {}: {}", mail.from, mail.kind, mail.content))
            .collect()
    }

    /// Every outcome of a tool that a member saw.
    pub(crate) fn outcomes(&self, name: &str) -> Vec<String> {
        let outcomes = self
            .entries(name)
            .into_iter()
            .filter_map(|entry| match entry {
                Entry::ToolOutcomes(outcomes) => Some(outcomes),
                _ => None,
            });
        outcomes
            .flatten()
            .map(|(_, outcome)| outcome.text())
            .collect()
    }

    /// A member's transcript.
    pub(crate) fn entries(&self, name: &str) -> Vec<Entry> {
        let name = MemberName::parse(name).unwrap();
        let path = TeamDir::at(self.path(".team")).transcript(&name);
        FileTranscripts::read_unproven(&RealDisk, &path)
            .unwrap()
            .entries
    }

    /// What the program seals this team's records with.
    pub(crate) fn seal(&self) -> HmacSeal {
        let state = self.path("../home/.local/state/teammate");
        let teams = fs::read_dir(state.join("teams")).unwrap();
        let known = teams
            .map(|entry| entry.unwrap().path())
            .find(|path| path.extension().is_some_and(|end| end == "json"))
            .unwrap();
        let known: Value = serde_json::from_slice(&fs::read(known).unwrap()).unwrap();
        let nonce = known["nonce"].as_str().unwrap();
        let key = hmac::Key::new(
            hmac::HMAC_SHA256,
            &fs::read(state.join("mail.key")).unwrap(),
        );
        let derived = hmac::sign(&key, format!("teammate team 1\n{nonce}").as_bytes());
        HmacSeal::new(derived.as_ref().try_into().unwrap())
    }

    /// Who has a transcript.
    pub(crate) fn members(&self) -> Vec<String> {
        let agents = fs::read_dir(self.path(".team/agents")).unwrap();
        let mut names: Vec<String> = agents
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// Both wires accept every member's transcript, whatever is said next, and nobody's calls are without an answer.
    pub(crate) fn assert_valid(&self) {
        for name in self.members() {
            let mut conversation = Conversation::of(self.entries(&name));
            assert!(
                !matches!(conversation.resume_point(), ResumePoint::OpenCalls(_)),
                "{name}'s calls have no outcome: {:?}",
                conversation.resume_point()
            );
            conversation.push(&Entry::Heard(vec![word(&name)]));
            now(accepted(&name, &conversation));
        }
    }

    /// The team is idle in every respect: nobody works, no mail waits anywhere, transcripts are valid.
    pub(crate) fn assert_at_rest(&self) {
        self.assert_valid();
        let config = self.config();
        for member in config["members"].as_array().unwrap() {
            assert_ne!(member["status"], "working", "{config}");
        }
        let inbox = self.path(".team/inbox");
        for path in files(&inbox) {
            let is_kept = [".lock", ".bad"]
                .iter()
                .any(|dir| path.starts_with(inbox.join(dir)));
            let size = fs::metadata(&path).unwrap().len();
            assert!(is_kept || size == 0, "{} has mail", path.display());
        }
    }
}

fn word(to: &str) -> Message {
    Message {
        id: MessageId::parse("one-more-word").unwrap(),
        kind: MessageKind::Message,
        from: Sender::User,
        from_incarnation: None,
        to: MemberName::parse(to).unwrap(),
        to_incarnation: None,
        content: "One more word".to_owned(),
        sent_at: Timestamp(0),
        wakes: None,
        request_id: None,
        metadata: teammate_core::mail::Metadata::default(),
    }
}

/// Asks a strict server on both wires.
async fn accepted(name: &str, conversation: &Conversation) {
    let server = Server::start(|_| Answer::text("ok")).await.unwrap();
    let http = Http::new();
    let key = || Some(secrecy::SecretString::from("key"));
    let (mut one, mut other) = (Endpoint::anthropic(key()), Endpoint::openai(key()));
    (one.base_url, other.base_url) = (server.url(), format!("{}/v1", server.url()));
    let wires: [Arc<dyn Model>; 2] = [
        Arc::new(Anthropic::new(&one, "m", http.clone()).unwrap()),
        Arc::new(OpenAi::new(&other, "m", http).unwrap()),
    ];
    for wire in wires {
        let request = ModelRequest {
            preamble: Arc::new(Preamble::new(Vec::new(), "x".to_owned())),
            identity: "y".into(),
            messages: conversation.messages().to_vec(),
            cached: 0,
            max_tokens: 100,
            conversation: name.into(),
            asker: name.into(),
            model: "test:model".into(),
            options: AnswerOptions::default(),
        };
        let answer = wire.answer(request, Box::new(|_| {})).await;
        assert!(answer.is_ok(), "{name}'s transcript is refused: {answer:?}");
    }
}

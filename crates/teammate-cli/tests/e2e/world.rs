//! A world for one test: a workspace, a home and a model, and the program in it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus, Stdio},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use ring::hmac;
use serde_json::Value;
use teammate_core::{
    MemberName, Message, MessageId, MessageKind, Sender, Timestamp,
    model::{ModelRequest, Preamble},
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
use tempfile::TempDir;

use crate::published;

/// Longer than this nothing may take: a hang fails instead of blocking. No test passes or fails by its speed.
pub(crate) const HANG: Duration = Duration::from_secs(600);

/// A directory with everything that one team needs.
pub(crate) struct World {
    root: Arc<TempDir>,
    model: String,
    environment: Vec<(String, String)>,
}

/// A run that has ended.
#[derive(Debug)]
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// A run that goes on. Killed when dropped.
pub(crate) struct Running {
    child: Child,
    arguments: Vec<String>,
    out: PathBuf,
    err: PathBuf,
}

impl World {
    /// With a play as the model.
    pub(crate) fn playing(play: &Value) -> Self {
        let world = Self::with_model("none:none");
        world.replay(play)
    }

    /// With a model by name.
    pub(crate) fn with_model(model: &str) -> Self {
        Self::at(tempfile::tempdir().unwrap(), model)
    }

    /// Outside the system's temporary directory, where workspaces of people are: commands see another `/tmp` anyway.
    pub(crate) fn outside_tmp() -> Self {
        let root = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        Self::at(root, "none:none")
    }

    fn at(root: TempDir, model: &str) -> Self {
        fs::create_dir(root.path().join("work")).unwrap();
        Self {
            root: Arc::new(root),
            model: model.to_owned(),
            environment: Vec::new(),
        }
    }

    /// The same world with another play.
    pub(crate) fn replay(mut self, play: &Value) -> Self {
        let path = self.root.path().join("play.json");
        fs::write(&path, play.to_string()).unwrap();
        self.model = format!("scripted:{}", path.display());
        self
    }

    /// The same place once more, to look at it in another environment.
    pub(crate) fn again(&self) -> Self {
        Self {
            root: self.root.clone(),
            model: self.model.clone(),
            environment: self.environment.clone(),
        }
    }

    /// With this in the environment.
    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The workspace.
    pub(crate) fn work(&self) -> PathBuf {
        self.root.path().join("work")
    }

    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.work().join(below)
    }

    /// What the program's environment is: nothing of ours but the path.
    pub(crate) fn variables(&self) -> Vec<(String, String)> {
        let home = self.root.path().join("home").display().to_string();
        let mut variables = vec![
            ("PATH".to_owned(), std::env::var("PATH").unwrap()),
            ("HOME".to_owned(), home),
            ("TERM".to_owned(), "xterm-256color".to_owned()),
            ("LANG".to_owned(), "C.UTF-8".to_owned()),
            ("TEAMMATE_MODEL".to_owned(), self.model.clone()),
        ];
        variables.extend(self.environment.clone());
        variables
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_teammate"));
        command
            .args(arguments)
            .env_clear()
            .envs(self.variables())
            .current_dir(self.work())
            .stdin(Stdio::null());
        command
    }

    /// Runs the program to its end.
    pub(crate) fn teammate(&self, arguments: &[&str]) -> Run {
        self.start(arguments).end()
    }

    /// Gives the lead a job, in its last conversation; everything is allowed.
    pub(crate) fn run(&self, job: &str) -> Run {
        self.teammate(&["run", "--continue", "--permission-mode", "bypass", job])
    }

    /// Gives the lead a job in a new conversation; everything is allowed.
    pub(crate) fn run_anew(&self, job: &str) -> Run {
        self.teammate(&["run", "--permission-mode", "bypass", job])
    }

    /// Goes on.
    pub(crate) fn resume(&self) -> Run {
        self.teammate(&["resume", "--permission-mode", "bypass"])
    }

    /// Starts the program.
    pub(crate) fn start(&self, arguments: &[&str]) -> Running {
        self.launch(self.command(arguments))
    }

    pub(crate) fn launch(&self, mut command: Command) -> Running {
        let place = tempfile::tempdir_in(self.root.path()).unwrap().keep();
        let (out, err) = (place.join("out"), place.join("err"));
        let arguments = command
            .get_args()
            .map(|argument| argument.display().to_string())
            .collect();
        let child = command
            .stdout(fs::File::create(&out).unwrap())
            .stderr(fs::File::create(&err).unwrap())
            .spawn()
            .unwrap();
        Running {
            child,
            arguments,
            out,
            err,
        }
    }

    // ─── what is there afterwards ───

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

impl Running {
    /// Waits for the end. What programs get is as it was published.
    pub(crate) fn end(mut self) -> Run {
        let status = self.wait();
        let run = Run {
            code: code(status),
            out: fs::read_to_string(&self.out).unwrap(),
            err: fs::read_to_string(&self.err).unwrap(),
        };
        published::assert_as_published(&self.arguments, &run.out);
        run
    }

    fn wait(&mut self) -> ExitStatus {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            if begun.elapsed() > HANG {
                panic!("it hangs:\n{}\n{}", self.out(), self.err());
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    pub(crate) fn out(&self) -> String {
        fs::read_to_string(&self.out).unwrap()
    }

    pub(crate) fn err(&self) -> String {
        fs::read_to_string(&self.err).unwrap()
    }

    /// Waits until standard output or error has this in it.
    pub(crate) fn until(&self, text: &str) {
        until(
            || self.out().contains(text) || self.err().contains(text),
            || format!("'{text}' does not come:\n{}\n{}", self.out(), self.err()),
        );
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let pid = i32::try_from(self.child.id()).unwrap();
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        // It may just have ended.
        let _ = rustix::process::kill_process(pid, signal);
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn stdin(&mut self) -> std::process::ChildStdin {
        self.child.stdin.take().unwrap()
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Run {
    /// It ended like this; otherwise everything is shown.
    #[track_caller]
    pub(crate) fn ends(self, code: i32) -> Self {
        assert_eq!(
            self.code, code,
            "\n--- out\n{}\n--- err\n{}",
            self.out, self.err
        );
        self
    }

    /// Standard error says this.
    #[track_caller]
    pub(crate) fn complains(self, text: &str) -> Self {
        assert!(
            self.err.contains(text),
            "'{text}' is not said in\n{}\n--- out\n{}",
            self.err,
            self.out
        );
        self
    }

    /// Standard output says this.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(
            self.out.contains(text),
            "'{text}' is not said in\n{}\n--- err\n{}",
            self.out,
            self.err
        );
        self
    }
}

impl World {
    /// Makes an empty file in the workspace as soon as a file of the team has this text in it: commands do not see that file.
    pub(crate) fn touch_when(&self, below: &str, text: &'static str, name: &str) {
        let (looked_at, made) = (self.path(below), self.path(name));
        thread::spawn(move || {
            let begun = Instant::now();
            let is_there =
                || fs::read_to_string(&looked_at).is_ok_and(|found| found.contains(text));
            while begun.elapsed() < HANG && !is_there() {
                thread::sleep(Duration::from_millis(5));
            }
            // The test may be over, and its workspace gone.
            let _ = fs::write(made, "");
        });
    }
}

/// Waits until something holds.
pub(crate) fn until(mut holds: impl FnMut() -> bool, otherwise: impl Fn() -> String) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < HANG, "{}", otherwise());
        thread::sleep(Duration::from_millis(5));
    }
}

pub(crate) fn json_lines(text: &str) -> Vec<Value> {
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
        .collect()
}

/// Does it here and now.
pub(crate) fn now<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(work)
}

/// All files below a directory.
pub(crate) fn files(dir: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(dir) else {
        return Vec::new();
    };
    entries
        .map(|entry| entry.unwrap().path())
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

fn code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt as _;
    status
        .code()
        .unwrap_or_else(|| 128 + status.signal().unwrap())
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
        };
        let answer = wire.answer(request, Box::new(|_| {})).await;
        assert!(answer.is_ok(), "{name}'s transcript is refused: {answer:?}");
    }
}

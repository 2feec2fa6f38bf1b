//! Teams with a long past. The program makes the team; what it would have written in months is then written with the team's own
//! seal, by the store.

use std::{
    fs::{self, File},
    io::{BufWriter, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

use ring::hmac::{HMAC_SHA256, Key, sign};
use serde_json::{Value, json};
use teammate_core::{
    MemberName, Timestamp,
    port::{Record, Seal},
    team::TeamEvent,
    transcript::Entry,
};
use teammate_store::{
    disk::RealDisk,
    files::{FileJournal, FileTranscripts},
    seal::HmacSeal,
};
use tempfile::TempDir;

use crate::bench::suite::program::{self, Cost};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A team of a lead, on disk.
pub(super) struct Team {
    dir: TempDir,
}

impl Team {
    /// A team that has had one turn.
    pub(super) fn new() -> Result<Self, Failure> {
        let team = Self {
            dir: program::workspace()?,
        };
        fs::create_dir(team.path("home"))?;
        fs::create_dir(team.work())?;
        team.plays(&json!([{"say": "ok", "repeat": true}]))?;
        team.run()?;
        Ok(team)
    }

    /// From now on the lead does this.
    pub(super) fn plays(&self, lead: &Value) -> Result<(), Failure> {
        self.plays_with_members(lead, &json!([]))
    }

    /// From now on the lead does this, and each teammate that.
    pub(super) fn plays_with_members(&self, lead: &Value, member: &Value) -> Result<(), Failure> {
        let play = json!({"members": {"lead": lead, "m*": member}});
        Ok(fs::write(self.path("play.json"), play.to_string())?)
    }

    /// `teammate run`, in the conversation that is there, to its end.
    pub(super) fn run(&self) -> Result<Cost, Failure> {
        self.cost(&["run", "--continue", "Go on."])
    }

    /// What a command of the program costs.
    pub(super) fn cost(&self, args: &[&str]) -> Result<Cost, Failure> {
        let mut command = Command::new(program::path());
        command
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.path("home"))
            .arg("--model")
            .arg(format!("scripted:{}", self.path("play.json").display()))
            .args(["--permission-mode", "bypass", "--dir"])
            .arg(self.work())
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Ok(program::start(&mut command)?.finish()?)
    }

    /// Its workspace.
    pub(super) fn work(&self) -> PathBuf {
        self.path("work")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Appends records to the journal. Returns how many bytes it has then.
    pub(super) fn extend_journal(
        &self,
        events: impl Iterator<Item = TeamEvent>,
    ) -> Result<u64, Failure> {
        let (path, new) = (
            self.path("work/.team/journal.jsonl"),
            self.path("work/.team/journal.new"),
        );
        let mut records = FileJournal::read_unproven(&RealDisk, &path)?.records;
        let (next, at) = match records.last() {
            Some(last) => (last.number + 1, last.at),
            None => return Err("the team has no journal".into()),
        };
        records.extend(
            events
                .zip(next..)
                .map(|(event, number)| Record::of(number, Timestamp(at.0 + number), vec![event])),
        );
        FileJournal::write_sealed(&RealDisk, &new, &records, self.seal()?)?;
        fs::rename(&new, &path)?;
        Ok(fs::metadata(path)?.len())
    }

    /// Appends entries to the lead's transcript. Returns how many bytes it has then.
    pub(super) fn extend_transcript(
        &self,
        entries: impl Iterator<Item = Entry>,
    ) -> Result<u64, Failure> {
        let dir = self.path("work/.team/agents/lead");
        let (path, new) = (dir.join("transcript.jsonl"), dir.join("transcript.new"));
        let mut all = FileTranscripts::read_unproven(&RealDisk, &path)?.entries;
        all.extend(entries);
        let lead = MemberName::lead();
        FileTranscripts::write_sealed(&RealDisk, &new, &lead, &all, self.seal()?)?;
        fs::rename(&new, &path)?;
        Ok(fs::metadata(path)?.len())
    }

    /// Writes lines into the lead's inbox, as another program does. Returns how many bytes it has then.
    pub(super) fn fill_inbox(&self, lines: impl Iterator<Item = Value>) -> Result<u64, Failure> {
        let path = self.path("work/.team/inbox/lead.jsonl");
        let mut file = BufWriter::new(File::create(&path)?);
        for line in lines {
            writeln!(file, "{line}")?;
        }
        file.flush()?;
        Ok(fs::metadata(path)?.len())
    }

    /// The seal of the team, as the program makes it from the user's key.
    fn seal(&self) -> Result<Arc<dyn Seal>, Failure> {
        let state = self.path("home/.local/state/teammate");
        let key = Key::new(HMAC_SHA256, &fs::read(state.join("mail.key"))?);
        let known = json_in(&state.join("teams"))?;
        let nonce = known["nonce"].as_str().ok_or("the team is not known")?;
        let derived = sign(&key, format!("teammate team 1\n{nonce}").as_bytes());
        Ok(Arc::new(HmacSeal::new(derived.as_ref().try_into()?)))
    }
}

/// The one JSON file in a directory.
fn json_in(dir: &Path) -> Result<Value, Failure> {
    for entry in fs::read_dir(dir)? {
        if let Ok(found) = serde_json::from_slice::<Value>(&fs::read(entry?.path())?) {
            return Ok(found);
        }
    }
    Err(format!("there is nothing in {}", dir.display()).into())
}

//! What was learnt of models at servers, kept in the user's state directory: a record for each, by base URL, wire and model.
//! It holds for 30 days, and as long as the model is asked in the same way.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use serde::{Deserialize, Serialize};
use teammate_core::model::Wire;
use teammate_models::{LessonStore, Lessons, ModelSettings};

use super::wire::without_secrets;
use crate::project::{UserState, UserStateError};

/// How long lessons hold: servers change.
const HOLDS_FOR: Duration = Duration::from_secs(30 * 24 * 3_600);

/// How many records are kept; the oldest go first.
const RECORDS_MAX: usize = 256;

/// What was learnt of a model at a server, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptLessons {
    /// The server's base URL, without user, password and query.
    pub base_url: String,
    /// The wire on which it was learnt.
    pub wire: Wire,
    /// The model's name at the server.
    pub model: String,
    /// When something was learnt last, in seconds since 1970.
    pub learnt: u64,
    /// What it was.
    #[serde(flatten)]
    pub lessons: Lessons,
    /// Of the settings with which it was asked.
    asked: u64,
}

/// All that is kept.
#[derive(Debug)]
pub(super) struct LessonMemory(UserState);

/// What is kept of one model at one server.
#[derive(Debug)]
pub(super) struct LessonsOfModel {
    memory: UserState,
    base_url: String,
    wire: Wire,
    model: String,
    asked: u64,
}

impl LessonMemory {
    /// The memory below this directory; without one nothing is kept.
    pub(super) fn at(state: Option<&Path>) -> Self {
        Self(UserState::at(state, "learnt"))
    }

    /// What is kept of a model that is asked in this way.
    pub(super) fn of(
        &self,
        base_url: &str,
        (wire, model): (Wire, &str),
        settings: &ModelSettings,
    ) -> LessonsOfModel {
        let mut asked = DefaultHasher::new();
        format!("{settings:?}").hash(&mut asked);
        LessonsOfModel {
            memory: self.0.clone(),
            base_url: without_secrets(base_url),
            wire,
            model: model.to_owned(),
            asked: asked.finish(),
        }
    }

    /// All that still holds of a server, by model.
    pub(super) fn at_server(&self, base_url: &str) -> Vec<KeptLessons> {
        let base_url = without_secrets(base_url);
        let mut kept = self.0.list::<KeptLessons>();
        kept.retain(|record| record.base_url == base_url && record.holds());
        kept.sort_by(|a, b| a.model.cmp(&b.model));
        kept
    }

    /// Forgets all that is kept of a server, and how many records that were.
    pub(super) fn forget(&self, base_url: &str) -> Result<usize, UserStateError> {
        let base_url = without_secrets(base_url);
        let kept = self.0.list::<KeptLessons>().into_iter();
        let mut forgotten = 0;
        for record in kept.filter(|record| record.base_url == base_url) {
            forgotten += usize::from(self.0.forget(&record.key())?);
        }
        Ok(forgotten)
    }
}

impl KeptLessons {
    /// How long ago something was learnt last.
    pub fn age(&self) -> Duration {
        Duration::from_secs(now().saturating_sub(self.learnt))
    }

    fn holds(&self) -> bool {
        self.age() <= HOLDS_FOR
    }

    fn key(&self) -> PathBuf {
        key(&self.base_url, self.wire, &self.model)
    }
}

impl LessonsOfModel {
    fn key(&self) -> PathBuf {
        key(&self.base_url, self.wire, &self.model)
    }

    fn read(&self) -> Lessons {
        let record = self.memory.read::<KeptLessons>(&self.key());
        // What is no record is learnt anew.
        let record = record.ok().flatten();
        let record = record.filter(|record| record.holds() && record.asked == self.asked);
        record.map(|record| record.lessons).unwrap_or_default()
    }

    fn write(&self, lessons: Lessons) -> Result<(), UserStateError> {
        if lessons.is_empty() {
            return self.memory.forget(&self.key()).map(|_| ());
        }
        let record = KeptLessons {
            base_url: self.base_url.clone(),
            wire: self.wire,
            model: self.model.clone(),
            learnt: now(),
            lessons,
            asked: self.asked,
        };
        self.memory.write(&self.key(), &record)?;
        self.make_room()
    }

    /// Forgets what does not hold any more, and the oldest of too many.
    fn make_room(&self) -> Result<(), UserStateError> {
        let mut kept = self.memory.list::<KeptLessons>();
        kept.sort_by_key(|record| std::cmp::Reverse(record.learnt));
        for (at, record) in kept.iter().enumerate() {
            if at >= RECORDS_MAX || !record.holds() {
                self.memory.forget(&record.key())?;
            }
        }
        Ok(())
    }
}

impl LessonStore for LessonsOfModel {
    fn known(&self) -> Lessons {
        self.read()
    }

    fn keep(&self, lessons: &Lessons) {
        // What cannot be kept is learnt anew.
        let _ = self.memory.lock().and_then(|_others_wait| {
            let mut all = self.read();
            all.add(lessons);
            self.write(all)
        });
    }

    fn replace(&self, lessons: &Lessons) {
        // What was wrong is refused again by the next program, and put in doubt there.
        let _ = self
            .memory
            .lock()
            .and_then(|_others_wait| self.write(lessons.clone()));
    }
}

/// By what a record is found.
fn key(base_url: &str, wire: Wire, model: &str) -> PathBuf {
    let base_url = base_url.trim_end_matches('/');
    PathBuf::from(format!("{wire:?}\n{base_url}\n{model}"))
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const URL: &str = "https://me:pw@host/v1?key=sk-1";

    fn lessons(refused: &[&str]) -> Lessons {
        Lessons {
            refused: refused.iter().map(|word| (*word).to_owned()).collect(),
            ..Lessons::default()
        }
    }

    fn of(state: &Path, model: &str) -> LessonsOfModel {
        let memory = LessonMemory::at(Some(state));
        memory.of(URL, (Wire::OpenAi, model), &ModelSettings::default())
    }

    /// The files of records.
    fn files(state: &Path) -> Vec<PathBuf> {
        let all = fs::read_dir(state.join("learnt")).unwrap();
        let all = all.map(|entry| entry.unwrap().path());
        all.filter(|path| path.extension().is_some()).collect()
    }

    #[test]
    fn what_two_programs_learn_is_kept_without_secrets() {
        let state = tempfile::tempdir().unwrap();
        let (one, other) = (of(state.path(), "m"), of(state.path(), "m"));
        one.keep(&lessons(&["stream_options"]));
        other.keep(&lessons(&["limit_name"]));
        let both = lessons(&["limit_name", "stream_options"]);
        assert_eq!(of(state.path(), "m").known(), both);
        assert_eq!(of(state.path(), "n").known(), Lessons::default());
        for file in files(state.path()) {
            let text = fs::read_to_string(file).unwrap();
            assert!(!text.contains("pw") && !text.contains("sk-1"), "{text}");
        }
        let memory = LessonMemory::at(Some(state.path()));
        let kept = memory.at_server("https://host/v1");
        assert_eq!((kept.len(), &kept[0].lessons), (1, &both));
        assert!(memory.at_server("https://other/v1").is_empty());
        assert_eq!(memory.forget("https://host/v1").unwrap(), 1);
        assert_eq!(of(state.path(), "m").known(), Lessons::default());
    }

    #[test]
    fn lessons_of_another_form_of_asking_do_not_hold() {
        let state = tempfile::tempdir().unwrap();
        of(state.path(), "m").keep(&lessons(&["sampling"]));
        let mut settings = ModelSettings::default();
        settings.request.temperature = Some(1.0);
        let memory = LessonMemory::at(Some(state.path()));
        let other = memory.of(URL, (Wire::OpenAi, "m"), &settings);
        assert_eq!(other.known(), Lessons::default());
        let other = memory.of(URL, (Wire::Responses, "m"), &ModelSettings::default());
        assert_eq!(other.known(), Lessons::default());
    }

    #[test]
    fn old_and_broken_records_have_no_effect() {
        let state = tempfile::tempdir().unwrap();
        let model = of(state.path(), "m");
        model.keep(&lessons(&["store"]));
        let all = files(state.path());
        let file = &all[0];
        let text = fs::read_to_string(file).unwrap();
        let mut record: serde_json::Value = serde_json::from_str(&text).unwrap();
        record["learnt"] = (now() - HOLDS_FOR.as_secs() - 1).into();
        fs::write(file, record.to_string()).unwrap();
        assert_eq!(model.known(), Lessons::default());
        fs::write(file, "{").unwrap();
        assert_eq!(model.known(), Lessons::default());
        // It is replaced by what is learnt anew.
        model.keep(&lessons(&["strict"]));
        assert_eq!(model.known(), lessons(&["strict"]));
        // Nothing is left of what does not hold any more.
        model.replace(&Lessons::default());
        assert_eq!(files(state.path()), [] as [PathBuf; 0]);
    }

    #[test]
    fn there_are_not_too_many_records() {
        let state = tempfile::tempdir().unwrap();
        for at in 0..RECORDS_MAX + 3 {
            of(state.path(), &format!("m{at}")).keep(&lessons(&["store"]));
        }
        assert_eq!(files(state.path()).len(), RECORDS_MAX);
    }

    #[test]
    fn without_a_directory_nothing_is_kept() {
        let memory = LessonMemory::at(None);
        let model = memory.of(URL, (Wire::OpenAi, "m"), &ModelSettings::default());
        model.keep(&lessons(&["store"]));
        assert_eq!(model.known(), Lessons::default());
    }
}

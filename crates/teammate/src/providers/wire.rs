//! The wire that a server speaks, as it is configured and as it is known.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use teammate_core::model::Wire;
use teammate_store::disk::read_regular;

/// The wire that a server speaks, as the user says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WireFormat {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI's format, in the best form that is known of the server: Responses for OpenAI's own models at its own address,
    /// and elsewhere after a trial that went well; otherwise chat completions.
    OpenAi,
    /// OpenAI's Responses.
    Responses,
    /// OpenAI's chat completions.
    Chat,
}

/// The remembered form of a server and a model of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Known {
    /// The server is OpenAI's own.
    pub(super) is_official: bool,
    /// Whether the model's family is answered on Responses; `None`: no family is known.
    pub(super) family: Option<bool>,
    /// A trial of Responses went well.
    pub(super) was_tried: bool,
}

impl WireFormat {
    /// The wire that is spoken with a model.
    pub(super) fn spoken(self, known: Known) -> Wire {
        match self {
            Self::Anthropic => Wire::Anthropic,
            Self::Responses => Wire::Responses,
            Self::Chat => Wire::OpenAi,
            Self::OpenAi if known.is_official && known.family != Some(false) => Wire::Responses,
            Self::OpenAi if known.was_tried => Wire::Responses,
            Self::OpenAi => Wire::OpenAi,
        }
    }
}

/// Servers of which it was tried whether they speak Responses, in the user's state directory: by base URL, the moment of the
/// trial in seconds since 1970.
#[derive(Debug, Default)]
pub(super) struct WireMemory {
    file: Option<PathBuf>,
}

impl WireMemory {
    /// The memory that is kept in this directory.
    pub(super) fn at(state: &Path) -> Self {
        Self {
            file: Some(state.join("wires.json")),
        }
    }

    /// Whether the trial of this server went well. What cannot be read is not known.
    pub(super) fn has(&self, base_url: &str) -> bool {
        self.known().contains_key(&without_secrets(base_url))
    }

    /// Keeps how a trial went.
    pub(super) fn keep(&self, base_url: &str, speaks: bool) -> io::Result<()> {
        let Some(file) = &self.file else {
            return Ok(());
        };
        let mut known = self.known();
        let is_new = match speaks {
            true => known.insert(without_secrets(base_url), now()).is_none(),
            false => known.remove(&without_secrets(base_url)).is_some(),
        };
        if !is_new {
            return Ok(());
        }
        if let Some(dir) = file.parent() {
            fs::create_dir_all(dir)?;
        }
        let new = file.with_extension(format!("{}.tmp", std::process::id()));
        fs::write(&new, serde_json::to_vec(&known)?)?;
        fs::rename(&new, file)
    }

    fn known(&self) -> BTreeMap<String, u64> {
        let bytes = self.file.as_ref().and_then(|file| read_regular(file).ok());
        serde_json::from_slice(&bytes.unwrap_or_default()).unwrap_or_default()
    }
}

/// A base URL without the parts that may hold a key: user, password and query.
pub(super) fn without_secrets(base_url: &str) -> String {
    let address = base_url.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = address.split_once("://") else {
        return address.to_owned();
    };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or_default();
    format!("{scheme}://{host}{path}")
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_are_spoken_where_that_is_known_to_work() {
        let known = |is_official, family, was_tried| Known {
            is_official,
            family,
            was_tried,
        };
        let spoken = |known| WireFormat::OpenAi.spoken(known);
        assert_eq!(spoken(known(true, Some(true), false)), Wire::Responses);
        // A model that came after the catalogue is a new one.
        assert_eq!(spoken(known(true, None, false)), Wire::Responses);
        assert_eq!(spoken(known(true, Some(false), false)), Wire::OpenAi);
        assert_eq!(spoken(known(false, Some(true), false)), Wire::OpenAi);
        assert_eq!(spoken(known(false, None, true)), Wire::Responses);
        for known in [known(true, None, true), known(false, Some(false), false)] {
            assert_eq!(WireFormat::Chat.spoken(known), Wire::OpenAi);
            assert_eq!(WireFormat::Responses.spoken(known), Wire::Responses);
            assert_eq!(WireFormat::Anthropic.spoken(known), Wire::Anthropic);
        }
    }

    #[test]
    fn a_trial_is_remembered_until_another_goes_wrong() {
        let state = tempfile::tempdir().unwrap();
        let memory = || WireMemory::at(&state.path().join("teammate"));
        let url = "http://localhost:8080/v1";
        assert!(!memory().has(url));
        memory().keep(url, true).unwrap();
        memory().keep("http://other", true).unwrap();
        assert!(memory().has(url));
        memory().keep(url, false).unwrap();
        assert!(!memory().has(url) && memory().has("http://other"));
        memory()
            .keep("https://me:pw@host/v1?key=sk-1", true)
            .unwrap();
        assert!(memory().has("https://host/v1"));
        let kept = fs::read_to_string(state.path().join("teammate/wires.json")).unwrap();
        assert!(!kept.contains("pw") && !kept.contains("sk-1"), "{kept}");
        // A program without a state directory knows nothing and keeps nothing.
        WireMemory::default().keep(url, true).unwrap();
        assert!(!WireMemory::default().has(url));
    }
}

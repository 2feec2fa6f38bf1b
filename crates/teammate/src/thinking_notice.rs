//! Thinking costs money, so the first opening with a model that thinks says so: once for each model and effort.

use std::{collections::BTreeSet, fs, io, path::Path};

use teammate_core::model::Effort;
use teammate_runtime::ModelInUse;
use teammate_store::disk::read_regular;

use crate::project::UserDirs;

/// The most models that are remembered; beyond that all are said again.
const NOTICES_MAX: usize = 200;

/// A notice about thinking for the user at an opening with this model, unless it was said before.
pub(crate) fn thinking_notice(user: &UserDirs, now: &ModelInUse) -> Option<String> {
    if now.effort == Effort::Off {
        return None;
    }
    let said = format!("{} {}", now.name, now.effort);
    let file = user.state.as_ref().map(|state| state.join("thinking.json"));
    let mut told = file.as_deref().map(read).unwrap_or_default();
    if !told.insert(said) {
        return None;
    }
    if told.len() > NOTICES_MAX {
        told.clear();
    }
    if let Some(file) = &file {
        // If it cannot be kept, it is said again the next time.
        let _ = write(file, &told);
    }
    Some(format!(
        "{} thinks at effort {} before it answers, and thinking counts as output. Another level: effort in the configuration, \
         --effort, or /effort at the prompt (off, low, medium, high, max). This is said once",
        now.name, now.effort
    ))
}

fn read(file: &Path) -> BTreeSet<String> {
    let bytes = read_regular(file).unwrap_or_default();
    serde_json::from_slice(&bytes).unwrap_or_default()
}

fn write(file: &Path, told: &BTreeSet<String>) -> io::Result<()> {
    if let Some(dir) = file.parent() {
        fs::create_dir_all(dir)?;
    }
    let new = file.with_extension(format!("{}.tmp", std::process::id()));
    fs::write(&new, serde_json::to_vec(told)?)?;
    fs::rename(&new, file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_costs_money_is_said_once_for_each_model_and_effort() {
        let state = tempfile::tempdir().unwrap();
        let user = UserDirs {
            config: None,
            state: Some(state.path().join("teammate")),
        };
        let said = |name: &str, effort| {
            let now = ModelInUse {
                name: name.parse().unwrap(),
                effort,
                can_think: true,
                family: None,
            };
            thinking_notice(&user, &now)
        };
        let first = said("p:m", Effort::High).unwrap();
        assert!(first.starts_with("p:m thinks at effort high"), "{first}");
        assert_eq!(said("p:m", Effort::High), None);
        assert!(said("p:m", Effort::Max).is_some());
        assert!(said("p:n", Effort::High).is_some());
        assert_eq!(said("p:o", Effort::Off), None);
        // Somebody else's bytes there harm nothing.
        fs::write(state.path().join("teammate/thinking.json"), "{").unwrap();
        assert!(said("p:m", Effort::High).is_some());
    }
}

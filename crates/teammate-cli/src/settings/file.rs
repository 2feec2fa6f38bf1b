//! The user's configuration file.

use std::path::PathBuf;

use anyhow::{Context as _, anyhow};
use etcetera::BaseStrategy as _;
use teammate::{platform::read_regular_text, rules::written};

use super::{Options, values::Values};

impl Options {
    /// The configuration file, if there is a place for one.
    pub(crate) fn config_path(&self) -> Option<PathBuf> {
        self.config.clone().or_else(|| {
            let base = etcetera::choose_base_strategy().ok()?;
            Some(base.config_dir().join("teammate").join("config.toml"))
        })
    }

    /// The values of the file; none where there is no file.
    pub(super) fn file(&self) -> anyhow::Result<Values> {
        let Some(path) = self.config_path() else {
            return Ok(Values::default());
        };
        let text = match &self.config {
            // The user named it, and it may be a pipe of their shell.
            Some(named) => std::fs::read_to_string(named),
            None => read_regular_text(&path),
        };
        match text {
            Ok(text) => toml::from_str(&text)
                .map_err(|error| anyhow!(written::flaw(&error, &text)))
                .with_context(|| {
                    format!("the configuration file {} cannot be used", path.display())
                }),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && self.config.is_none() => {
                Ok(Values::default())
            }
            Err(error) => Err(anyhow!(error).context(format!("cannot read {}", path.display()))),
        }
    }
}

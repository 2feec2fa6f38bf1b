//! The port to the program around the door.

use serde_json::Value;
use teammate::{ModelRef, TeamBuilder, TeamPlace};

/// The port that the door needs of the program which opens it.
pub trait ClaudeProgram: Send + Sync {
    /// A team at a place, with the settings of the user and what the caller's flags say. `with_caller`: somebody answers questions.
    /// `servers`: more servers of tools that the caller named, in the shape of `.mcp.json`.
    ///
    /// Errors: the configuration cannot be used, in words.
    fn builder(
        &self,
        place: &TeamPlace,
        with_caller: bool,
        servers: Option<&Value>,
    ) -> Result<TeamBuilder, String>;

    /// The model that a caller means by a word; `None` is the one of the settings.
    ///
    /// Errors: no model is called so, in words.
    fn model(&self, word: Option<&str>) -> Result<ModelRef, String>;

    /// Shows the user a note, beside what the caller reads.
    fn note(&self, text: &str);
}

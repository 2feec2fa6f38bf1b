//! Settings of an agent before it is started: the user's entry, read and checked, or what is known of its make.

mod known;
mod table;

use teammate_core::permission::Rule;

pub use table::{AgentSettingsError, AgentTable};

use teammate_core::name::AgentName;

/// How an agent is started, and what it may have.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentSettings {
    pub name: AgentName,
    /// A path, or a name that is looked for in `PATH`.
    pub command: String,
    pub arguments: Vec<String>,
    /// Variables of its environment, besides the usual ones.
    pub environment: Vec<(String, String)>,
    /// The mode that its sessions are put into.
    pub mode: Option<String>,
    /// The mode for work that may change nothing.
    pub gated_mode: Option<String>,
    /// Whether sessions of before are loaded.
    pub resumes: bool,
    /// Memory of the whole of it, in bytes.
    pub memory_max: u64,
    /// Where it may connect.
    pub network: Vec<Rule>,
    /// Where its own files are.
    pub login: Login,
}

/// An agent's own files. It never sees the user's, but a directory of its own, into which what the user lists is copied.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Login {
    /// The paths below the user's home directory that are copied.
    pub copied: Vec<String>,
    /// Variables that lead it to a directory below its own home: the variable, and the path below.
    pub variables: Vec<(&'static str, &'static str)>,
}

impl AgentSettings {
    /// A program that was named on the command line.
    ///
    /// # Errors
    ///
    /// There is no command.
    pub fn of_command(words: &[String]) -> Result<Self, AgentSettingsError> {
        AgentTable {
            command: words.to_vec(),
            ..AgentTable::default()
        }
        .settings("command", &teammate_core::variables::Variables::default())
    }

    /// The command in a line.
    pub fn describe(&self) -> String {
        let words = [std::slice::from_ref(&self.command), &self.arguments].concat();
        words.join(" ")
    }
}

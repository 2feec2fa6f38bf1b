//! The reach of a call, as far as the gate has read it.

use serde::{Deserialize, Serialize};

use super::{Script, ShellCommand, Word};
use crate::{permission::Target, tool::EffectClass};

/// The most places of one kind that are listed.
const LISTED_MAX: usize = 20;

/// Files and hosts that a call would reach.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touches {
    /// Files that it reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<String>,
    /// Files that it writes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<String>,
    /// Hosts and addresses of the network.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub network: Vec<String>,
    /// Whether this is all that it reaches. Never true of a program: only it knows what else it opens.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_all: bool,
}

impl Touches {
    /// The reach of a call with such effects.
    pub fn of(class: EffectClass, target: &Target) -> Self {
        match target {
            Target::Path(path) => {
                let path = vec![path.resolved.display().to_string()];
                let (reads, writes) = match class {
                    EffectClass::Reads => (path, Vec::new()),
                    EffectClass::Writes
                    | EffectClass::Executes
                    | EffectClass::Calls
                    | EffectClass::Delegates
                    | EffectClass::Team => (Vec::new(), path),
                };
                Self {
                    reads,
                    writes,
                    network: Vec::new(),
                    is_all: class == EffectClass::Reads || class == EffectClass::Writes,
                }
            }
            Target::Host(to) => Self {
                network: vec![to.to_string()],
                is_all: true,
                ..Self::default()
            },
            Target::Command(command) => Self::of_command(command),
            Target::Team => Self {
                is_all: class == EffectClass::Team,
                ..Self::default()
            },
        }
    }

    /// Does something with each text.
    pub fn each_text(&mut self, mut work: impl FnMut(&mut String)) {
        let lists = [&mut self.reads, &mut self.writes, &mut self.network];
        lists.into_iter().flatten().for_each(&mut work);
    }

    /// The files of redirections, and words that are addresses.
    fn of_command(command: &ShellCommand) -> Self {
        let Script::Parsed {
            commands,
            files,
            inputs,
            texts: _,
            doubt: _,
        } = &command.script
        else {
            return Self::default();
        };
        let mut writes: Vec<&Word> = files.iter().collect();
        for input in inputs {
            if let Some(at) = writes.iter().position(|file| *file == input) {
                writes.remove(at);
            }
        }
        let words = commands.iter().flatten().filter(|word| is_address(word));
        Self {
            reads: listed(inputs.iter()),
            writes: listed(writes.into_iter()),
            network: listed(words),
            is_all: false,
        }
    }
}

/// Whether a word looks like an address of the network: `scheme://host`, but no file.
fn is_address(word: &Word) -> bool {
    let (Word::Known(text) | Word::Unknown(text)) = word;
    let scheme = text.split_once("://").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| {
        let is_word = scheme
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'+');
        !scheme.is_empty() && is_word && !scheme.eq_ignore_ascii_case("file")
    })
}

/// Words as they are written, each once, without what touches no file.
fn listed<'a>(words: impl Iterator<Item = &'a Word>) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    for word in words.filter(|word| !word.is_dev_null()) {
        let (Word::Known(text) | Word::Unknown(text)) = word;
        if list.len() < LISTED_MAX && !list.contains(text) {
            list.push(text.clone());
        }
    }
    list
}

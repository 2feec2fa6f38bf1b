//! Commands of the prompt that people wrote down: a file each, with the words that are sent in its place. The user's own, and
//! those of the workspace, which need the user's trust: they speak as the user. And those of plug-ins.

use std::path::Path;

use teammate_core::fence::is_invisible;
use teammate_tools::instructions::FrontMatter;

use super::{
    Plugin, Plugins, ProjectSettings, TextFile, TrustStore, UserDirs,
    front_keys::{self, OF_COMMANDS},
    skills::is_name,
    source_dir::SourceDir,
};

/// Where they are in the workspace.
const FOLDER: &str = ".teammate/commands";

/// Where they are in the user's configuration directory.
const OWN_FOLDER: &str = "commands";

/// The mark, in commands of other programs, before a command of the shell that is run when they are typed.
const SHELL_FORM: &str = "!`";

/// A command of the prompt: words with places for what is typed behind its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptCommand {
    /// The word that is typed, without the `/`.
    pub name: String,
    /// The command's purpose, in a line; the beginning of its words, if its file does not say it.
    pub description: String,
    /// A hint at the words that may be typed behind it; empty if its file has none.
    pub argument_hint: String,
    /// Its file, as it is called.
    pub shown: String,
    /// Whose it is.
    pub origin: CommandOrigin,
    /// The text that is sent, before [`expand`](Self::expand).
    pub body: String,
}

/// Whose a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommandOrigin {
    /// In the user's configuration directory.
    User,
    /// In the workspace, and trusted.
    Workspace,
    /// Of a plug-in.
    Plugin,
}

/// All commands that people wrote down.
#[derive(Debug, Default)]
pub struct PromptCommands {
    /// Those that may be used, each name once: the user's own hide the workspace's.
    pub known: Vec<PromptCommand>,
    /// The names of those of a workspace that is not trusted as it is now.
    pub untrusted: Vec<String>,
    /// Files that could not be read or used, in a sentence each.
    pub notices: Vec<String>,
}

impl PromptCommands {
    /// Reads all that there are now. `workspace` must be resolved. A name for which `is_taken` holds defines nothing.
    pub fn read(workspace: &Path, user: &UserDirs, is_taken: impl Fn(&str) -> bool) -> Self {
        let mut all = Self::default();
        let own = user.config.as_deref();
        let own = own.map_or(Ok(None), |config| SourceDir::of_user(config, OWN_FOLDER));
        let own = TextFile::markdown(own, &mut all.notices);
        all.add(own, CommandOrigin::User, &is_taken);
        for plugin in &Plugins::of_user(user).used {
            let files = TextFile::commands_of(plugin);
            all.add(files, CommandOrigin::Plugin, &is_taken);
        }
        let project = ProjectSettings::read(workspace);
        all.notices.extend(project.command_notices.iter().cloned());
        if project.commands.is_empty() {
            return all;
        }
        if TrustStore::at(user.state.as_deref()).is_trusted(workspace, &project) {
            all.add(project.commands, CommandOrigin::Workspace, &is_taken);
        } else {
            let names = project.commands.into_iter().map(|file| file.stem);
            all.untrusted = names.collect();
        }
        all
    }

    /// The command of this name, without the `/`.
    pub fn named(&self, name: &str) -> Option<&PromptCommand> {
        self.known.iter().find(|command| command.name == name)
    }

    fn add(
        &mut self,
        files: Vec<TextFile>,
        origin: CommandOrigin,
        is_taken: &impl Fn(&str) -> bool,
    ) {
        for file in files {
            let unused = |why: &str| format!("{} is not used: {why}", file.shown);
            let name = &file.named(&file.stem);
            match file.command(origin) {
                Ok(_) if is_taken(name) => {
                    self.notices
                        .push(unused(&format!("/{name} is a command of the program")));
                }
                Ok(_) if self.named(name).is_some() => {
                    self.notices
                        .push(unused(&format!("you have your own /{name}")));
                }
                Ok(command) => self.known.push(command),
                Err(notice) => self.notices.push(notice),
            }
        }
    }
}

/// The files of a workspace, which must be resolved: read, but not trusted.
pub(super) fn of_workspace(workspace: &Path, notices: &mut Vec<String>) -> Vec<TextFile> {
    TextFile::markdown(SourceDir::of_workspace(workspace, FOLDER), notices)
}

impl TextFile {
    /// The files of commands of a plug-in: `/PLUGIN:NAME`.
    pub fn commands_of(plugin: &Plugin) -> Vec<Self> {
        Self::of_plugin(plugin, plugin.command_files())
    }

    /// The command that the file defines.
    ///
    /// Errors: a sentence that says why it defines nothing.
    pub fn command(&self, origin: CommandOrigin) -> Result<PromptCommand, String> {
        self.parse_command(origin)
            .map_err(|why| format!("{} {why}; it is not used", self.shown))
    }

    fn parse_command(&self, origin: CommandOrigin) -> Result<PromptCommand, String> {
        if !is_name(&self.stem) {
            return Err("has an invalid name: use up to 64 letters, digits, - and _".to_owned());
        }
        let text = self.text()?;
        if text.chars().any(is_invisible) {
            return Err("has characters that no screen shows".to_owned());
        }
        let has_front = text.lines().next().map(str::trim_end) == Some("---");
        let (description, argument_hint, body) = match has_front {
            true => {
                let front = FrontMatter::read(&text)?;
                // What has no meaning here needs no word: it is read whenever a command is typed.
                front_keys::check(&OF_COMMANDS, &front)?;
                let of = |key| front.text(key).unwrap_or_default().to_owned();
                (of("description"), of("argument-hint"), front.body.clone())
            }
            false => (String::new(), String::new(), text.trim().to_owned()),
        };
        if origin == CommandOrigin::Plugin && body.contains(SHELL_FORM) {
            return Err(format!(
                "has a command of the shell in it ({SHELL_FORM}...`), which is not run here"
            ));
        }
        let begin = body.lines().next().ok_or("has no words to send")?;
        Ok(PromptCommand {
            name: self.named(&self.stem),
            description: match description.is_empty() {
                true => begin.trim_start_matches('#').trim().to_owned(),
                false => description,
            },
            argument_hint,
            shown: self.shown.clone(),
            origin,
            body,
        })
    }
}

impl PromptCommand {
    /// The text that is sent for these words, which were typed behind the command: `$ARGUMENTS` is all of them, `$1` to `$9`
    /// are single ones, which quotation marks keep together. Where the body has no place for them they come after it.
    pub fn expand(&self, arguments: &str) -> String {
        let arguments = arguments.trim();
        let single = words(arguments);
        let (mut out, mut rest, mut has_place) = (String::new(), self.body.as_str(), false);
        while let Some((before, after)) = rest.split_once('$') {
            out.push_str(before);
            rest = match Place::at(after) {
                Some((place, after)) => {
                    has_place = true;
                    out.push_str(match place {
                        Place::All => arguments,
                        Place::Single(number) => single.get(number).map_or("", String::as_str),
                    });
                    after
                }
                None => {
                    out.push('$');
                    after
                }
            };
        }
        out.push_str(rest);
        if !has_place && !arguments.is_empty() {
            out.push_str("\n\n");
            out.push_str(arguments);
        }
        out.trim().to_owned()
    }
}

/// A place for what is typed behind a command.
enum Place {
    All,
    /// Counted from 0.
    Single(usize),
}

impl Place {
    /// The place whose name begins a text, and what follows it.
    fn at(text: &str) -> Option<(Self, &str)> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
        let (name, after) = text.split_at(end);
        let place = match name.as_bytes() {
            b"ARGUMENTS" => Self::All,
            [digit @ b'1'..=b'9'] => Self::Single(usize::from(digit - b'1')),
            _ => return None,
        };
        Some((place, after))
    }
}

/// Words, parted by blanks; double quotation marks keep them together.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut is_quoted) = (Vec::new(), None::<String>, false);
    for c in text.chars() {
        match c {
            '"' => {
                is_quoted = !is_quoted;
                word.get_or_insert_default();
            }
            c if c.is_whitespace() && !is_quoted => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

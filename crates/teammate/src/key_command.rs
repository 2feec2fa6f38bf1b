//! A key that a command of the user's configuration prints: a password manager, or a cloud's tool that gives tokens. It runs
//! as the user, outside of the sandbox and of the workspace. When it runs, and how long its key is used, is not decided here.

use std::{env, path::PathBuf, sync::Arc, time::Duration};

use secrecy::{SecretString, zeroize::Zeroizing};
use teammate_core::port::BoxFuture;
use teammate_models::{KeySource, RenewableKey};
use teammate_sandbox::{UserCommand, UserOutput};
use teammate_tools::web::SearchKey;

/// How long it may take: it may ask the person for a password.
const TIME: Duration = Duration::from_secs(60);
/// The most characters of its complaints in a message.
const COMPLAINT_CHARS_MAX: usize = 500;

/// The name of the setting, for messages.
pub const KEY_COMMAND: &str = "key_command";

/// A shell command line whose first line of output is a key. The line itself is never shown: it may have a password in it.
struct KeyCommand(UserCommand);

/// A key that this line of the user's own configuration prints, run by `/bin/sh` in their home directory when the key is
/// first needed, and again when it has been used for so long or was refused.
pub fn key_from_command(line: &str, expires_after: Option<Duration>) -> Arc<RenewableKey> {
    Arc::new(RenewableKey::new(configured(line), expires_after))
}

/// A key for a search service that a command prints: the line is run when the key is first needed, and once more when it is
/// refused.
pub fn search_key_from_command(line: &str) -> SearchKey {
    let command = configured(line);
    SearchKey::new("web_search/key_command", move || {
        let command = command.clone();
        Box::pin(async move {
            let obtained = command.obtain().await;
            obtained.map_err(|why| format!("{KEY_COMMAND} of [web_search] {why}"))
        })
    })
}

fn configured(line: &str) -> Arc<KeyCommand> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a line of the user's own configuration, which nothing in a workspace sets"
    )]
    let command = UserCommand::configured(line);
    Arc::new(KeyCommand(command))
}

impl std::fmt::Debug for KeyCommand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("KeyCommand")
    }
}

impl KeySource for KeyCommand {
    fn obtain(&self) -> BoxFuture<'_, Result<SecretString, String>> {
        Box::pin(async {
            // Not in the workspace: what is found there would be found before the user's own programs.
            match self.0.output(&home(), TIME).await {
                Ok(Some(output)) => key_in(output),
                Ok(None) => Err(format!("did not end within {} s", TIME.as_secs())),
                Err(error) => Err(format!("could not be started: {error}")),
            }
        })
    }
}

fn home() -> PathBuf {
    let home = env::var_os("HOME").map(PathBuf::from);
    home.filter(|home| home.is_dir())
        .unwrap_or_else(|| "/".into())
}

/// The first line that was printed. What was printed is never a part of the error.
fn key_in(output: UserOutput) -> Result<SecretString, String> {
    let printed = Zeroizing::new(output.stdout);
    if !output.status.success() {
        let status = output.status;
        return Err(match complaint(&output.stderr) {
            said if said.is_empty() => format!("ended with {status} and said nothing"),
            said => format!("ended with {status}: {said}"),
        });
    }
    let Ok(printed) = std::str::from_utf8(&printed) else {
        return Err("printed something that is no text".to_owned());
    };
    match printed.lines().next().map(str::trim) {
        Some(key) if !key.is_empty() => Ok(key.into()),
        Some(_) | None => Err("printed no key in its first line".to_owned()),
    }
}

/// Its complaints on one line.
fn complaint(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut line = words.join(" ");
    line.retain(|c| !c.is_control());
    if let Some((end, _)) = line.char_indices().nth(COMPLAINT_CHARS_MAX) {
        line.truncate(end);
        line.push('…');
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn said(line: &str) -> Result<(), String> {
        key_from_command(line, None).check().await
    }

    #[tokio::test]
    async fn a_command_without_a_key_says_why_and_shows_nothing_of_its_output() {
        assert_eq!(said("echo ' sk-1 '; echo user: me").await, Ok(()));
        for (line, why) in [
            (
                r"echo sk-half; printf 'gpg: no\n\033[31mkey' >&2; exit 2",
                "ended with exit status: 2: gpg: no [31mkey",
            ),
            ("exit 1", "ended with exit status: 1 and said nothing"),
            ("true", "printed no key in its first line"),
            ("echo; echo sk-second", "printed no key in its first line"),
            (r"printf '\377sk'", "printed something that is no text"),
        ] {
            assert_eq!(said(line).await, Err(why.to_owned()), "{line}");
        }
        let long = said("head -c 3000 /dev/zero | tr '\\0' x >&2; exit 1").await;
        assert!(long.unwrap_err().len() < 600);
    }

    #[test]
    fn the_line_is_not_shown() {
        let key = key_from_command("echo sk-inline", None);
        assert!(!format!("{key:?}").contains("sk-inline"));
    }
}

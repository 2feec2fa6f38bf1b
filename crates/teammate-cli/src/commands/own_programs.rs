//! The user's own editor and pager, and lines that they type.

use std::path::Path;

use teammate::sandbox::UserCommand;

/// Runs a line of the user's own in a directory: what they typed, or their editor or pager.
pub(super) fn run(line: &str, dir: &Path) -> Result<(), String> {
    #[expect(
        clippy::disallowed_methods,
        reason = "a line that was typed at the prompt, or the editor or pager of the user's environment"
    )]
    let command = UserCommand::typed(line);
    match command.run(dir) {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{line}: {status}")),
        Err(error) => Err(format!("{line}: {error}")),
    }
}

/// Opens a file in the user's editor.
pub(super) fn edit(editor: &str, path: &Path, dir: &Path) -> Result<(), String> {
    run(&format!("{editor} {}", quoted(path)), dir)
}

/// The editor that the environment names.
pub(super) fn editor() -> Option<String> {
    ["VISUAL", "EDITOR"].into_iter().find_map(set)
}

/// The value of this variable of the environment.
pub(super) fn set(name: &str) -> Option<String> {
    std::env::var(name)
        .ok()
        .filter(|value| !value.trim().is_empty())
}

/// A path as a shell takes it.
pub(super) fn quoted(path: &Path) -> String {
    format!("'{}'", path.display().to_string().replace('\'', "'\\''"))
}

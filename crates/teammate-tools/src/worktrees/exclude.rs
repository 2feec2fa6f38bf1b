//! Tells git that the team's directory is none of its business: in the repository's own exclude file, which is not shared, never
//! in a file of the user.

use std::{
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
};

use teammate_core::port::WorktreeError;

use super::{Site, git::failed, repository::Repository};

impl Site {
    pub(super) async fn exclude(&self, repository: &Repository) -> Result<(), WorktreeError> {
        let what = "find its exclude file";
        let path = ["rev-parse", "--git-path", "info/exclude"];
        let path = self.git.must(what, &self.root, &path).await?;
        let path = self.root.join(path.trim_end_matches('\n'));
        let own = self.team_dir.strip_prefix(&self.root);
        let line = pattern(&repository.prefix.join(own.unwrap_or(&self.team_dir)));
        add_line(&path, &line).map_err(|error| {
            failed(
                &format!("be told in {} to ignore the team", path.display()),
                error,
            )
        })
    }
}

/// The path as a pattern that means it and nothing else.
fn pattern(path: &Path) -> String {
    let mut pattern = String::from("/");
    for c in path.to_string_lossy().chars() {
        if "\\*?[ ".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('/');
    pattern
}

fn add_line(path: &PathBuf, line: &str) -> io::Result<()> {
    let text = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(error),
    };
    if text
        .split(|byte| *byte == b'\n')
        .any(|l| l == line.as_bytes())
    {
        return Ok(());
    }
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir)?;
    }
    let gap = if text.is_empty() || text.ends_with(b"\n") {
        ""
    } else {
        "\n"
    };
    // At once, so that a line of somebody else who writes now stays whole.
    let mut file = fs::OpenOptions::new()
        .append(true)
        .create(true)
        .open(path)?;
    file.write_all(format!("{gap}{line}\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_means_one_directory_only() {
        assert_eq!(pattern(Path::new(".team")), "/.team/");
        assert_eq!(pattern(Path::new("a [b]*/.team")), "/a\\ \\[b]\\*/.team/");
    }

    #[test]
    fn a_line_is_added_once_and_after_whole_lines() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("info/exclude");
        add_line(&path, "/.team/").unwrap();
        add_line(&path, "/.team/").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "/.team/\n");
        fs::write(&path, "*.o").unwrap();
        add_line(&path, "/.team/").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "*.o\n/.team/\n");
    }
}

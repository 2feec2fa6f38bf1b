//! The test programs of the workspace as cargo has built them, and which of them have passed as they are.
//!
//! A program that has passed is not run again by the fast tier until it, or a file of its package that is not Rust, is another one: a
//! change in a leaf crate costs the tests of that crate. What looks at the whole repository or runs the whole program is always run.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::UNIX_EPOCH,
};

use xtask::command::cargo;

/// The test program of the whole program.
pub(super) const END_TO_END: &str = "e2e";
/// The test program that reads the whole repository.
const GUARDS: &str = "guards";

/// One test program.
pub(super) struct Executable {
    /// Of the target: a crate's, or that of a file or directory in `tests`.
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// The directory of its package, where it is run.
    pub(super) package: PathBuf,
}

/// Builds those that `arguments` of `cargo test` choose.
///
/// Errors: it cannot be built, in a few words; cargo has said more.
pub(super) fn build(root: &Path, arguments: &[&str]) -> Result<Vec<Executable>, String> {
    let args = [
        "test",
        "--workspace",
        "--no-run",
        "--message-format=json-render-diagnostics",
    ];
    let mut cargo = cargo(root, &args);
    let output = cargo.args(arguments).stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("cannot be built: {}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(executable).collect())
}

/// What a line of cargo's says of a test program, if it is about one. Cargo's lines have no spaces and keep their order.
fn executable(line: &str) -> Option<Executable> {
    let path = after(line, "\"executable\":\"")?;
    let target = line.split_once("\"target\":{")?.1;
    let is_test = line.contains("\"test\":true},\"features\"");
    is_test.then(|| {
        Some(Executable {
            name: after(target, "\"name\":\"")?.to_owned(),
            path: path.into(),
            package: Path::new(after(line, "\"manifest_path\":\"")?)
                .parent()?
                .to_owned(),
        })
    })?
}

/// The text behind `begin`, up to the next quote.
fn after<'a>(line: &'a str, begin: &str) -> Option<&'a str> {
    line.split_once(begin)?.1.split('"').next()
}

impl Executable {
    /// Whether it reads the whole repository or runs the whole program, so that it is always run.
    pub(super) fn looks_further(&self) -> bool {
        self.name == END_TO_END || self.name == GUARDS
    }

    /// Whether it has passed as it is, with the files of its package as they are.
    pub(super) fn has_passed(&self, root: &Path) -> bool {
        fs::read_to_string(self.mark(root)).is_ok_and(|mark| Some(mark) == self.state())
    }

    /// Notes that it has passed.
    pub(super) fn note_passed(&self, root: &Path) {
        let mark = self.mark(root);
        if let (Some(state), Some(dir)) = (self.state(), mark.parent()) {
            let _ = fs::create_dir_all(dir);
            let _ = fs::write(&mark, state);
        }
    }

    fn mark(&self, root: &Path) -> PathBuf {
        let name = self.path.file_name().unwrap_or_default();
        root.join("target/passed").join(name)
    }

    /// Changes with the program and with what it may read of its package.
    fn state(&self) -> Option<String> {
        let mut newest = 0;
        newest_file(&self.package, &mut newest);
        let program = fs::metadata(&self.path).ok()?;
        Some(format!("{} {} {newest}", program.len(), nanos(&program)?))
    }
}

/// The latest change of a file below `dir` that is no Rust, or of an example: those are programs of their own.
fn newest_file(dir: &Path, newest: &mut u128) {
    let is_example = dir.components().any(|part| part.as_os_str() == "examples");
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        let Ok(found) = entry.metadata() else {
            continue;
        };
        if found.is_dir() {
            newest_file(&path, newest);
        } else if is_example || path.extension().is_none_or(|end| end != "rs") {
            *newest = (*newest).max(nanos(&found).unwrap_or(u128::MAX));
        }
    }
}

fn nanos(found: &fs::Metadata) -> Option<u128> {
    let since = found.modified().ok()?.duration_since(UNIX_EPOCH);
    Some(since.ok()?.as_nanos())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::executable;

    #[test]
    fn a_line_of_cargos_names_a_test_program() {
        let line = |test| {
            format!(
                "{{\"reason\":\"compiler-artifact\",\"package_id\":\"p\",\"manifest_path\":\"/w/crates/a/Cargo.toml\",\
                 \"target\":{{\"kind\":[\"test\"],\"crate_types\":[\"bin\"],\"name\":\"store\",\"src_path\":\"s\"}},\
                 \"profile\":{{\"opt_level\":\"0\",\"test\":{test}}},\"features\":[],\"filenames\":[],\"executable\":\"/t/store-1\",\
                 \"fresh\":true}}"
            )
        };
        let found = executable(&line("true")).unwrap();
        assert_eq!(found.name, "store");
        assert_eq!(found.path, Path::new("/t/store-1"));
        assert_eq!(found.package, Path::new("/w/crates/a"));
        assert!(executable(&line("false")).is_none());
    }
}

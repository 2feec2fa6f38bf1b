//! Packages of the list, where they are installed: only when that is allowed, and only if their hash is the list's.

use std::{
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;
use xtask::root;

use super::{Package, Registry, install};

/// Whether what is not there is fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fetching {
    Allowed,
    Not,
}

impl Package {
    /// The directory in which it is installed, by a name of its own.
    ///
    /// Errors: it is not there and cannot be had, or is another than the list says.
    pub(crate) fn fetched(&self, name: &str, fetching: Fetching) -> Result<PathBuf, String> {
        let spec = self.spec();
        let mut specs = vec![spec.as_str()];
        specs.extend(self.with.iter().map(String::as_str));
        let is_there = match &self.from {
            Registry::Npm | Registry::Pip => install::is_there(&install::dir(name), &specs),
            Registry::Cargo(package) => install::dir(&package.replace('/', "-")).exists(),
        };
        if fetching == Fetching::Not && !is_there {
            return Err("it is not there: --fetch installs it".to_owned());
        }
        let (dir, hash) = match &self.from {
            Registry::Npm => {
                let dir = install::node(name, &specs)?;
                let hash = npm_hash(&dir, &self.name);
                (dir, hash)
            }
            Registry::Pip => {
                install::python(name, &specs)?;
                let dir = install::dir(name);
                let hash = pip_hash(&dir, &self.name);
                (dir, hash)
            }
            Registry::Cargo(package) => (
                install::rust(package)?,
                cargo_hash(package, &self.name, &self.version),
            ),
        };
        match hash {
            Some(hash) if hash == self.hash => Ok(dir),
            Some(hash) => Err(format!(
                "{spec} has the hash {hash}, not the one in the list"
            )),
            None => Err(format!("{spec} has no hash")),
        }
    }

    /// Where its programs are, in that directory.
    pub(crate) fn programs(&self, dir: &Path) -> PathBuf {
        match self.from {
            Registry::Npm => dir.join("node_modules/.bin"),
            Registry::Pip => dir.join("bin"),
            Registry::Cargo(_) => dir.to_owned(),
        }
    }
}

fn npm_hash(dir: &Path, name: &str) -> Option<String> {
    let lock = read(&dir.join("node_modules/.package-lock.json"))?;
    let hash = &lock["packages"][format!("node_modules/{name}")]["integrity"];
    hash.as_str().map(str::to_owned)
}

fn pip_hash(dir: &Path, name: &str) -> Option<String> {
    let report = read(&dir.join(install::REPORT))?;
    let installed = report["install"].as_array()?;
    let found = installed.iter().find(|package| {
        let found = package["metadata"]["name"].as_str().unwrap_or_default();
        normal(found) == normal(name)
    })?;
    let hash = &found["download_info"]["archive_info"]["hashes"]["sha256"];
    hash.as_str().map(str::to_owned)
}

/// Names of Python's packages are the same in several spellings.
fn normal(name: &str) -> String {
    name.to_lowercase().replace(['_', '.'], "-")
}

fn cargo_hash(package: &str, name: &str, version: &str) -> Option<String> {
    let lock = fs::read_to_string(root().join(package).join("Cargo.lock")).ok()?;
    let lock: toml::Table = lock.parse().ok()?;
    let packages = lock.get("package")?.as_array()?;
    let found = packages.iter().find(|package| {
        let has =
            |key: &str, value: &str| package.get(key).and_then(toml::Value::as_str) == Some(value);
        has("name", name) && has("version", version)
    })?;
    Some(found.get("checksum")?.as_str()?.to_owned())
}

fn read(path: &Path) -> Option<Value> {
    serde_json::from_slice(&fs::read(path).ok()?).ok()
}

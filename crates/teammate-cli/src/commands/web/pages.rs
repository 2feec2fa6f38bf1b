//! The files with keys of the pages that are served on this machine, one for each port.

use std::{net::TcpStream, path::PathBuf};

use anyhow::{anyhow, bail};
use teammate_web::KeyFile;

use crate::settings::user_dirs;

/// Where the files are.
pub(super) fn dir() -> anyhow::Result<PathBuf> {
    let state = user_dirs().state;
    let state = state
        .ok_or_else(|| anyhow!("there is no directory for the keys of a page (HOME is not set)"))?;
    Ok(state.join("web"))
}

/// The file of the page on this port.
pub(super) fn file(port: u16) -> anyhow::Result<PathBuf> {
    Ok(dir()?.join(format!("{port}.json")))
}

/// Whether somebody listens at this address: a page that was killed leaves its file.
fn is_served(page: &str) -> bool {
    TcpStream::connect(page.trim_start_matches("http://")).is_ok()
}

/// The page that is meant: on this port, or the only one.
pub(super) fn find(port: Option<u16>) -> anyhow::Result<KeyFile> {
    let mut pages = Vec::new();
    for entry in std::fs::read_dir(dir()?).into_iter().flatten().flatten() {
        let keys = KeyFile::of_page(&entry.path());
        let is_page = entry
            .path()
            .extension()
            .is_some_and(|ending| ending == "json");
        let is_meant = port.is_none_or(|port| entry.file_name() == format!("{port}.json").as_str());
        if is_page && is_meant && keys.address().is_ok_and(|page| is_served(&page)) {
            pages.push(keys);
        }
    }
    match (pages.len(), pages.pop()) {
        (1, Some(page)) => Ok(page),
        (0, _) | (_, None) => bail!("no page is served; `teammate web` begins one"),
        (count, Some(_)) => bail!("{count} pages are served; say which with --port"),
    }
}

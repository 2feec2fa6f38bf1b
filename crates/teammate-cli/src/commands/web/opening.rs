//! How the browser gets the key: by a file that only the user can read and that sends it on, so that the key is in no command line.

use std::{
    fs,
    io::Write as _,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use crate::commands::{outside::outside_of, own_programs};

/// Writes the file.
pub(super) fn write(dir: &Path, port: u16, page: &str, key: &str) -> std::io::Result<PathBuf> {
    let path = dir.join(format!("open-{port}.html"));
    let _ = fs::remove_file(&path);
    let mut options = fs::OpenOptions::new();
    let mut file = options
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path)?;
    // The address is ours, and the key is of hexadecimal digits: nothing in them ends the attribute.
    write!(
        file,
        "<!DOCTYPE html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta http-equiv=\"refresh\" content=\"0;url={page}/#key={key}\">\n<title>teammate</title>\n"
    )?;
    Ok(path)
}

/// Opens a file with the user's browser.
///
/// Errors: there is none, in words.
pub(super) fn open(path: &Path, workspace: &Path) -> Result<(), String> {
    let program = match own_programs::set("BROWSER") {
        Some(browser) => browser,
        None if cfg!(target_os = "macos") => "open".to_owned(),
        None => "xdg-open".to_owned(),
    };
    let line = format!("{program} {} >/dev/null 2>&1 &", own_programs::quoted(path));
    own_programs::run(&line, &outside_of(workspace))
}

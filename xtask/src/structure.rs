//! `cargo xtask structure`: what somebody who inherits the code has to read, in figures. Writes the tables of
//! `docs/project/structure.md`, beside those of the commit that the page compares with (`xtask/structure/before.txt`).
//!
//! Product code is what stands below `crates/*/src`, without the test kit, files and modules of tests, and examples.

mod additions;
mod core_build;
mod lines;
mod names;
mod source;
mod tables;
mod walks;

use std::{fs, path::Path, process::ExitCode};

use self::{
    source::Source,
    tables::{Table, render},
};

/// How it is called.
pub(crate) const USAGE: &str =
    "structure [--write | --files | --plain [DIR]]   (DIR: another checkout)";

/// Where the tables stand in the page.
const PAGE: &str = "docs/project/structure.md";
const BEGIN: &str = "<!-- measured: `cargo xtask structure --write` -->\n";
const END: &str = "<!-- measured until here -->";

/// Measures, and prints or writes what comes out. Fails if a walk names a file that is gone.
pub(crate) fn run(args: &[&str]) -> ExitCode {
    let root = xtask::root();
    let data = root.join("xtask/structure");
    let done = match args {
        [] => measured(&root, &data).map(|tables| print!("{}", render(&tables, &before(&data)))),
        ["--write"] => measured(&root, &data)
            .and_then(|tables| write(&root.join(PAGE), &render(&tables, &before(&data)))),
        ["--files"] => Source::all(&root).and_then(|sources| {
            print!(
                "{}",
                additions::listed(&sources, &read(&data, "additions.txt")?)
            );
            Ok(())
        }),
        ["--plain", dirs @ ..] if dirs.len() < 2 => {
            let dir = dirs.first().map_or(root.as_path(), |dir| Path::new(*dir));
            measured(dir, &data).map(|tables| print!("{}", tables::plain(&tables)))
        }
        _ => Err(format!("usage: cargo xtask {USAGE}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// All figures of a checkout. Its walks are those of this one, so another checkout has none.
fn measured(dir: &Path, data: &Path) -> Result<Vec<Table>, String> {
    let sources = Source::all(dir)?;
    let mut tables = vec![
        lines::whole(dir, &sources)?,
        names::table(&sources),
        lines::by_crate(dir, &sources),
    ];
    if dir == xtask::root() {
        tables.push(walks::table(dir, &read(data, "walks.txt")?)?);
    }
    tables.push(additions::table(&sources, &read(data, "additions.txt")?));
    Ok(tables)
}

fn before(data: &Path) -> String {
    read(data, "before.txt").unwrap_or_default()
}

fn read(data: &Path, name: &str) -> Result<String, String> {
    fs::read_to_string(data.join(name)).map_err(|error| format!("{name}: {error}"))
}

/// Exchanges the tables of the page, and leaves what is written around them.
fn write(page: &Path, tables: &str) -> Result<(), String> {
    let text = fs::read_to_string(page).map_err(|error| format!("{PAGE}: {error}"))?;
    let parts = text.split_once(BEGIN).and_then(|(head, rest)| {
        let (_, tail) = rest.split_once(END)?;
        Some(format!("{head}{BEGIN}\n{tables}{END}{tail}"))
    });
    let text = parts.ok_or_else(|| format!("{PAGE} has no place for the tables"))?;
    fs::write(page, text).map_err(|error| format!("{PAGE}: {error}"))
}

//! What is usual: the board is a file of lines, `pending`, `w1` or `done`, that everybody reads, changes and writes.

use std::{fs, io, path::Path};

use super::{
    TASKS,
    worker::{file, lines, say},
};

pub(super) fn prepare(root: &Path) -> io::Result<()> {
    fs::write(file(root), "pending\n".repeat(TASKS as usize))
}

fn write(root: &Path, lines: &[String]) -> io::Result<()> {
    // Written whole or not at all, so that a torn file is not the reason for its failure.
    let new = root.join(format!("board.{}", std::process::id()));
    fs::write(&new, lines.join("\n") + "\n")?;
    fs::rename(new, file(root))
}

/// Works until killed.
pub(super) fn work(root: &Path, name: &str) -> io::Result<()> {
    loop {
        let mut board = lines(root)?;
        let held = board.iter().position(|line| line == name);
        let at = match held {
            Some(at) => at,
            None => {
                let Some(at) = board.iter().position(|line| line == "pending") else {
                    std::thread::sleep(std::time::Duration::from_millis(1));
                    continue;
                };
                name.clone_into(&mut board[at]);
                write(root, &board)?;
                say(&format!("claimed {} 1", at + 1))?;
                at
            }
        };
        let mut board = lines(root)?;
        "done".clone_into(&mut board[at]);
        write(root, &board)?;
        say(&format!("completed {} 1", at + 1))?;
    }
}

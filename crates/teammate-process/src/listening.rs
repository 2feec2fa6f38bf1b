//! Whether a command serves: one of its processes listens for connections.

use std::collections::HashSet;

use rustix::process::Pid;

use crate::{
    Mark,
    table::{self, path},
};

/// The state of a socket that listens, in the kernel's tables.
const LISTENS: &str = "0A";

/// Whether a process of the command that bears this mark listens on a TCP port. False where there is no table of processes.
pub async fn listens(run: Mark) -> bool {
    let look = move || {
        let mut all = table::beside(&run.processes()).into_iter();
        all.any(process_listens)
    };
    // Only a runtime that goes down gives it up.
    tokio::task::spawn_blocking(look).await.unwrap_or_default()
}

fn process_listens(process: Pid) -> bool {
    let tables = ["net/tcp", "net/tcp6"].map(|table| std::fs::read_to_string(path(process, table)));
    let sockets: HashSet<String> = tables
        .iter()
        .flatten()
        .flat_map(|table| listening(table))
        .collect();
    if sockets.is_empty() {
        return false;
    }
    let Ok(open) = std::fs::read_dir(path(process, "fd")) else {
        return false;
    };
    let mut files = open.filter_map(|open| std::fs::read_link(open.ok()?.path()).ok());
    files.any(|file| sockets.contains(&*file.to_string_lossy()))
}

/// The sockets that listen, by the names that links to open files have.
fn listening(table: &str) -> impl Iterator<Item = String> {
    table.lines().filter_map(|line| {
        let mut fields = line.split_whitespace();
        let listens = fields.nth(3)? == LISTENS;
        listens
            .then(|| Some(format!("socket:[{}]", fields.nth(5)?)))
            .flatten()
    })
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_listens_is_known() {
        let own = rustix::process::getpid();
        let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        assert!(process_listens(own));
        let inode = std::fs::read_link(format!(
            "/proc/self/fd/{}",
            std::os::fd::AsRawFd::as_raw_fd(&server)
        ));
        let inode = inode.unwrap().to_string_lossy().into_owned();
        let table = std::fs::read_to_string("/proc/self/net/tcp").unwrap();
        assert!(listening(&table).any(|name| name == inode));
        drop(server);
        let table = std::fs::read_to_string("/proc/self/net/tcp").unwrap();
        assert!(listening(&table).all(|name| name != inode));
    }
}

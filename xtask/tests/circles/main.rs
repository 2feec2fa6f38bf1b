//! No circles of imports between the files of a crate: what a file needs can be read and tested without what needs it.
#![allow(missing_docs, clippy::unwrap_used, reason = "a test may")]

mod graph;
mod imports;

use std::path::{Path, PathBuf};

use self::graph::Graph;

/// A circle that may stay.
struct Allowed {
    /// The directory of its crate.
    package: &'static str,
    /// The modules that may be in it, with their children, below `src`.
    rooms: &'static [&'static str],
    #[expect(dead_code, reason = "it is there to be read")]
    reason: &'static str,
}

impl Allowed {
    fn has(&self, file: &str) -> bool {
        let module = file.trim_end_matches(".rs");
        self.rooms
            .iter()
            .any(|room| Path::new(module).starts_with(room))
    }
}

const ALLOWED: &[Allowed] = &[
    Allowed {
        package: "teammate-core",
        rooms: &[
            "board",
            "budget",
            "permission",
            "port",
            "price",
            "request",
            "team",
        ],
        reason: "one machine: a task's owner is a member, a member's gate is a request's, a request is about a task; its budget is \
                 of what it counts; and the ports' questions are asked in its words",
    },
    Allowed {
        package: "teammate-core",
        rooms: &["port/worktrees/error", "port/worktrees/name"],
        reason: "a name that is refused is one of the port's errors, which quote names",
    },
    Allowed {
        package: "teammate-models",
        rooms: &["scripted/newest", "scripted/play", "scripted/template"],
        reason: "a play has conditions on the newest message, which matches itself against them",
    },
    Allowed {
        package: "teammate-runtime",
        rooms: &["ledger/asking", "ledger/places", "ledger/task"],
        reason: "one task, a file for each way in which it comes to a record",
    },
    Allowed {
        package: "teammate-store",
        rooms: &["disk/beneath", "disk/owner"],
        reason: "an owner is looked up with the same flags as a path",
    },
    Allowed {
        package: "teammate-tools",
        rooms: &["process", "worktrees"],
        reason: "git runs contained as commands do, and a containment knows the places of worktrees",
    },
    Allowed {
        package: "teammate-tools",
        rooms: &["git/programs", "git/reader", "git/submodules"],
        reason: "submodules are repositories, whose programs are read in the same way",
    },
    Allowed {
        package: "teammate",
        rooms: &["client", "error", "ownership", "policy", "sandbox"],
        reason: "the library's error names what each of its parts found; the parts return it",
    },
    Allowed {
        package: "teammate",
        rooms: &["git_worktrees", "project"],
        reason: "a workspace's texts carry the trust that they were given",
    },
    Allowed {
        package: "teammate",
        rooms: &["builder", "team"],
        reason: "a builder opens a team, and a team is begun with a builder",
    },
    Allowed {
        package: "teammate",
        rooms: &["known_secrets", "providers"],
        reason: "providers hold keys, which are secrets, and secrets are collected from providers",
    },
    Allowed {
        package: "rig",
        rooms: &["torture/board"],
        reason: "the naive worker is a worker that does one thing worse",
    },
];

fn packages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut packages: Vec<PathBuf> = root
        .join("crates")
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("src").is_dir())
        .collect();
    packages.extend([root.join("rig"), root.join("xtask")]);
    packages.sort();
    packages
}

#[test]
fn no_files_of_a_crate_import_each_other_in_a_circle() {
    let mut wrong = Vec::new();
    let mut unused: Vec<&Allowed> = ALLOWED.iter().collect();
    for package in packages() {
        let name = package.file_name().unwrap().to_string_lossy().into_owned();
        let graph = Graph::of(&imports::of_package(&package.join("src")));
        println!("{name}: {}", graph.in_a_line());
        for circle in graph.circles() {
            let is_allowed = |allowed: &Allowed| {
                allowed.package == name && circle.iter().all(|file| allowed.has(file))
            };
            if !ALLOWED.iter().any(is_allowed) {
                wrong.push(format!("{name}: {}", graph.describe(&circle)));
            }
            unused.retain(|allowed| !is_allowed(allowed));
        }
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
    if let Some(Allowed { package, rooms, .. }) = unused.first() {
        panic!("{package}: there is no circle of {rooms:?} any more: take it off the list");
    }
}

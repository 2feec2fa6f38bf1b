//! Which crate may know which: everything points to the core, siblings do not see each other, and one crate composes.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use serde_json::Value;

/// A crate's dependencies, by kind: those of its code and those of its tests.
#[derive(Default)]
struct Knows {
    code: BTreeSet<String>,
    tests: BTreeSet<String>,
}

fn crates() -> BTreeMap<String, Knows> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--format-version", "1"])
        .output()
        .unwrap();
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let mut crates = BTreeMap::new();
    for package in packages {
        let mut knows = Knows::default();
        for dependency in package["dependencies"].as_array().unwrap() {
            let name = dependency["name"].as_str().unwrap().to_owned();
            match dependency["kind"].as_str() {
                Some("dev") => knows.tests.insert(name),
                Some(_) | None => knows.code.insert(name),
            };
        }
        crates.insert(package["name"].as_str().unwrap().to_owned(), knows);
    }
    crates
}

fn is_ours(name: &str) -> bool {
    name == "teammate" || name.starts_with("teammate-")
}

fn siblings(knows: &BTreeSet<String>) -> Vec<&str> {
    let names = knows.iter().map(String::as_str);
    names.filter(|name| is_ours(name)).collect()
}

#[test]
fn the_core_knows_its_words_only_and_they_nobody_and_both_little() {
    let crates = crates();
    let known = |name: &str| -> Vec<String> { crates[name].code.iter().cloned().collect() };
    assert_eq!(
        known("teammate-words"),
        ["serde", "serde_json", "thiserror", "unicode-ident", "uuid"]
    );
    assert_eq!(
        known("teammate-core"),
        [
            "globset",
            "regex",
            "serde",
            "serde_json",
            "teammate-words",
            "thiserror",
            "uuid"
        ]
    );
}

#[test]
fn adapters_know_the_core_only_and_the_runtime_its_machines_too() {
    let crates = crates();
    // What members cause to run goes through three floors: tools, and git for them, on processes, on the sandbox.
    let floors = [
        "teammate-core",
        "teammate-git",
        "teammate-process",
        "teammate-sandbox",
    ];
    assert_eq!(siblings(&crates["teammate-tools"].code), floors);
    let git = siblings(&crates["teammate-git"].code);
    assert_eq!(git, [floors[0], floors[2], floors[3]]);
    let process = siblings(&crates["teammate-process"].code);
    assert_eq!(process, [floors[0], floors[3]]);
    // It runs the machines of workers.
    let runtime = siblings(&crates["teammate-runtime"].code);
    assert_eq!(runtime, ["teammate-core", "teammate-fleet"]);
    for name in [
        "fleet",
        "models",
        "otel",
        "protocols",
        "sandbox",
        "testkit",
        "view",
        "wire",
    ] {
        let name = format!("teammate-{name}");
        assert_eq!(
            siblings(&crates[&name].code),
            ["teammate-core"],
            "{name} sees its siblings"
        );
    }
}

#[test]
fn the_library_composes_and_the_program_knows_the_library_and_screens() {
    // `xtask` is a tool, not a part.
    for (name, knows) in crates().iter().filter(|(name, _)| is_ours(name)) {
        let siblings = siblings(&knows.code);
        match name.as_str() {
            "teammate" => {}
            "teammate-cli" => {
                let known = [
                    "teammate",
                    "teammate-serve",
                    "teammate-tui",
                    "teammate-view",
                    "teammate-web",
                ];
                assert_eq!(siblings, known);
            }
            // Other programs drive a team as this one does, and editors get what a screen shows.
            "teammate-serve" => {
                let known = ["teammate", "teammate-protocols", "teammate-view"];
                assert_eq!(siblings, known);
            }
            // A screen draws a view.
            "teammate-tui" | "teammate-web" => {
                assert_eq!(siblings, ["teammate-core", "teammate-view"], "{name}");
            }
            // Both keep the same lines, one in files and one on servers.
            "teammate-store" | "teammate-nats" => {
                assert_eq!(siblings, ["teammate-core", "teammate-wire"], "{name}");
            }
            // What starts a command takes the sandbox as a value, what runs a team the machines of its workers: they are
            // asserted above.
            "teammate-tools" | "teammate-git" | "teammate-process" | "teammate-runtime" => {}
            _ => {
                assert!(!siblings.contains(&"teammate"), "{name}");
                assert!(siblings.len() <= 1, "{name} composes {siblings:?}");
            }
        }
        assert!(!siblings.contains(&"teammate-cli"), "{name}");
    }
}

#[test]
fn the_library_brings_no_command_line_and_no_terminal() {
    let crates = crates();
    for program_only in ["anyhow", "clap", "etcetera", "rustyline", "unicode-width"] {
        let library = &crates["teammate"].code;
        assert!(!library.contains(program_only), "{program_only}");
        let program = &crates["teammate-cli"].code;
        assert!(program.contains(program_only), "{program_only}");
    }
}

#[test]
fn the_testkit_is_for_tests() {
    for (name, knows) in crates().iter().filter(|(name, _)| is_ours(name)) {
        assert!(!knows.code.contains("teammate-testkit"), "{name}");
    }
}

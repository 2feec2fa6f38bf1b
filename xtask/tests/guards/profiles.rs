//! What is built for users: in the crates that a person looks at a sum never wraps, a text is never cut at an offset that may not be
//! in it, and a panic can be caught.

use std::{collections::BTreeMap, fs, iter, path::Path};

use crate::tree::{files, root};

/// The crates that draw or write what a person looks at.
const FACES: [&str; 5] = [
    "teammate-cli",
    "teammate-serve",
    "teammate-tui",
    "teammate-view",
    "teammate-web",
];

/// The package of the program.
const PROGRAM: &str = "teammate-cli";

/// What people build from source, and what is packaged.
const SHIPPED: [&str; 2] = ["release", "dist"];

/// What names few packages, so that others begin from it.
const BASE: &str = "dev";

/// The keys of a manifest's profiles, each with its tables before it: `profile.release.panic`.
struct Profiles(BTreeMap<String, String>);

impl Profiles {
    fn read(manifest: &str) -> Self {
        let mut table = String::new();
        let mut keys = BTreeMap::new();
        for line in manifest.lines().map(str::trim) {
            if let Some(name) = line
                .strip_prefix('[')
                .and_then(|line| line.strip_suffix(']'))
            {
                table = name.trim().replace('"', "");
            } else if let Some((key, value)) = line.split_once('=')
                && table.starts_with("profile.")
                && !line.starts_with('#')
            {
                assert!(!value.contains('{'), "one key a line, please: {line}");
                let value = value.split('#').next().unwrap_or_default();
                let key = key.trim().replace('"', "");
                keys.insert(format!("{table}.{key}"), value.trim().replace('"', ""));
            }
        }
        Self(keys)
    }

    fn get(&self, profile: &str, key: &str) -> Option<&str> {
        self.0
            .get(&format!("profile.{profile}.{key}"))
            .map(String::as_str)
    }

    /// The profile and what it inherits from, the nearest first.
    fn chain<'a>(&'a self, profile: &'a str) -> impl Iterator<Item = &'a str> + Clone {
        iter::successors(Some(profile), |profile| self.get(profile, "inherits"))
    }

    /// Those that are, or come from, what is built for users.
    fn shipped(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self
            .0
            .keys()
            .filter_map(|key| key.split('.').nth(1))
            .collect();
        names.dedup();
        names.retain(|name| self.chain(name).any(|from| SHIPPED.contains(&from)));
        names
    }

    /// The packages that have a level of their own in this profile's own tables.
    fn levels<'a>(&'a self, profile: &str) -> impl Iterator<Item = &'a str> {
        let tables = format!("profile.{profile}.package.");
        self.0
            .keys()
            .filter_map(move |key| key.strip_prefix(&tables)?.strip_suffix(".opt-level"))
    }

    /// What a crate of this workspace is built with: what is said for it alone comes first, at any place of the chain.
    fn of_crate(&self, profile: &str, name: &str, key: &str) -> Option<&str> {
        let own = format!("package.{name}.{key}");
        let mut own = self
            .chain(profile)
            .filter_map(|profile| self.get(profile, &own));
        own.next().or_else(|| {
            self.chain(profile)
                .find_map(|profile| self.get(profile, key))
        })
    }

    /// What is wrong for users, a line each.
    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for profile in self.shipped() {
            for name in FACES {
                if self.of_crate(profile, name, "overflow-checks") != Some("true") {
                    faults.push(format!("{profile}: {name} without overflow-checks"));
                }
            }
            if self
                .chain(profile)
                .find_map(|profile| self.get(profile, "panic"))
                == Some("abort")
            {
                faults.push(format!("{profile}: a panic ends the program"));
            }
            // Levels that fit tests would go on to what is packaged.
            if self.chain(profile).any(|from| from == BASE) {
                for name in self.levels(BASE) {
                    if self
                        .get(profile, &format!("package.{name}.opt-level"))
                        .is_none()
                    {
                        faults.push(format!("{profile}: {name} has the level of {BASE}"));
                    }
                }
            }
            // Cargo leaves its symbols, a sixth of the file, to a program whose package has a table of its own.
            if self
                .0
                .keys()
                .any(|key| key.starts_with(&format!("profile.{profile}.package.{PROGRAM}.")))
            {
                faults.push(format!("{profile}: the program is not stripped"));
            }
        }
        faults
    }
}

#[test]
fn what_is_built_for_users_checks_sums_of_what_a_person_looks_at() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let profiles = Profiles::read(&manifest);
    for name in SHIPPED {
        assert!(
            profiles.shipped().contains(&name),
            "{:?}",
            profiles.shipped()
        );
    }
    assert_eq!(profiles.faults(), [""; 0]);
}

#[test]
fn what_one_profile_takes_back_is_found() {
    let manifest = |more: &str| {
        format!(
            "[profile.dev]\npanic = \"abort\"\n[profile.release]\noverflow-checks = true\n[profile.dist]\ninherits = \"release\" # and\n{more}"
        )
    };
    let faults = |more: &str| Profiles::read(&manifest(more)).faults();
    assert_eq!(faults(""), [""; 0]);
    assert_eq!(faults("overflow-checks = false").len(), FACES.len());
    assert_eq!(
        faults("panic = \"abort\""),
        ["dist: a panic ends the program"]
    );
    assert_eq!(
        faults("[profile.dist.package.teammate-web]\noverflow-checks = false"),
        ["dist: teammate-web without overflow-checks"]
    );
    assert_eq!(
        faults("[profile.dist.package]\nteammate-cli.overflow-checks = true"),
        ["dist: the program is not stripped"]
    );
    assert_eq!(
        faults("[profile.other]\ninherits = \"dist\"\nopt-level = 3"),
        [""; 0]
    );
    let from_dev = "[profile.dev.package]\nmemchr.opt-level = 1\n[profile.dist]\ninherits = \"dev\"\noverflow-checks = true";
    assert_eq!(
        Profiles::read(&format!(
            "{from_dev}\n[profile.release]\noverflow-checks = true"
        ))
        .faults(),
        ["dist: memchr has the level of dev"]
    );
    let bare =
        Profiles::read("[profile.release]\nlto = \"thin\"\n[profile.other]\ninherits = \"dev\"");
    assert_eq!(bare.faults().len(), FACES.len());
}

/// The rule of clippy, and how a crate takes it up. Tests may cut as they like.
const RULE: &str = "clippy::string_slice";
const TAKEN_UP: &str = "\n#![cfg_attr(not(test), warn(clippy::string_slice))]\n";

#[test]
fn clippy_sees_texts_that_are_cut_at_offsets() {
    for name in FACES {
        let src = format!("crates/{name}/src");
        let mut crates = 0;
        for path in files(&[&src], &["rs"]) {
            let text = fs::read_to_string(root().join(&path)).unwrap();
            if path == Path::new(&src).join("lib.rs") || path == Path::new(&src).join("main.rs") {
                assert!(text.contains(TAKEN_UP), "{}", path.display());
                crates += 1;
            } else {
                // Only a place that says why may do without.
                let told: String = text.split_whitespace().collect();
                let reasons = told.matches(&format!("#[expect({RULE},reason=")).count();
                assert_eq!(told.matches(RULE).count(), reasons, "{}", path.display());
            }
        }
        assert!(crates > 0, "{name}");
    }
}

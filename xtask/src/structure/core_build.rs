//! The program built without any feature: the crates that are not optional, without modules that a feature brings.

use std::{collections::BTreeSet, fs, path::Path};

use super::source::Source;

/// The program's crate.
const PROGRAM: &str = "teammate-cli";

/// What the smallest build has.
pub(super) struct CoreBuild {
    packages: BTreeSet<String>,
    /// Modules that only a feature brings, by their paths without `.rs`.
    gated: BTreeSet<String>,
}

impl CoreBuild {
    /// Follows the dependencies of the program in the manifests below `crates`, and looks for gated modules.
    pub(super) fn read(root: &Path, sources: &[Source]) -> Result<Self, String> {
        let mut packages = BTreeSet::new();
        let mut open = vec![PROGRAM.to_owned()];
        while let Some(package) = open.pop() {
            let path = root.join("crates").join(&package).join("Cargo.toml");
            let text = fs::read_to_string(&path)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            if packages.insert(package) {
                open.extend(required(&text));
            }
        }
        let gated = sources.iter().flat_map(gated_modules).collect();
        Ok(Self { packages, gated })
    }

    /// Whether the file is in the smallest build. What a feature brings inside of it counts all the same.
    pub(super) fn has(&self, source: &Source) -> bool {
        let module = source.name.trim_end_matches(".rs");
        let mut above = module.match_indices('/').map(|(at, _)| &module[..at]);
        self.packages.contains(&source.package)
            && !self.gated.contains(module)
            && !above.any(|folder| self.gated.contains(folder))
    }
}

/// The crates of ours that a manifest takes whatever its features are.
fn required(manifest: &str) -> BTreeSet<String> {
    let from = manifest
        .split("\n[dependencies]")
        .nth(1)
        .unwrap_or_default();
    let table = from.split("\n[").next().unwrap_or_default();
    let ours = table
        .lines()
        .filter(|line| line.starts_with("teammate") && !line.contains("optional = true"));
    ours.filter_map(|line| line.split(['.', ' ', '=']).next())
        .map(str::to_owned)
        .collect()
}

/// The modules that a file declares below a feature.
fn gated_modules(source: &Source) -> Vec<String> {
    let stem = source.name.trim_end_matches(".rs");
    let folder = match stem.rsplit_once('/') {
        Some((folder, "lib" | "main" | "mod")) => folder,
        _ => stem,
    };
    let mut is_gated = false;
    let mut modules = Vec::new();
    for line in source.code() {
        let declared = line
            .split_once("mod ")
            .and_then(|(_, name)| name.strip_suffix(';'));
        if let Some(name) = declared.filter(|_| is_gated) {
            modules.push(format!("{folder}/{name}"));
        }
        is_gated =
            line.starts_with("#[cfg(") && line.contains("feature = ") && !line.contains("not(")
                || is_gated && line.starts_with("#[");
    }
    modules
}

#[test]
fn a_module_below_a_feature_is_not_in_the_smallest_build() {
    let source = |name: &str, text: &str| Source {
        package: "teammate-cli".to_owned(),
        name: format!("crates/teammate-cli/src/{name}"),
        text: text.to_owned(),
        length: 1,
    };
    let main = source(
        "main.rs",
        "#[cfg(feature = \"web\")]\nmod web;\nmod run;\n#[cfg(not(feature = \"web\"))]\nmod plain;\n",
    );
    let build = CoreBuild {
        packages: BTreeSet::from(["teammate-cli".to_owned()]),
        gated: gated_modules(&main).into_iter().collect(),
    };
    let has = |name: &str| build.has(&source(name, ""));
    assert_eq!(
        ["run.rs", "plain.rs", "web.rs", "web/page.rs"].map(has),
        [true, true, false, false]
    );
    let manifest = "[package]\n\n[dependencies]\nteammate.workspace = true\nteammate-web = { workspace = true, optional = true }\n\n[dev-dependencies]\nteammate-testkit.workspace = true\n";
    assert_eq!(required(manifest), BTreeSet::from(["teammate".to_owned()]));
}

//! Landlock rules: what may be written, who may be signalled. The second layer in a view with namespaces; the first where
//! there are none, and then also what of the hidden may be read.

use std::{
    collections::BTreeSet,
    fs,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
};

use landlock::{
    ABI, Access as _, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible as _, PathBeneath,
    PathFd, Ruleset, RulesetAttr as _, RulesetCreated, RulesetCreatedAttr as _, Scope,
};

use crate::{
    failure::Failure,
    policy::{Expected, ViewPlan},
};

/// The newest version of the kernel's rules that is made use of.
const VERSION: ABI = ABI::V6;
/// What commands write in besides what the policy opens, in a view with namespaces. Mounts of a command's own stand below `/dev`.
const PRIVATE: [&str; 4] = ["/dev", "/run", "/tmp", "/var/tmp"];
/// The devices that commands write to where `/dev` is the machine's.
const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/tty",
    "/dev/shm",
];

type Error = Box<dyn std::error::Error>;

/// Rules for a view, as a descriptor that commands put on. To be called in the view. None where the kernel has no Landlock.
pub(super) fn in_namespaces(plan: &ViewPlan) -> Result<Option<OwnedFd>, Failure> {
    let writable = plan.writable.iter().chain(&plan.home).map(Expected::path);
    let writable: Vec<PathBuf> = PRIVATE
        .iter()
        .map(Path::new)
        .chain(writable)
        .map(Path::to_owned)
        .collect();
    let rules = || -> Result<_, Error> {
        let ruleset = begin(false)?;
        let ruleset = allow(ruleset, Path::new("/"), AccessFs::from_read(VERSION))?;
        allow_writing(ruleset, writable)
    };
    finish(rules)
}

/// Rules that stand alone. Hidden directories below a writable one stay readable: rules cannot take back. `None` where the
/// kernel has no Landlock.
pub(super) fn alone(plan: &ViewPlan) -> Result<Option<OwnedFd>, Failure> {
    let writable = plan.writable.iter().chain(&plan.tmp).map(Expected::path);
    let writable: Vec<PathBuf> = DEVICES
        .iter()
        .map(Path::new)
        .chain(writable)
        .map(Path::to_owned)
        .collect();
    let hidden: BTreeSet<&Path> = plan.hidden.iter().map(Expected::path).collect();
    let rules = || -> Result<_, Error> {
        // Names may be listed everywhere; what stands in files not.
        let ruleset = begin(plan.has_own_network)?;
        let ruleset = allow(ruleset, Path::new("/"), AccessFs::ReadDir.into())?;
        let mut ruleset = allow_reading(ruleset, Path::new("/"), &hidden)?;
        for shown in &plan.shown {
            ruleset = allow(ruleset, shown.path(), AccessFs::from_read(VERSION))?;
        }
        allow_writing(ruleset, writable)
    };
    finish(rules)
}

fn begin(closes_network: bool) -> Result<RulesetCreated, Error> {
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(VERSION))?
        .scope(Scope::from_all(VERSION))?;
    if closes_network {
        ruleset = ruleset.handle_access(AccessNet::from_all(VERSION))?;
    }
    Ok(ruleset.create()?)
}

fn allow(
    ruleset: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> Result<RulesetCreated, Error> {
    Ok(ruleset.add_rule(PathBeneath::new(PathFd::new(path)?, access))?)
}

fn allow_writing(
    mut ruleset: RulesetCreated,
    paths: Vec<PathBuf>,
) -> Result<RulesetCreated, Error> {
    for path in paths {
        match fs::metadata(&path) {
            Ok(found) if found.is_dir() => {
                ruleset = allow(ruleset, &path, AccessFs::from_all(VERSION))?;
            }
            Ok(_) => ruleset = allow(ruleset, &path, AccessFs::from_file(VERSION))?,
            Err(_) => {}
        }
    }
    Ok(ruleset)
}

/// Allows all below a directory but what is hidden: where something is, what stands beside it one by one.
fn allow_reading(
    ruleset: RulesetCreated,
    dir: &Path,
    hidden: &BTreeSet<&Path>,
) -> Result<RulesetCreated, Error> {
    if hidden.contains(dir) {
        return Ok(ruleset);
    }
    if !hidden.iter().any(|hidden| hidden.starts_with(dir)) {
        let is_dir = fs::metadata(dir).is_ok_and(|found| found.is_dir());
        let all = if is_dir {
            AccessFs::from_read(VERSION)
        } else {
            AccessFs::ReadFile | AccessFs::Execute
        };
        // It may be gone by now, or a link to nowhere.
        return match PathFd::new(dir) {
            Ok(found) => Ok(ruleset.add_rule(PathBeneath::new(found, all))?),
            Err(_) => Ok(ruleset),
        };
    }
    let mut ruleset = ruleset;
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        // What a link leads to has its own rule, or none.
        if !entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
            ruleset = allow_reading(ruleset, &entry.path(), hidden)?;
        }
    }
    Ok(ruleset)
}

fn finish(
    rules: impl FnOnce() -> Result<RulesetCreated, Error>,
) -> Result<Option<OwnedFd>, Failure> {
    match rules() {
        Ok(ruleset) => Ok(ruleset.into()),
        Err(error) => Err(Failure::new("make Landlock rules", error.to_string())),
    }
}

/// Whether the kernel knows Landlock at all.
pub(super) fn is_known() -> bool {
    let tried = || -> Result<_, Error> {
        let ruleset = begin(false)?;
        let ruleset: Option<OwnedFd> = ruleset.into();
        Ok(ruleset.is_some())
    };
    tried().unwrap_or_default()
}

//! Landlock, the second layer: what may be written, who may be signalled. As far as the kernel knows it.

use std::{
    os::fd::OwnedFd,
    path::{Path, PathBuf},
};

use landlock::{
    ABI, Access as _, AccessFs, CompatLevel, Compatible as _, PathBeneath, PathFd, Ruleset,
    RulesetAttr as _, RulesetCreatedAttr as _, Scope,
};

use crate::{
    failure::Failure,
    policy::{Expected, ViewPlan},
};

/// The newest version of the kernel's rules that is made use of.
const VERSION: ABI = ABI::V6;
/// What commands write in besides what the policy opens. Mounts of a command's own stand below `/dev`.
const ALWAYS: [&str; 4] = ["/dev", "/run", "/tmp", "/var/tmp"];

/// The rules, as a descriptor that commands put on. None where the kernel has no Landlock. To be called in the view.
pub(super) fn ruleset(plan: &ViewPlan) -> Result<Option<OwnedFd>, Failure> {
    let all = AccessFs::from_all(VERSION);
    let look = AccessFs::from_read(VERSION);
    let writable = plan.writable.iter().chain(&plan.home).map(Expected::path);
    let writable: Vec<PathBuf> = ALWAYS
        .iter()
        .map(Path::new)
        .chain(writable)
        .map(Path::to_owned)
        .filter(|path| path.is_dir())
        .collect();
    let rules = || -> Result<_, Box<dyn std::error::Error>> {
        let mut ruleset = Ruleset::default()
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(all)?
            .scope(Scope::from_all(VERSION))?
            .create()?
            .add_rule(PathBeneath::new(PathFd::new("/")?, look))?;
        for path in &writable {
            ruleset = ruleset.add_rule(PathBeneath::new(PathFd::new(path)?, all))?;
        }
        Ok(ruleset)
    };
    match rules() {
        Ok(ruleset) => Ok(ruleset.into()),
        Err(error) => Err(Failure::new("make Landlock rules", error.to_string())),
    }
}

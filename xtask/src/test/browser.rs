//! What the tests in a browser need: Debian's Chromium with its driver, which `apt-get` installs where this is root, and axe-core in
//! exactly one version, which `npm` puts below `target/tools`.

use std::{
    fs,
    path::{Path, PathBuf},
};

use xtask::command::{Ended, cargo, command, run, works};

/// What is installed, by `npm`: exactly this version, with its digest.
const LOCK: &str = include_str!("../../pinned/axe/package-lock.json");
const MANIFEST: &str = include_str!("../../pinned/axe/package.json");

/// Where both are.
pub(crate) struct Browser {
    axe: PathBuf,
}

impl Browser {
    /// Finds or installs both.
    ///
    /// Errors: what is missing, in a sentence.
    pub(crate) fn find(root: &Path) -> Result<Self, String> {
        if !(has_chromium() || (install_chromium(root) && has_chromium())) {
            return Err(
                "chromium and chromedriver are not there; on Debian: apt-get install chromium chromium-driver"
                    .to_owned(),
            );
        }
        let axe = axe(root).ok_or("axe-core is not there, and npm cannot install it")?;
        Ok(Self { axe })
    }

    /// Runs the tests in a browser whose names begin with this; two side by side, for each waits for a browser of its own most of the time.
    pub(crate) fn run(&self, root: &Path, tests: &str, environment: &[(&str, &Path)]) -> Ended {
        let args = ["test", "--workspace", "--test", "e2e"];
        let mut test = cargo(root, &args);
        test.args(["--", "--ignored", "--test-threads", "2", tests])
            .env("TEAMMATE_AXE", &self.axe)
            .envs(environment.iter().copied());
        run(&mut test)
    }
}

fn has_chromium() -> bool {
    works("chromedriver", &["--version"]) && works("chromium", &["--version"])
}

fn install_chromium(root: &Path) -> bool {
    let is_root = fs::metadata("/proc/self").is_ok_and(|own| {
        use std::os::unix::fs::MetadataExt as _;
        own.uid() == 0
    });
    let apt = |args: &[&str]| {
        let mut apt = command(root, "apt-get", args);
        let quiet = apt.env("DEBIAN_FRONTEND", "noninteractive");
        matches!(run(quiet), Ended::Passed(_))
    };
    let packages = ["chromium", "chromium-driver", "fonts-dejavu-core"];
    let install = ["install", "-y", "-qq", "--no-install-recommends"];
    is_root && apt(&["update", "-qq"]) && apt(&[&install[..], &packages].concat())
}

/// The one file of axe-core.
fn axe(root: &Path) -> Option<PathBuf> {
    let dir = root.join("target/tools/axe");
    let (file, mark) = (
        dir.join("node_modules/axe-core/axe.min.js"),
        dir.join("installed"),
    );
    let is_there = || file.exists() && fs::read_to_string(&mark).is_ok_and(|there| there == LOCK);
    if is_there() {
        return Some(file);
    }
    fs::create_dir_all(&dir).ok()?;
    fs::write(dir.join("package.json"), MANIFEST).ok()?;
    fs::write(dir.join("package-lock.json"), LOCK).ok()?;
    let words = [
        "ci",
        "--ignore-scripts",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
    ];
    let made = run(&mut command(&dir, "npm", &words));
    let is_made = matches!(made, Ended::Passed(_)) && fs::write(&mark, LOCK).is_ok();
    (is_made && is_there()).then_some(file)
}

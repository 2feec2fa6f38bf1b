//! Whether commands are held as well as the level says: what must not be possible is tried.

use std::{
    fs::{self, DirBuilder, File},
    io::{self, Read as _},
    net::{Ipv4Addr, TcpListener},
    os::{fd::AsFd as _, unix::fs::DirBuilderExt as _},
    panic::resume_unwind,
    path::{Path, PathBuf},
    process,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::Duration,
};

use crate::{
    failure::{Failure, Step as _},
    helper::{Helper, Joins},
    level::Level,
    limits::CommandLimits,
    order::Order,
    policy::{Held, Policy},
    probe::{Attempt, Targets},
    running::Ended,
    streams::Streams,
};

/// How long the probes may take. They take some milliseconds.
const LIMIT: Duration = Duration::from_secs(10);

/// That commands of one helper are held as its level says: everything was tried that must fail there, and failed.
#[derive(Debug, Clone)]
pub struct Proof {
    level: Level,
    possible: Vec<Attempt>,
}

impl Proof {
    /// The level that was proven.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The attempts that succeeded although a better level would have prevented them. Nothing at [`Level::Full`].
    pub fn possible(&self) -> &[Attempt] {
        &self.possible
    }

    fn judge(level: Level, possible: Vec<Attempt>) -> Result<Self, Failure> {
        match possible.iter().find(|probe| probe.fails_from() <= level) {
            Some(probe) => Err(Failure::new(
                "hold commands",
                format!("at level {level}, a command can {}", probe.deed()),
            )),
            None => Ok(Self { level, possible }),
        }
    }
}

impl Helper {
    /// Tries inside of the walls what a command must not be able to do. Takes some milliseconds and blocks, so a program does
    /// it while it starts; it makes a directory of its own in this one, which must be on a disk that commands see.
    ///
    /// # Errors
    ///
    /// Something succeeded that the level promises to prevent, or could not be tried: start a helper at a lower level.
    pub fn prove(&self, directory: &Path) -> Result<Proof, Failure> {
        if self.level() == Level::Off {
            return Proof::judge(Level::Off, Attempt::ALL.into());
        }
        let scene = Scene::set(directory).step_at("try the sandbox in", directory)?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).step(|| "listen".into())?;
        let targets = scene.targets(&listener).step(|| "find ourselves".into())?;
        let policy = scene.policy().step_at("try the sandbox in", directory)?;
        let possible = self.tried(policy, targets)?;
        Proof::judge(self.level(), possible)
    }

    /// Starts a helper at the best level, but no better than this, at which it is proven. What failed at better ones is in
    /// [`Helper::because`].
    ///
    /// # Errors
    ///
    /// No helper can be started, or the lowest level could not be proven either.
    pub fn start_proven(at_most: Level, directory: &Path) -> Result<(Self, Proof), Failure> {
        let mut at_most = at_most;
        let mut because = None;
        loop {
            let helper = match because.clone() {
                Some(because) => Self::start(at_most)?.at_this_level_because(because),
                None => Self::start(at_most)?,
            };
            match (helper.prove(directory), helper.level().below()) {
                (Ok(proof), _) => return Ok((helper, proof)),
                (Err(failure), None) => return Err(failure),
                (Err(failure), Some(below)) => {
                    because = because.or(Some(failure));
                    at_most = below;
                }
            }
        }
    }

    fn tried(&self, policy: Policy, targets: Targets) -> Result<Vec<Attempt>, Failure> {
        let network = || match self.level() {
            Level::Full => self.networks()?.unserved().map(Some),
            Level::Landlock | Level::None | Level::Off => Ok(None),
        };
        // Two processes make them, side by side.
        let (network, view) = thread::scope(|both| {
            let network = both.spawn(network);
            let view = self.view(policy);
            let network = network.join();
            (network.unwrap_or_else(|bug| resume_unwind(bug)), view)
        });
        let (network, view) = (network?, view?);
        let (mut reader, writer) = io::pipe().step(|| "make a pipe".into())?;
        let order = Order {
            program: PathBuf::new(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: PathBuf::from("/"),
            limits: CommandLimits::default(),
        };
        let joins = Joins {
            network: network.as_ref().map(|network| network.as_fd()),
            ..Joins::default()
        };
        let streams = Streams::to(writer.as_fd(), writer.as_fd());
        let mut running = view.start(&order, streams, joins, Some(targets))?;
        drop(writer);
        let ended = running.ended_within(LIMIT)?;
        running.kill();
        let step = || "try the sandbox".to_owned();
        match ended {
            Some(Ended::Program(status)) if status.success() => {}
            other => {
                return Err(Failure::new(
                    step(),
                    format!("the probes ended as {other:?}"),
                ));
            }
        }
        let mut possible = Vec::new();
        reader.read_to_end(&mut possible).step(step)?;
        serde_json::from_slice(&possible).map_err(|error| Failure::new(step(), error.to_string()))
    }
}

/// A directory with something open, something protected, something hidden and something else. Dropped, it is removed.
struct Scene(PathBuf);

impl Scene {
    const DIRECTORIES: [&str; 5] = ["", "open", "open/above", "open/above/protected", "hidden"];
    const FILES: [&str; 2] = ["outside", "hidden/file"];

    fn set(directory: &Path) -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let directory = directory.canonicalize()?;
        let scene = Self(directory.join(format!("proof-{}-{number}", process::id())));
        for name in Self::DIRECTORIES {
            DirBuilder::new().mode(0o700).create(scene.0.join(name))?;
        }
        for name in Self::FILES {
            File::create_new(scene.0.join(name))?;
        }
        Ok(scene)
    }

    fn targets(&self, listener: &TcpListener) -> io::Result<Targets> {
        Ok(Targets {
            outside: self.0.join("outside"),
            hidden: self.0.join("hidden/file"),
            ancestor: self.0.join("open/above"),
            host: process::id(),
            processes: fs::read_link("/proc/self/ns/pid")?,
            port: listener.local_addr()?.port(),
        })
    }

    fn policy(&self) -> io::Result<Policy> {
        let held = |name: &str| Held::open(&self.0.join(name));
        Ok(Policy {
            writable: vec![held("open")?],
            protected: vec![held("open/above/protected")?],
            hidden: vec![held("hidden")?],
            has_own_network: true,
            ..Policy::default()
        })
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        // Only what was made here; a probe may have renamed one directory.
        let moved = self.0.join("open/above.moved");
        let _ = fs::rename(moved, self.0.join("open/above"));
        for name in Self::FILES {
            let _ = fs::remove_file(self.0.join(name));
        }
        for name in Self::DIRECTORIES.iter().rev() {
            let _ = fs::remove_dir(self.0.join(name));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_probe_that_succeeds_refutes_the_levels_that_promise_to_prevent_it() {
        for (possible, full, landlock, none) in [
            (vec![], true, true, true),
            (vec![Attempt::SeeHost], false, true, true),
            (
                vec![Attempt::SeeHost, Attempt::ReadHidden],
                false,
                false,
                true,
            ),
            (vec![Attempt::Mount], false, false, false),
        ] {
            let proven = [Level::Full, Level::Landlock, Level::None]
                .map(|level| Proof::judge(level, possible.clone()).is_ok());
            assert_eq!(proven, [full, landlock, none], "{possible:?}");
        }
        let refuted = Proof::judge(Level::Full, vec![Attempt::ReadHidden]).map(|_| ());
        let said = refuted.map_err(|failure| failure.to_string());
        assert_eq!(
            said,
            Err("hold commands: at level full, a command can read what is hidden".to_owned())
        );
    }
}

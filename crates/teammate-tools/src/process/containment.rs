//! How well commands are held here, and what is walled off from them.

use std::{fmt, path::PathBuf, sync::OnceLock};

use teammate_core::port::ContainmentLevel;

use super::leash;

/// How well what commands start is held. Found out by trying, once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Containment {
    /// Each command has namespaces of its own for processes and mounts: the kernel ends all in them, and walls hold.
    Namespace {
        /// Whether that takes a user namespace, in which there are no other users: no `sudo`.
        in_user_namespace: bool,
    },
    /// Each command has a keeper that ends all its descendants. A command that means to can kill the keeper, and there are no walls.
    Descendants {
        /// Why it is no better.
        because: String,
    },
    /// What commands start is found by a word in its environment; some of it only when the team is opened again.
    Marks {
        /// Why it is no better.
        because: String,
    },
}

impl Containment {
    /// What can be had here, but no better than `at_most`. The first call tries it out, which takes some milliseconds.
    pub fn here(at_most: ContainmentLevel) -> &'static Self {
        static BEST: [OnceLock<Containment>; 3] = [const { OnceLock::new() }; 3];
        let [namespace, descendants, marks] = &BEST;
        let asked = || "the configuration asks for no more".to_owned();
        match at_most {
            ContainmentLevel::Namespace => namespace.get_or_init(|| match leash::probe_room() {
                Ok(in_user_namespace) => Self::Namespace { in_user_namespace },
                Err(because) => Self::by_keeper(because),
            }),
            ContainmentLevel::Descendants => descendants.get_or_init(|| Self::by_keeper(asked())),
            ContainmentLevel::Marks => marks.get_or_init(|| Self::Marks { because: asked() }),
        }
    }

    fn by_keeper(because: String) -> Self {
        match leash::probe_descendants() {
            Ok(()) => Self::Descendants { because },
            Err(worse) => Self::Marks {
                because: format!("{because}; {worse}"),
            },
        }
    }
}

impl Containment {
    /// What the user can do about it; none if nothing holds better.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Namespace { .. } => None,
            Self::Descendants { .. } | Self::Marks { .. } => Some(
                "allow user namespaces: Linux 5.12 or later, kernel.apparmor_restrict_unprivileged_userns=0, \
                 user.max_user_namespaces above 0; in a container, its seccomp profile",
            ),
        }
    }
}

impl fmt::Display for Containment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Namespace { in_user_namespace } => {
                let user = if *in_user_namespace {
                    ", as an ordinary user: no sudo in commands"
                } else {
                    ""
                };
                write!(f, "in namespaces of their own{user}")
            }
            Self::Descendants { because } => {
                write!(
                    f,
                    "by keepers, without walls around mail and journal ({because})"
                )
            }
            Self::Marks { because } => {
                write!(f, "by marks in their environment only ({because})")
            }
        }
    }
}

/// What is asked for: how well commands are held, and what is walled off from them besides the team's own directory.
#[derive(Debug, Clone, Default)]
pub struct Confines {
    at_most: ContainmentLevel,
    hidden: Vec<PathBuf>,
    closed: Vec<PathBuf>,
    teams: Vec<PathBuf>,
}

impl Confines {
    /// As well as can be had here, but no better than that.
    #[must_use]
    pub fn at_most(self, at_most: ContainmentLevel) -> Self {
        Self { at_most, ..self }
    }

    /// No command sees what is in this directory, where walls can be had.
    #[must_use]
    pub fn hiding(mut self, dir: PathBuf) -> Self {
        self.hidden.push(dir);
        self
    }

    /// No command writes in this directory, where walls can be had.
    #[must_use]
    pub fn closing(mut self, dir: PathBuf) -> Self {
        self.closed.push(dir);
        self
    }

    /// No command writes in these directories of teams, also where it works in one of their worktrees.
    #[must_use]
    pub fn closing_teams(mut self, dirs: impl IntoIterator<Item = PathBuf>) -> Self {
        self.teams.extend(dirs);
        self
    }

    /// What is in force.
    pub fn containment(&self) -> &'static Containment {
        Containment::here(self.at_most)
    }

    /// Directories whose content is not for the commands of somebody who works in `dir`. Who works in one of them is meant to.
    #[cfg(target_os = "linux")]
    pub(super) fn put_up(
        &self,
        room: &mut super::room::Room,
        dir: &std::path::Path,
        team_dir: &std::path::Path,
    ) -> std::io::Result<()> {
        use super::room::Wall;
        let own = [(Wall::Hidden, &self.hidden), (Wall::Closed, &self.closed)];
        for (wall, dirs) in own {
            for walled in dirs.iter().filter(|walled| !dir.starts_with(walled)) {
                room.wall(wall, walled)?;
            }
        }
        // Members write there, and nowhere else of what is the team's.
        room.wall(Wall::Open, &team_dir.join(crate::worktrees::WORKTREES))?;
        for dir in &self.teams {
            room.wall(Wall::Closed, dir)?;
        }
        room.wall(Wall::Closed, team_dir)
    }
}

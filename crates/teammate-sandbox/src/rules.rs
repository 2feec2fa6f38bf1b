//! The user's rules for commands of a team, before they are held against a place: what they may write and may not see.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::{
    level::Level,
    limits::{CommandLimits, MemberLimits},
};

/// Names directly in a workspace that decide what programs, editors, agents or hooks do later. No command writes there,
/// also where they are absent.
pub const PROTECTED: &[&str] = &[
    ".agents",
    ".circleci",
    ".claude",
    ".codex",
    ".cursor",
    ".devcontainer",
    ".envrc",
    ".gemini",
    ".githooks",
    ".gitlab-ci.yml",
    ".gitmodules",
    ".husky",
    ".idea",
    ".lefthook.yml",
    ".mcp.json",
    ".pre-commit-config.yaml",
    ".teammate",
    ".vscode",
    ".zed",
];

/// Protected names below directories that a workspace may have.
pub const PROTECTED_IF_THERE: &[&str] = &[
    ".buildkite",
    ".forgejo/workflows",
    ".gitea/workflows",
    ".github/actions",
    ".github/workflows",
    ".overcommit.yml",
    ".travis.yml",
    ".woodpecker",
    "Jenkinsfile",
    "azure-pipelines.yml",
    "bitbucket-pipelines.yml",
    "lefthook.yml",
];

/// Below the user's home directory: keys, tokens, what other programs and agents remember. No command sees them.
pub const HIDDEN: &[&str] = &[
    ".Xauthority",
    ".aws",
    ".azure",
    ".bash_history",
    ".cargo/credentials",
    ".cargo/credentials.toml",
    ".claude",
    ".claude.json",
    ".codex",
    ".config/1Password",
    ".config/BraveSoftware",
    ".config/chromium",
    ".config/gcloud",
    ".config/gh",
    ".config/git/credentials",
    ".config/glab-cli",
    ".config/google-chrome",
    ".config/op",
    ".config/opencode",
    ".config/rclone",
    ".config/sops",
    ".cursor",
    ".docker/config.json",
    ".gemini",
    ".git-credentials",
    ".gnupg",
    ".kube",
    ".local/share/keyrings",
    ".local/share/opencode",
    ".mozilla",
    ".mysql_history",
    ".netrc",
    ".node_repl_history",
    ".npmrc",
    ".password-store",
    ".pgpass",
    ".psql_history",
    ".pypirc",
    ".python_history",
    ".ssh",
    ".terraform.d/credentials.tfrc.json",
    ".thunderbird",
    ".vault-token",
    ".zsh_history",
];

/// A build tool whose downloads commands may use and add to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cache {
    /// Rust's.
    Cargo,
    /// Node's.
    Npm,
    /// Python's.
    Pip,
    Go,
}

impl Cache {
    /// All, in the order in which they are listed.
    pub const ALL: [Self; 4] = [Self::Cargo, Self::Npm, Self::Pip, Self::Go];

    /// The word for it in the configuration.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cargo => "cargo",
            Self::Npm => "npm",
            Self::Pip => "pip",
            Self::Go => "go",
        }
    }

    /// Below the home directory; never what is run or configured there.
    pub fn dirs(self) -> &'static [&'static str] {
        match self {
            Self::Cargo => &[".cargo/registry", ".cargo/git"],
            Self::Npm => &[".npm/_cacache"],
            Self::Pip => &[".cache/pip"],
            Self::Go => &["go/pkg/mod", ".cache/go-build"],
        }
    }
}

/// Where the commands of members may connect. Hosts are distinguished only where commands have namespaces; what is less than
/// [`Full`](Level::Full) has the machine's network, but for [`Nowhere`](NetworkRule::Nowhere), where Landlock closes TCP.
/// Git that the program itself runs connects nowhere, unless it is [`Machine`](NetworkRule::Machine).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum NetworkRule {
    /// Wherever the machine does.
    Machine,
    /// To hosts that rules allow; the user is asked about others.
    #[default]
    Ask,
    /// To hosts that rules allow, and to no others.
    Listed,
    /// To none.
    Nowhere,
}

/// How commands are held, as the user has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxRules {
    /// No better than this, also where more can be had.
    pub at_most: Level,
    /// The least that is enough for commands to run unasked. `None`: the full sandbox, but teams open without.
    pub required: Option<Level>,
    /// The user's home directory, if there is one.
    pub home: Option<PathBuf>,
    /// Besides the workspace, what commands may write in.
    pub write: Vec<PathBuf>,
    /// The caches of build tools that they may write in.
    pub caches: Vec<Cache>,
    /// Besides [`HIDDEN`], what they do not see.
    pub hidden: Vec<PathBuf>,
    /// The paths that they see although they are listed as hidden.
    pub shown: Vec<PathBuf>,
    /// Where they may connect.
    pub network: NetworkRule,
    /// How much a command may use.
    pub limits: CommandLimits,
    /// How much all commands of a member may use in sum.
    pub member_limits: MemberLimits,
}

impl Default for SandboxRules {
    fn default() -> Self {
        Self {
            at_most: Level::Full,
            required: None,
            home: env::home_dir().filter(|home| home.is_absolute()),
            write: Vec::new(),
            caches: Vec::new(),
            hidden: Vec::new(),
            shown: Vec::new(),
            network: NetworkRule::default(),
            limits: CommandLimits::default(),
            member_limits: MemberLimits::default(),
        }
    }
}

impl SandboxRules {
    /// No sandbox: commands do all that the user can do.
    pub fn off() -> Self {
        Self {
            at_most: Level::Off,
            required: Some(Level::Off),
            ..Self::default()
        }
    }

    /// Everything that commands do not see, there or not.
    pub fn all_hidden(&self) -> Vec<PathBuf> {
        let below_home = |name: &&str| self.home.as_ref().map(|home| home.join(name));
        HIDDEN
            .iter()
            .filter_map(below_home)
            .chain(self.hidden.iter().cloned())
            .filter(|path| !self.shown.contains(path))
            .collect()
    }

    /// Everything besides the workspace that commands write in, there or not.
    pub fn all_writable(&self) -> Vec<PathBuf> {
        let caches = self.caches.iter().flat_map(|cache| cache.dirs());
        let below_home = |name: &&str| self.home.as_ref().map(|home| home.join(name));
        let caches = caches.filter_map(below_home);
        self.write.iter().cloned().chain(caches).collect()
    }

    /// Adds a hidden path.
    #[must_use]
    pub fn hiding(mut self, path: impl AsRef<Path>) -> Self {
        self.hidden.push(path.as_ref().to_owned());
        self
    }
}

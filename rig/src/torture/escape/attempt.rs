//! One thing that a command tries, and how it is seen that it worked.

/// A script that should fail in the sandbox and works without it.
///
/// It runs in bash, in the workspace, with these variables: `D` is the directory around everything, `W` the workspace, `LIVE`
/// has the rig's sockets and pipes, `HOST` is the program's process, `BYSTANDER` another one of the same user, `PORT` a
/// port of the machine, `TERMINAL` the program's terminal, `PROBE` the program of `probe.c`, `WORD` a word of this attempt's own. Each canary is unknown to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Attempt {
    pub(super) name: &'static str,
    pub(super) sign: Sign,
    pub(super) script: &'static str,
    /// What runs in the background meanwhile, in a command of its own that started before.
    pub(super) beside: Option<&'static str>,
    pub(super) who: Who,
    pub(super) is_open_at_landlock: bool,
    /// Why it may fail without the sandbox, too, and then shows nothing.
    pub(super) void_because: Option<&'static str>,
}

/// How it is seen that an attempt worked. Paths are below `D`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    /// It prints the canary, which is in hidden files, other processes, and what the rig's servers say.
    PrintsCanary,
    /// The script's exit code is 0.
    Exits,
    /// What is at this path is not what was there before: kind, inode, owner, mode, content.
    Changes(&'static str),
    /// What is read at this path when the program has ended is not what it was before: kind, content, whether it can be run. While
    /// the command runs it may be.
    Leaves(&'static str),
    /// The file at this path has the word `$WORD`.
    Writes(&'static str),
    /// The bystander is gone, or stopped.
    Hurts,
    /// The bystander's niceness or limits are other ones.
    Weighs,
    /// Something was printed or typed on the program's terminal that has the word `$WORD`.
    Types,
    /// A process of it lives when the program has ended.
    Survives,
    /// A server or pipe of the rig received the word `$WORD`.
    Tells,
}

/// Who tries it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    Anyone,
    /// Nobody else may do it anyway.
    Root,
}

const fn new(name: &'static str, sign: Sign, script: &'static str) -> Attempt {
    Attempt {
        name,
        sign,
        script,
        beside: None,
        who: Who::Anyone,
        is_open_at_landlock: false,
        void_because: None,
    }
}

pub(super) const fn prints(name: &'static str, script: &'static str) -> Attempt {
    new(name, Sign::PrintsCanary, script)
}

pub(super) const fn exits(name: &'static str, script: &'static str) -> Attempt {
    new(name, Sign::Exits, script)
}

pub(super) const fn changes(
    name: &'static str,
    path: &'static str,
    script: &'static str,
) -> Attempt {
    new(name, Sign::Changes(path), script)
}

pub(super) const fn leaves(
    name: &'static str,
    path: &'static str,
    script: &'static str,
) -> Attempt {
    new(name, Sign::Leaves(path), script)
}

pub(super) const fn writes(
    name: &'static str,
    path: &'static str,
    script: &'static str,
) -> Attempt {
    new(name, Sign::Writes(path), script)
}

pub(super) const fn hurts(name: &'static str, script: &'static str) -> Attempt {
    new(name, Sign::Hurts, script)
}

pub(super) const fn weighs(name: &'static str, script: &'static str) -> Attempt {
    new(name, Sign::Weighs, script)
}

pub(super) const fn types(name: &'static str, script: &'static str) -> Attempt {
    new(name, Sign::Types, script)
}

pub(super) const fn survives(name: &'static str, script: &'static str) -> Attempt {
    new(name, Sign::Survives, script)
}

pub(super) const fn tells(name: &'static str, script: &'static str) -> Attempt {
    new(name, Sign::Tells, script)
}

impl Attempt {
    /// Only root could.
    pub(super) const fn by_root(mut self) -> Self {
        self.who = Who::Root;
        self
    }

    /// While this runs in another command.
    pub(super) const fn beside(mut self, script: &'static str) -> Self {
        self.beside = Some(script);
        self
    }

    /// It may fail without the sandbox, too, because of this.
    pub(super) const fn may_be_void(mut self, because: &'static str) -> Self {
        self.void_because = Some(because);
        self
    }

    /// It works without namespaces, which docs/safety.md says.
    pub(super) const fn open_at_landlock(mut self) -> Self {
        self.is_open_at_landlock = true;
        self
    }
}

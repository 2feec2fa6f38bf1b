//! Programs that run what they are given, or change what commands after them do.

/// Shells: without an operand they run what they read.
pub(super) const SHELLS: [&str; 10] = [
    "ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "sh", "tcsh", "zsh",
];

const RUNNERS: &[&str] = &[
    // Of the shell itself.
    ". alias apply bind builtin command compgen complete coproc declare enable eval exec export fc function getopts hash let",
    "local mapfile read readarray readonly set shopt source time trap typeset unalias unset",
    // They start a program in another setting.
    "bwrap cgexec chpst chroot chrt choom chronic daemonize dbus-launch dbus-run-session doas env faketime fakechroot fakeroot",
    "firejail flock gosu i386 ionice linux32 linux64 nice nohup nsenter numactl pkexec prlimit proot rlwrap runcon runuser",
    "runsv setarch setpriv setsid setuidgid sg softlimit start-stop-daemon stdbuf su su-exec sudo systemd-run taskset tini",
    "toybox busybox timeout torify torsocks tsocks unbuffer unshare uname26 x86_64 xvfb-run",
    // Once, often, or for each of many.
    "at batch crontab entr ncat nc parallel run-parts socat watch watchexec xargs",
    // Under observation.
    "catchsegv gdb lldb ltrace perf rr script screen strace tmux valgrind",
    // Elsewhere.
    "npx pnpx scp sftp ssh uvx bunx pipx",
    // Languages whose programs are their arguments, and editors with a shell in them.
    "awk dc ed emacs ex expect gawk guile m4 mawk nawk nvim osascript pwsh rvim tclsh vi view vim wish",
];

/// Whether a program, by the last part of its path in small letters, is one of them.
pub(super) fn is_runner(program: &str) -> bool {
    SHELLS.contains(&program)
        || RUNNERS
            .iter()
            .any(|line| line.split(' ').any(|runner| runner == program))
        || is_loader(program)
}

/// The dynamic loader runs what it is given: `ld.so`, `ld-linux-x86-64.so.2`, `ld-musl-x86_64.so.1`.
fn is_loader(program: &str) -> bool {
    program.starts_with("ld") && program.contains(".so")
}

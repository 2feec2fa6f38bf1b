//! Programs whose words do not tell what runs: they run their arguments, or change what later words mean.
//!
//! No pattern covers a command of these; an exact rule does. The list is a help against mistakes, not a wall: there are
//! more ways to have a program run another than can be listed.

/// They run what they are given, or change what commands after them do.
const PROGRAMS: &[&str] = &[
    ".",
    "alias",
    "apply",
    "ash",
    "awk",
    "bash",
    "bind",
    "builtin",
    "busybox",
    "chroot",
    "command",
    "complete",
    "coproc",
    "csh",
    "dash",
    "declare",
    "doas",
    "ed",
    "emacs",
    "enable",
    "entr",
    "env",
    "eval",
    "ex",
    "exec",
    "expect",
    "export",
    "fish",
    "flock",
    "function",
    "gawk",
    "gdb",
    "getopts",
    "hash",
    "ionice",
    "ksh",
    "let",
    "local",
    "ltrace",
    "mapfile",
    "mawk",
    "nawk",
    "nice",
    "nohup",
    "npx",
    "nsenter",
    "parallel",
    "pnpx",
    "read",
    "readarray",
    "readonly",
    "runuser",
    "scp",
    "screen",
    "script",
    "set",
    "setsid",
    "sftp",
    "sh",
    "shopt",
    "source",
    "ssh",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "systemd-run",
    "tcsh",
    "time",
    "timeout",
    "tmux",
    "toybox",
    "trap",
    "typeset",
    "unalias",
    "unbuffer",
    "unset",
    "unshare",
    "uvx",
    "vi",
    "view",
    "vim",
    "nvim",
    "watch",
    "xargs",
    "zsh",
];

/// Options by which an otherwise harmless program runs another or writes where it is told. One letter stands for itself in
/// a cluster of letters, too; a long one for its abbreviations and for `--option=value`.
const OPTIONS: &[(&[&str], &[&str])] = &[
    (&["cargo"], &["--config"]),
    (&["fd", "fdfind"], &["-x", "-X", "--exec", "--exec-batch"]),
    (
        &["find", "gfind"],
        &[
            "-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf",
            "-fls",
        ],
    ),
    (
        &["gcc", "g++", "cc", "c++", "clang", "clang++"],
        &["-wrapper", "-fplugin"],
    ),
    (
        &["git"],
        &[
            "-c",
            "-O",
            "-x",
            "--config-env",
            "--exec",
            "--exec-path",
            "--ext-diff",
            "--open-files-in-pager",
            "--output",
            "--receive-pack",
            "--textconv",
            "--upload-pack",
        ],
    ),
    (
        &["go"],
        &[
            "-exec",
            "-toolexec",
            "-vettool",
            "--exec",
            "--toolexec",
            "--vettool",
        ],
    ),
    (&["make", "gmake"], &["-E", "--eval"]),
    (&["man"], &["-P", "-H", "--pager", "--html"]),
    (
        &["node", "bun"],
        &[
            "-e",
            "-p",
            "-r",
            "--eval",
            "--print",
            "--require",
            "--import",
        ],
    ),
    (
        &["npm", "pnpm", "yarn"],
        &["--script-shell", "-c", "--call"],
    ),
    (&["perl", "ruby", "lua"], &["-e", "-E"]),
    (&["php"], &["-r"]),
    (&["printf"], &["-v"]),
    (&["python", "python3"], &["-c"]),
    (&["rg"], &["--pre", "--hostname-bin"]),
    (&["rsync"], &["-e", "--rsh", "--rsync-path"]),
    (&["sort"], &["-o", "--output", "--compress-program"]),
    (
        &["tar", "gtar", "bsdtar"],
        &[
            "-I",
            "-F",
            "--checkpoint-action",
            "--info-script",
            "--new-volume-script",
            "--rmt-command",
            "--rsh-command",
            "--to-command",
            "--use-compress-program",
        ],
    ),
    (&["wget"], &["-e", "--execute", "--use-askpass"]),
    (&["zip"], &["-T", "-TT", "--unzip-command"]),
];

/// Whether the words of this command do not tell what it runs. The first is the program.
pub(super) fn is_indirect(words: &[&str]) -> bool {
    let Some((program, arguments)) = words.split_first() else {
        return true;
    };
    let program = base_name(program).to_ascii_lowercase();
    if PROGRAMS.contains(&program.as_str()) {
        return true;
    }
    if program == "sed" || program == "gsed" {
        return !only_prints(arguments);
    }
    OPTIONS
        .iter()
        .filter(|(programs, _)| programs.contains(&program.as_str()))
        .flat_map(|(_, options)| *options)
        .any(|option| arguments.iter().any(|argument| is_option(argument, option)))
        // Its letters may come without a dash.
        || (program.ends_with("tar") && arguments.first().is_some_and(|letters| letters.contains(['F', 'I'])))
        || (program.ends_with("make") && arguments.iter().any(|argument| argument.contains("$")))
}

/// The last part of a program's path.
pub(super) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

fn is_option(argument: &str, option: &str) -> bool {
    if let Some(long) = option.strip_prefix("--") {
        let Some(given) = argument.strip_prefix("--") else {
            return false;
        };
        let given = given.split('=').next().unwrap_or(given);
        return !given.is_empty() && (long.starts_with(given) || given.starts_with(long));
    }
    match option.strip_prefix('-') {
        // A letter of its own, in a cluster, or with its value attached.
        Some(letter) if letter.len() == 1 => {
            argument.starts_with('-') && !argument.starts_with("--") && argument.contains(letter)
        }
        Some(_) | None => argument.starts_with(option),
    }
}

/// `sed -n 5p FILE` and `sed -n 2,7p FILE`: of all scripts those that certainly only print.
fn only_prints(arguments: &[&str]) -> bool {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match arguments {
        ["-n", script, files @ ..] => {
            files.iter().all(|file| !file.starts_with('-'))
                && script.strip_suffix('p').is_some_and(|lines| {
                    let (from, to) = lines.split_once(',').unwrap_or((lines, lines));
                    is_number(from) && (is_number(to) || to == "$")
                })
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_its_arguments_is_known() {
        let is = |text: &str| is_indirect(&text.split(' ').collect::<Vec<_>>());
        for text in [
            "sh -c x",
            "/usr/bin/env x",
            "SUDO x",
            "find . -exec rm",
            "find . -delete",
            "sed s/x/y/e f",
            "sed -i s/a/b/ f",
            "sed -n 1p -i f",
            "sort -o f",
            "sort -uo f",
            "sort --out=f",
            "sort --compress-prog=sh",
            "git -c a=b log",
            "git fetch --upload-pack=x",
            "git fetch --upload-pa=x",
            "git log --output=f",
            "tar -xIf x",
            "tar xIf x y",
            "tar --to-com=x",
            "python3 -c x",
            "perl -ne x",
            "make --eval=x",
            "make X=$(shell\u{a0}y)",
            "rg --pre=x y",
        ] {
            assert!(is(text), "{text}");
        }
        for text in [
            "git status",
            "git log --oneline",
            "git commit -m x",
            "find . -name x",
            "sed -n 1,20p f",
            "sed -n 3,$p f",
            "sort -u f",
            "cargo test",
            "python3 -m pytest",
            "make test",
            "ls -la",
            "grep -rn sudo docs/",
            "tar -czf x y",
        ] {
            assert!(!is(text), "{text}");
        }
    }
}

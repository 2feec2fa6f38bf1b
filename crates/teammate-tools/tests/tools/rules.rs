//! Permission rules held against what the tools say they would do: commands as they are read, paths as they are resolved.

use std::{os::unix::fs::symlink, path::Path};

use proptest::prelude::*;
use rustix::fs::{Mode as FileMode, OFlags};
use serde_json::{Value, json};
use teammate_core::{
    permission::{Mode, Rule, RuleOrigin, RuleVerdict, Rules, Script},
    port::Target,
    tool::EffectClass,
};

use crate::support::Bench;

fn rules(deny: &[&str], allow: &[&str]) -> Rules {
    let list = |rules: &[&str]| {
        let parse = |text: &&str| Rule::parse(text, RuleOrigin::User).unwrap();
        rules.iter().map(parse).collect()
    };
    Rules {
        deny: list(deny),
        allow: list(allow),
        ..Rules::default()
    }
}

fn target(bench: &Bench, command: &str) -> Target {
    let action = bench.action("bash", json!({ "command": command }));
    action.unwrap().target
}

fn runs(bench: &Bench, rules: &Rules, command: &str) -> RuleVerdict {
    let target = target(bench, command);
    rules.decide(Mode::Ask, "bash", EffectClass::Executes, &target)
}

const ALLOWED: [&str; 18] = [
    "bash(git status:*)",
    "bash(git log:*)",
    "bash(git commit:*)",
    "bash(git fetch:*)",
    "bash(git diff:*)",
    "bash(cargo test:*)",
    "bash(ls *)",
    "bash(cat:*)",
    "bash(grep:*)",
    "bash(find:*)",
    "bash(sed:*)",
    "bash(sort:*)",
    "bash(sh:*)",
    "bash(env:*)",
    "bash(xargs:*)",
    "bash(make)",
    "bash(wc:*)",
    "bash(=make all > log 2>&1)",
];

#[test]
fn what_rules_cover_runs() {
    let bench = Bench::new();
    let rules = rules(&[], &ALLOWED);
    let here = format!("cd {} && cargo test", bench.root.display());
    for command in [
        "git status",
        "  git   status\t--short ",
        "git status && git log --oneline -5",
        "git status; ls -la\ncargo test",
        "git log | grep fix | wc -l",
        "(git status)",
        "{ git status; ls x; }",
        "! grep -q x y",
        "if grep -q x y; then ls z; else cat y; fi",
        "while git status; do ls x; done",
        "cargo test 2>&1 | grep FAILED",
        "cargo test >/dev/null 2>&1",
        "cargo test &> /dev/null",
        "ls x 2>&-",
        "git commit -m 'a; rm -rf /'",
        "git commit -m \"graceful shutdown\"",
        "git commit -m \"say \\\"hi\\\" for \\$5\"",
        "git commit -m 'ñandú $HOME `x`'",
        "g'it' stat\"us\"",
        "g\\it status",
        "git commit -F- <<'MSG'\nOne $(rm x) `y`\n\ntwo\nMSG",
        "cat <<EOF | grep x\nplain text\nEOF",
        "grep x <<< 'some text'",
        "find . -name '*.rs' -type f",
        "sed -n 1,20p src/lib.rs",
        "sort -u names | wc -l",
        "make",
        "make all > log 2>&1",
        "true && ls x # and so on",
        "# first\nls x",
        "cargo test &",
        &here,
    ] {
        assert_eq!(
            runs(&bench, &rules, command),
            RuleVerdict::Allow,
            "{command}: {:?}",
            target(&bench, command)
        );
    }
}

#[test]
fn what_is_more_than_rules_cover_is_asked() {
    let bench = Bench::new();
    let rules = rules(&[], &ALLOWED);
    let long = format!("{}curl x", "true && ".repeat(50));
    let very_long = format!("git status{}", " a".repeat(40_000));
    let deep = format!("git status {}rm x{}", "$(".repeat(3_000), ")".repeat(3_000));
    for command in [
        // More commands.
        "git status; rm x",
        "git status && rm x",
        "rm x || git status",
        "git status | sh",
        "git status & rm x",
        "git status\nrm x",
        "git status $(rm x)",
        "git status \"$(rm x)\"",
        "git status `rm x`",
        "cat <(rm x)",
        "ls > >(rm x)",
        "(git status; rm x)",
        "if rm x; then git status; fi",
        "while git status; do rm x; done",
        "git commit -F - <<'MSG' 2>&1 | rm -rf x\nhello\nMSG",
        "cat <<EOF\n$(rm x)\nEOF",
        "cat <<EOF\n`rm x`\nEOF",
        "cat <<EOF; rm x\ntext\nEOF",
        "cat <<EOF\ntext\nEOF\nrm x",
        "cat <<A <<B\nB\nA\nrm x\nB",
        "cat <<'EOF'\ntext\n  EOF2\nEOF",
        "cat <<\\EOF\ntext\nEOF",
        "cat <<'E'OF\ntext\nEOF\nrm x",
        "cat <<- EOF\n\ttext\n\tEOF\n\trm x",
        &long,
        &very_long,
        &deep,
        // The grammar loses the dash; what is lost is noticed.
        "git commit -F - <<'MSG'\nhello\nMSG",
        // Other meanings.
        "FOO=1 git status",
        "PATH=. git status",
        "LD_PRELOAD=./x.so git status",
        "PATH=.; git status",
        "export PATH=. && git status",
        "git() { rm x; }; git status",
        "function git { rm x; }\ngit status",
        "alias git=rm; git status",
        "for PATH in .; do git status; done",
        "for f in a b; do cat $f; done",
        "case x in x) git status;; esac",
        "[[ 'a[$(rm x)]' -eq 0 ]] && git status",
        "(( x = 1 )) && git status",
        "cd evil && git status",
        "cd .. && ls x",
        "cd / && ls x",
        "set -x; git status",
        // Words that only the shell will know.
        "git status $x",
        "git$IFS'status'",
        "git ${IFS}status",
        "git st{atus,ash}",
        "git status {a,b}",
        "git status *",
        "git status ~/x",
        "git \\\nstatus",
        "git $'status'",
        "git $\"status\"",
        "git stat?s",
        "git status $((1+1))",
        "git\rstatus",
        "git status\r\nrm x",
        "git\u{a0}status",
        "git status \u{202e}x",
        "git status \u{200b}",
        "gіt status",
        // Files.
        "git status > out",
        "git status >> out",
        "git status >| out",
        "git status &> out",
        "git status >& out",
        "git status > /dev/null extra",
        "> out git status",
        "cat < /dev/tcp/1.2.3.4/80",
        "git status 2> \"$x\"",
        "{ git status; } > out",
        // Programs that run their arguments.
        "sh -c 'git status'",
        "env git status",
        "xargs git status",
        "ls x | xargs rm",
        "find . -exec rm {} +",
        "find . -delete",
        "find . -fprint x",
        "sed 's/x/y/e' f",
        "sed -i s/a/b/ f",
        "sed -n '1e rm x' f",
        "sort -o f g",
        "sort --compress-program=sh g",
        "git fetch --upload-pack='rm x' .",
        "git log --output=x",
        "git diff --ext-diff",
        "git -c core.pager=rm log",
        "git -C x status",
        // Not what was allowed.
        "make x",
        "git",
        "git statusx",
        "/usr/bin/git status",
        "./git status",
        "make all > log",
        "true",
        "echo x",
        "# nothing",
        // No shell.
        "git status &&",
        "git status | | ls x",
        "git status)",
        "git commit -m 'open",
        "if git status; then",
        "git status;; ls x",
        "eval git status",
        ". x",
        "time git status",
        "coproc git status",
    ] {
        assert_eq!(
            runs(&bench, &rules, command),
            RuleVerdict::Ask,
            "{command:?}: {:?}",
            target(&bench, command)
        );
    }
}

#[test]
fn options_that_run_or_write_are_asked_also_under_a_rule_for_every_command() {
    let bench = Bench::new();
    let rules = rules(&[], &["bash(*)"]);
    for command in [
        "git clone -u 'touch x' y z",
        "git clone --template=evil y",
        "git submodule foreach 'touch x'",
        "git bisect run touch x",
        "git init --template=evil",
        "test -v 'a[$(touch x)]'",
        "compgen -W '$(touch x)'",
        "compgen -C 'touch x'",
        "jobs -x touch x",
        "make SHELL=./evil",
        "make CC=./evil",
        "make -f evil.mk",
        "gcc -specs=evil a.c",
        "gcc -B. a.c",
        "gcc @evil",
        "npm test --prefix evil",
        "taskset 1 touch x",
        "setarch x86_64 touch x",
        "prlimit --nofile=9 touch x",
        "setpriv --no-new-privs touch x",
        "choom -n 0 -- touch x",
        "/lib64/ld-linux-x86-64.so.2 /bin/touch x",
        "uniq in out",
        "xxd in out",
        "git archive -o out HEAD",
        "git format-patch -o out HEAD~1",
        "git bundle create out HEAD",
        "tree -o out",
        "history -w out",
        "less -o out in",
        "man -C evil ls",
        "git branch --edit-description",
        "git tag -u key v1",
        "git tag -s v1 -m x",
        "git fetch --up='touch x' .",
        "git ls-remote --upload-p='touch x' .",
    ] {
        assert_eq!(
            runs(&bench, &rules, command),
            RuleVerdict::Ask,
            "{command:?}: {:?}",
            target(&bench, command)
        );
    }
    for command in ["git status", "uniq -c in", "make test", "test -f x", "rm x"] {
        assert_eq!(
            runs(&bench, &rules, command),
            RuleVerdict::Allow,
            "{command}"
        );
    }
}

#[test]
fn deny_catches_every_part() {
    let bench = Bench::new();
    let rules = rules(
        &[
            "bash(rm:*)",
            "bash(git push:*)",
            "bash(sudo:*)",
            "bash(shutdown *)",
        ],
        &["bash"],
    );
    for command in [
        "rm x",
        "/bin/rm x",
        "ls; rm x",
        "true && rm -rf .",
        "echo $(rm x)",
        "echo \"a `rm x` b\"",
        "cat <(rm x)",
        "for f in a; do rm $f; done",
        "f() { rm x; }; f",
        "if true; then rm x; fi",
        "cat <<EOF\n$(rm x)\nEOF",
        "git commit -F - <<'MSG' 2>&1 | rm -rf x\nhello\nMSG",
        "A=1 rm x",
        "'r'm x",
        "r\\m x",
        "sudo ls",
        "env A=1 rm x",
        "timeout 5 rm x",
        "xargs -0 rm",
        "find . -exec rm {} +",
        "sh -c 'ls; rm x'",
        "bash -c \"sudo sh -c 'rm x'\"",
        "eval 'rm x'",
        "git push",
        "git   push origin main",
        "git -C sub push",
        "git --no-pager -c a=b push",
        "git \"push\"",
        "git $verb",
        "/usr/bin/git push",
        "git push && (",
        "rm 'x",
        "> /dev/null rm x",
        "shutdown now",
        "ls\rrm x",
        "true && rm \\\n x",
        // A redirection beside it.
        "rm<README x",
        "rm>log x",
        ">log rm x",
        ">&2 rm x; (",
        // Quotes, braces, wildcards.
        "$'rm' x",
        "$'\\x72m' x",
        "r$'m' x",
        "$\"rm\" x",
        "{rm,x}",
        "{/bin/rm,x}",
        "{git,push}",
        "/bin/r? x",
        "/bin/[r]m x",
        "rm$IFS-rf x",
        // What programs are given to run.
        "env -Srm\\ x",
        "env -iSrm\\ x",
        "env --split-string='rm x'",
        "taskset 1 rm x",
        "setarch x86_64 rm x",
        "prlimit --nofile=9 rm x",
        "setpriv --no-new-privs rm x",
        "choom -n 0 -- rm x",
        "/lib64/ld-linux-x86-64.so.2 /bin/rm x",
        "jobs -x rm x",
        "git -c alias.x='!rm' x",
        "git -c core.pager='rm x' log",
        "git clone -u 'rm x' y",
        "git clone '-urm x' y",
        "git submodule foreach rm x",
        "git bisect run rm x",
        "tar --to-command=rm -xf y",
        "sort --compress-program=rm y",
        "sh -c \"rm $x\"",
        // What a shell reads.
        "bash <<X\nrm x\nX",
        "bash <<'X'\nls\nrm x\nX",
        "sh <<< 'rm x'",
        "cat <<X | sh\nrm x\nX",
        "echo 'rm x' | sh",
        "echo rm x | bash -s",
    ] {
        let verdict = runs(&bench, &rules, command);
        assert!(
            matches!(verdict, RuleVerdict::Deny(_)),
            "{command:?}: {:?}",
            target(&bench, command)
        );
    }
    for command in [
        "grep -rn sudo docs/",
        "git commit -m \"graceful shutdown\"",
        "git commit -m 'x; rm y; shutdown now'",
        "cat shutdown_handler.py",
        "git log -- push",
        "echo rm x",
        "ls rm",
        "cat <<'EOF'\nrm x\nEOF",
        "npm run push",
        "ls {rm,x}",
        "ls *",
        "./*.sh",
        "grep -f <(ls) x > rm",
        "git log --some-option 'rm x'",
        "git diff --output 'shutdown now'",
    ] {
        assert_eq!(
            runs(&bench, &rules, command),
            RuleVerdict::Allow,
            "{command}"
        );
    }
}

#[test]
fn a_path_is_judged_by_where_it_leads() {
    let bench = Bench::new();
    bench.file("src/a", "a\n");
    bench.file("other/b", "b\n");
    symlink("../other", bench.root.join("src/out")).unwrap();
    symlink("../other/b", bench.root.join("src/last")).unwrap();
    symlink("../other/new", bench.root.join("src/dangling")).unwrap();
    symlink("src", bench.root.join("door")).unwrap();
    let allowed = rules(&[], &["edit(src/**)"]);
    let writes = |rules: &Rules, path: &str| {
        let action = bench.action("write_file", json!({"path": path, "content": "x"}));
        rules.decide(
            Mode::Ask,
            "write_file",
            EffectClass::Writes,
            &action.unwrap().target,
        )
    };
    let absolute = bench.root.join("src/a").display().to_string();
    for path in [
        "src/a",
        "src/new",
        "src/not/yet/there",
        "./src/../src/a",
        "door/a",
        "src/out/../src/a",
        &absolute,
    ] {
        assert_eq!(writes(&allowed, path), RuleVerdict::Allow, "{path}");
    }
    for path in [
        "src/out/b",
        "src/out/new",
        "src/last",
        "src/dangling",
        "src/../other/b",
        "other/b",
        "srcs/a",
    ] {
        assert_eq!(writes(&allowed, path), RuleVerdict::Ask, "{path}");
    }
    let outright = bench.root.join("src").display().to_string();
    for rule in [
        "edit(src/**)",
        "edit(src)",
        "write_file(src/**)",
        &format!("edit({outright}/**)"),
    ] {
        let denied = rules(&[rule], &["edit"]);
        for path in [
            "src/a",
            "src/out/b",
            "src/last",
            "src/dangling",
            "door/a",
            "src/out/new",
            &absolute,
        ] {
            let verdict = writes(&denied, path);
            assert!(matches!(verdict, RuleVerdict::Deny(_)), "{rule} {path}");
        }
        assert_eq!(writes(&denied, "other/b"), RuleVerdict::Allow, "{rule}");
    }
}

fn read(bench: &Bench, input: &Value) -> RuleVerdict {
    let action = bench.action("read_file", input.clone()).unwrap();
    rules(&["read(secret/**)", "read(.env)"], &[]).decide(
        Mode::Bypass,
        "read_file",
        EffectClass::Reads,
        &action.target,
    )
}

#[test]
fn what_may_not_be_read_is_not_read_through_a_link() {
    let bench = Bench::new();
    bench.file("secret/key", "k\n");
    bench.file(".env", "k\n");
    symlink("secret/key", bench.root.join("innocent")).unwrap();
    symlink(".env", bench.root.join("env.txt")).unwrap();
    for path in ["secret/key", "innocent", "env.txt", ".env", "./x/../.env"] {
        bench.file("x/y", "");
        let verdict = read(&bench, &json!({ "path": path }));
        assert!(matches!(verdict, RuleVerdict::Deny(_)), "{path}");
    }
    assert_eq!(read(&bench, &json!({"path": "x/y"})), RuleVerdict::Allow);
}

#[tokio::test]
async fn searches_leave_out_what_may_not_be_read() {
    let mut bench = Bench::new();
    for path in ["secret/key", "src/a", "src/.env", "src/key.pem"] {
        bench.file(path, "needle\n");
    }
    let denied = rules(
        &[
            "read(secret)",
            "read(**/.env)",
            "grep(**/*.pem)",
            "edit(src/**)",
            "read",
        ],
        &[],
    );
    let workspace = teammate_core::port::Workspace {
        tmp: None,
        unreadable: denied.deny,
        ..(*bench.context.workspace).clone()
    };
    bench.context.workspace = std::sync::Arc::new(workspace);
    let found = bench
        .ok(
            "grep",
            json!({"pattern": "needle", "output": "files", "hidden": true}),
        )
        .await;
    assert_eq!(found, "src/a");
    let found = bench
        .ok("glob", json!({"pattern": "**/*", "hidden": true}))
        .await;
    assert_eq!(found, "src/\nsrc/a");
}

/// Makes directories in each other; their path is longer than the kernel takes.
fn dig(root: &Path, depth: usize) {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let mut dir = rustix::fs::open(root, flags, FileMode::empty()).unwrap();
    for _ in 0..depth {
        rustix::fs::mkdirat(&dir, "x", FileMode::from_raw_mode(0o755)).unwrap();
        dir = rustix::fs::openat(&dir, "x", flags, FileMode::empty()).unwrap();
    }
}

#[tokio::test]
async fn a_tree_of_3000_levels_is_searched_under_deny_rules() {
    let mut bench = Bench::new();
    bench.file("a", "needle\n");
    dig(&bench.root, 3_000);
    let workspace = teammate_core::port::Workspace {
        tmp: None,
        unreadable: rules(&["read(secret)", "read(**/*.pem)"], &[]).deny,
        ..(*bench.context.workspace).clone()
    };
    bench.context.workspace = std::sync::Arc::new(workspace);
    let searches = async {
        let left_out = "(what is more than 512 directories deep was left out)";
        let found = bench.ok("grep", json!({"pattern": "needle"})).await;
        assert_eq!(found, format!("a:1:needle\n{left_out}"));
        let found = bench.ok("glob", json!({"pattern": "**/a"})).await;
        assert_eq!(found, format!("a\n{left_out}"));
    };
    // With a walk up from each directory it took minutes.
    let within = std::time::Duration::from_secs(30);
    tokio::time::timeout(within, searches).await.unwrap();
}

#[tokio::test]
async fn files_are_not_written_deeper_than_a_search_goes() {
    let bench = Bench::new();
    let deep = |depth: usize| json!({"path": format!("{}y", "x/".repeat(depth)), "content": ""});
    bench.ok("write_file", deep(511)).await;
    let refused = bench.action("write_file", deep(512)).unwrap_err();
    assert_eq!(
        refused.text(),
        "the path is more than 512 directories deep; file tools go no deeper."
    );
}

/// Ways in which a command is dressed up. None makes it another.
fn dressed(command: &str, ways: &[u8]) -> String {
    let mut command = command.to_owned();
    for way in ways {
        command = match way % 16 {
            0 => format!("({command})"),
            1 => format!("git status; {command}"),
            2 => format!("{command} | git status"),
            3 => format!("git status && {command}"),
            4 => format!("{{ {command}\n}}"),
            5 => format!("git status $({command})"),
            6 => format!("\t {command}  "),
            7 => format!("if git status; then {command}\nfi"),
            8 => format!("! {command}"),
            9 if command.contains('`') => command,
            9 => format!("git status `{command}`"),
            10 => format!("git status \"$({command})\""),
            11 => format!("git status <({command})"),
            12 => format!("{command} 2>&1"),
            13 => format!("{command} &"),
            14 => format!("git status # x\n{command}"),
            _ => format!("git status <<'E'\nx\nE\n{command}"),
        };
    }
    command
}

fn known_parts(target: &Target) -> Option<usize> {
    match target {
        Target::Command(command) => match &command.script {
            Script::Parsed { commands, .. } => Some(commands.len()),
            Script::Unparsed { .. } => None,
        },
        Target::Path(_) | Target::Host(_) | Target::Team => None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn however_it_is_dressed_up_it_is_not_allowed(
        which in 0..6_usize,
        ways in proptest::collection::vec(any::<u8>(), 0..6),
    ) {
        let command = ["rm x", "/bin/rm -rf x", "git push", "'rm' x", "rm x > y", "git \"push\""][which];
        let bench = Bench::new();
        let dressed = dressed(command, &ways);
        let allow = ["bash(git status:*)"];
        prop_assert_ne!(runs(&bench, &rules(&[], &allow), &dressed), RuleVerdict::Allow);
        let denying = rules(&["bash(rm:*)", "bash(git push:*)"], &["bash", "*"]);
        let verdict = runs(&bench, &denying, &dressed);
        prop_assert!(matches!(verdict, RuleVerdict::Deny(_)), "{} {:?}", dressed, target(&bench, &dressed));
    }

    #[test]
    fn more_that_is_allowed_makes_nothing_else_allowed(
        parts in proptest::collection::vec(0..7_usize, 1..6),
        joints in proptest::collection::vec(0..5_usize, 5),
    ) {
        let commands = ["git status", "ls -l", "true", "rm x", "A=1 ls", "ls $x", "ls > y"];
        let bench = Bench::new();
        let rules = rules(&[], &["bash(git status:*)", "bash(ls:*)", "bash(true)"]);
        let mut chain = commands[parts[0]].to_owned();
        for (part, joint) in parts[1..].iter().zip(&joints) {
            chain = format!("{chain}{}{}", [" && ", "; ", " | ", "\n", " || "][*joint], commands[*part]);
        }
        let all = parts.iter().all(|part| runs(&bench, &rules, commands[*part]) == RuleVerdict::Allow);
        let is_allowed = runs(&bench, &rules, &chain) == RuleVerdict::Allow;
        // The grammar stumbles over some; then it is asked. No part is ever lost.
        match known_parts(&target(&bench, &chain)) {
            None => prop_assert!(!is_allowed, "{}", chain),
            Some(known) => {
                prop_assert_eq!(known, parts.len(), "{}", chain);
                prop_assert_eq!(is_allowed, all, "{}", chain);
            }
        }
    }

    /// Whatever the text: it is read without a panic, and one changed character never makes a denied program allowed.
    #[test]
    fn text_at_random_is_read(text in "[ -~\n]{0,60}", command in "(rm|git|ls) ?[a-z$`'\"(){};&|<>\\\\ \n-]{0,30}") {
        let bench = Bench::new();
        let rules = rules(&[], &["bash(git status:*)"]);
        for text in [text, command] {
            if text.trim().is_empty() {
                continue;
            }
            let is_allowed = runs(&bench, &rules, &text) == RuleVerdict::Allow;
            prop_assert!(!is_allowed || text.contains("git"), "{}", text);
        }
    }
}

#[test]
fn a_command_on_the_next_line_is_never_an_argument_of_the_last_one() {
    let bench = Bench::new();
    let rules = rules(&[], &["bash(git status:*)", "bash(true:*)"]);
    for chain in [
        "git status && git status | git status | git status\nrm x > /dev/null",
        "git status && true | true | true\nrm x > /dev/null",
        "true | true | true\nrm x 2>/dev/null",
        "git status && true | true | true\nrm x > /dev/null\ntrue",
    ] {
        let verdict = runs(&bench, &rules, chain);
        assert!(verdict == RuleVerdict::Ask, "{chain:?}: {verdict:?}");
    }
    let plain = "git status && true | true | true > /dev/null\ntrue";
    assert_eq!(runs(&bench, &rules, plain), RuleVerdict::Allow, "{plain:?}");
}

//! The prefix that a question about a command offers, and the many commands that have none.

use super::*;

/// The prefix that is offered for a command.
fn prefix(bench: &Bench, command: &str) -> Option<String> {
    let action = bench.action("bash", json!({ "command": command }));
    let (rules, class) = (Rules::default(), EffectClass::Executes);
    let offered = rules.offered(Mode::Ask, "bash", class, &action.unwrap());
    assert_eq!(offered.tool, None, "{command:?}: all commands");
    offered.prefix
}

#[test]
fn a_program_and_its_subcommand_are_a_prefix() {
    let bench = Bench::new();
    for (command, rule) in [
        ("cargo test", "bash(cargo test *)"),
        (
            "  cargo   test -p core -- --nocapture",
            "bash(cargo test *)",
        ),
        ("cargo build --release", "bash(cargo build *)"),
        ("cargo test 'a name'", "bash(cargo test *)"),
        ("git status", "bash(git status *)"),
        ("git log --oneline -5", "bash(git log *)"),
        ("git commit -m 'one thing'", "bash(git commit *)"),
        ("git add src/a.rs", "bash(git add *)"),
        ("go test ./...", "bash(go test *)"),
        ("npm test", "bash(npm test *)"),
        ("pnpm run lint", "bash(pnpm run lint *)"),
    ] {
        assert_eq!(
            prefix(&bench, command).as_deref(),
            Some(rule),
            "{command:?}"
        );
    }
}

#[test]
fn nothing_else_is_a_prefix() {
    let bench = Bench::new();
    for command in [
        // More than one simple command, or more than its words.
        "cargo test; rm x",
        "cargo test && rm x",
        "cargo test || rm x",
        "cargo test & rm x",
        "cargo test | sh",
        "cargo test\nrm x",
        "cargo test \\\n x",
        "(cargo test)",
        "{ cargo test; }",
        "! cargo test; rm x",
        "if cargo test; then rm x; fi",
        "cargo test > log",
        "cargo test 2>&1",
        "cargo test 2>/dev/null",
        "cargo test < x",
        "cargo test <<< x",
        "cargo test <<X\nrm x\nX",
        "cargo test <(rm x)",
        "FOO=1 cargo test",
        "RUSTC_WRAPPER=./x cargo test",
        "export A=1",
        // Words that the shell makes.
        "cargo test $x",
        "cargo test $(rm x)",
        "cargo test `rm x`",
        "cargo test *",
        "cargo test ~",
        "cargo test {a,b}",
        "cargo test $'a'",
        "$c test",
        "car''go test",
        "'cargo' test",
        "\"cargo test\"",
        "cargo 'test'",
        // Something in front of the subcommand, or another program by that name.
        "cargo",
        "cargo +nightly test",
        "cargo --config x test",
        "cargo -C x test",
        "cargo testx",
        "./cargo test",
        "/tmp/cargo test",
        "~/bin/cargo test",
        "CARGO test",
        "git -c alias.status=!rm status",
        "git -C sub status",
        "git --git-dir=x status",
        "git --exec-path=x status",
        // Where more words mean anything.
        "sh -c 'cargo test'",
        "bash x.sh",
        "sudo cargo test",
        "env cargo test",
        "env A=1 cargo test",
        "xargs cargo test",
        "timeout 5 cargo test",
        "nice cargo test",
        "time cargo test",
        "command cargo test",
        "exec cargo test",
        "eval cargo test",
        "find . -name x",
        "find . -exec rm {} +",
        "python3 -m pytest",
        "python3 x.py",
        "node test",
        "perl x.pl",
        "awk 1 x",
        "ssh host cargo test",
        "docker run x",
        "make test",
        "npx test",
        "npm exec test",
        "npm run",
        "npm run evil",
        "npm install x",
        "cargo run",
        "cargo install x",
        "cargo xtask test",
        "go run x.go",
        "go generate",
        "rm x",
        "rm -r build",
        "curl https://example.org",
        // What throws work away, or sends and fetches it.
        "git push",
        "git push origin main",
        "git fetch origin",
        "git clone x",
        "git checkout x",
        "git reset x",
        "git clean -n",
        "git config x y",
        "git submodule foreach x",
        "git bisect run x",
        // An option that is no option of the subcommand alone.
        "cargo test --config x",
        "cargo test --manifest-path x",
        "cargo fmt -- --config-path x",
        "git log --output=x",
        "git diff --outp=x",
        "git grep -Osh x",
        "git commit",
        "go test -exec x",
        "go vet -vettool=x",
        "npm test --prefix x",
        "npm test --script-shell=x",
        // Not read for certain.
        "cargo test '",
        "cargo test \u{202e}x",
    ] {
        assert_eq!(prefix(&bench, command), None, "{command:?}");
    }
}

#[test]
fn the_rule_of_a_prefix_covers_other_words_of_one_command() {
    let bench = Bench::new();
    let rule = prefix(&bench, "cargo test a").unwrap();
    let rules = rules(&[], &[&rule]);
    each_is(
        &RuleVerdict::Allow,
        &rules,
        &bench,
        &[
            "cargo test",
            "cargo test b --lib",
            "cargo test a && cargo test b",
        ],
    );
    each_is(
        &RuleVerdict::Ask,
        &rules,
        &bench,
        &[
            "cargo test; rm x",
            "cargo test | tee x",
            "cargo test > x",
            "cargo test $(rm x)",
            // Also as the rule is written: a file can be called `--config=x`.
            "cargo test *",
            "A=1 cargo test",
            "sudo cargo test",
            "cargo test --config x",
            "cargo build",
        ],
    );
}

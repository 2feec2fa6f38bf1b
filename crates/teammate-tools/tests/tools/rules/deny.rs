//! Commands with a part that a deny rule names, and commands that only look so.

use super::*;

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
    let only_look_so = [
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
    ];
    each_is(&RuleVerdict::Allow, &rules, &bench, &only_look_so);
}

#[tokio::test]
async fn a_command_does_not_open_what_may_not_be_read_nor_change_what_may_not_be_written() {
    let mut bench = Bench::new();
    for file in [".env", "secrets/a", "keys/b/k.pem", "ci/run", "open"] {
        bench.file(file, "CONTENT\n");
    }
    let parse = |text: &str| Rule::parse(text, RuleOrigin::User).unwrap();
    let deny = [
        "read_file(.env)",
        "read(secrets/**)",
        "read(**/*.pem)",
        "edit(ci/**)",
    ]
    .map(parse);
    let held = crate::support::sandbox_in(&bench.root, teammate_sandbox::SandboxRules::default());
    let held = held.closing(&deny, &bench.root);
    bench.catalogue = teammate_tools::ToolCatalogue::with_sandbox(held);
    let said = bench
        .run("bash", json!({"command": "cat .env secrets/a keys/b/k.pem; ln .env x; mv keys k2; cat open ci/run; echo new > ci/run"}))
        .await
        .text();
    assert_eq!(said.matches("CONTENT").count(), 2, "{said}");
    assert_eq!(bench.read("ci/run"), "CONTENT\n", "{said}");
    assert_eq!(bench.read("keys/b/k.pem"), "CONTENT\n", "{said}");
    assert_eq!(bench.read(".env"), "CONTENT\n");
}

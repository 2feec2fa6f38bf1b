//! Programs that nothing of what is done here needs: they do not run, and nothing is refused for them.

use super::*;

/// Settings that name programs which nothing of what is done here needs.
const SWITCHED_OFF: [&str; 34] = [
    "alias.merge",
    "alias.status",
    "alias.worktree",
    "core.alternateRefsCommand",
    "core.askPass",
    "core.editor",
    "core.fsmonitor",
    "core.gitProxy",
    "core.pager",
    "core.sshCommand",
    "credential.helper",
    "credential.https://a.b.helper",
    "diff.external",
    "diff.x.command",
    "diff.x.textconv",
    "difftool.x.cmd",
    "filter.unused.clean",
    "filter.unused.process",
    "filter.unused.smudge",
    "gpg.program",
    "gpg.ssh.program",
    "interactive.diffFilter",
    "merge.unused.driver",
    "mergetool.x.cmd",
    "pager.diff",
    "pager.status",
    "pager.worktree",
    "remote.origin.receivepack",
    "remote.origin.uploadpack",
    "remote.origin.vcs",
    "sequence.editor",
    "tar.x.command",
    "trailer.x.command",
    "uploadpack.packObjectsHook",
];

// slow: many calls of git
#[tokio::test]
async fn what_is_not_needed_is_switched_off_wherever_it_is_set() {
    for place in ["local", "included", "worktree"] {
        let hostile = Hostile::new("* diff=x\n").await;
        let included = hostile.repo.root.join(".git/more").display().to_string();
        let at: &[&str] = match place {
            "local" => &["config", "--local"],
            "included" => {
                hostile.set("include.path", &included);
                &["config", "--file", &included]
            }
            _ => {
                hostile.set("extensions.worktreeConfig", "true");
                &["config", "--worktree"]
            }
        };
        for key in SWITCHED_OFF {
            let trap = hostile.trap(key);
            let alias = if key.starts_with("alias") { "!" } else { "" };
            hostile
                .repo
                .git(&[at, &[key, &format!("{alias}{trap}")]].concat());
        }
        for (key, value) in [
            ("remote.origin.url", "ext::sh -c true"),
            ("protocol.ext.allow", "always"),
            ("submodule.x.update", "!true"),
            ("commit.gpgSign", "true"),
        ] {
            hostile.repo.git(&[at, &[key, value]].concat());
        }
        // Git does not run them for what is done here.
        hostile.hook(".git/hooks", "pre-push");
        let is_old = is_git_older_than_2_40();
        for (what, end) in hostile.tries().await {
            if is_old && what == "merge" {
                let why = end.unwrap_err().to_string();
                assert!(why.contains("only git 2.40 or newer"), "{place}: {why}");
                continue;
            }
            assert!(end.is_ok(), "{place}: {what}: {}", end.unwrap_err());
        }
        if !is_old {
            assert_eq!(
                hostile.repo.read("f.txt"),
                "one\n2\n3\n4\n5\n6\n7\n8\nnine\n"
            );
        }
        // The traps do work.
        hostile
            .repo
            .git(&["-c", "alias.y=status", "status", "--short"]);
        assert!(!hostile.has_run().is_empty(), "{place}");
    }
}

/// Such a git cannot tell the attributes that files get by a merge.
fn is_git_older_than_2_40() -> bool {
    let said = std::process::Command::new("git").arg("--version").output();
    let said = String::from_utf8(said.unwrap().stdout).unwrap();
    let version = said.trim_start_matches("git version ").split('.');
    let version: Vec<u32> = version.filter_map(|part| part.parse().ok()).collect();
    version[..2] < [2, 40][..]
}

//! Git repositories that name programs to run, in every place where git looks. The user's lead makes a worktree in each, looks
//! at its changes, merges and removes it.

use super::{Expects, Row, hold, row, site::Site};
use crate::play::{Scene as _, bash, play, say, spawn};

/// A repository with this local configuration, and attributes for all files.
fn configured(site: &Site, attributes: &str, settings: &[(&str, &str)]) {
    site.repository();
    site.put(".gitattributes", format!("{attributes}\n"));
    site.git(&["add", ".gitattributes"]);
    site.git(&["commit", "-q", "-m", "attributes"]);
    for (key, value) in settings {
        site.git(&["config", key, value]);
    }
}

/// A bare repository in a directory of the work tree, as it comes with a plain clone; with a work tree around it.
fn bare(site: &Site, below: &str) {
    site.repository();
    site.git(&["init", "-q", "--bare", "--template=", below]);
    let trap = site.trap("bare");
    for (key, value) in [
        ("core.bare", "false"),
        ("core.worktree", ".."),
        ("core.fsmonitor", &*trap),
        ("filter.x.smudge", &*trap),
        ("core.hooksPath", "hooks"),
    ] {
        site.git_in(below, &["config", "--file", "config", key, value]);
    }
}

fn programs() -> Vec<Row> {
    vec![
        row("git: filters", Expects::Opens, |site| {
            let (smudge, clean) = (
                format!("{}; cat", site.trap("smudge")),
                format!("{}; cat", site.trap("clean")),
            );
            configured(
                site,
                "* filter=x",
                &[
                    ("filter.x.smudge", &smudge),
                    ("filter.x.clean", &clean),
                    ("filter.x.required", "true"),
                ],
            );
        }),
        row("git: a filter process", Expects::Opens, |site| {
            configured(
                site,
                "*.txt filter=lfs",
                &[("filter.lfs.process", &site.trap("process"))],
            );
        }),
        row("git: merge and diff drivers", Expects::Opens, |site| {
            let trap = site.trap("driver");
            configured(
                site,
                "* merge=x diff=x",
                &[
                    ("merge.x.driver", &trap),
                    ("merge.default", "x"),
                    ("diff.x.command", &trap),
                    ("diff.x.textconv", &trap),
                    ("diff.external", &trap),
                ],
            );
        }),
        row(
            "git: everything that is not a file's",
            Expects::Opens,
            |site| {
                let trap = site.trap("setting");
                let keys = [
                    "core.fsmonitor",
                    "core.pager",
                    "core.editor",
                    "core.sshCommand",
                    "core.askPass",
                    "core.alternateRefsCommand",
                    "core.gitProxy",
                    "gpg.program",
                    "gpg.ssh.program",
                    "sequence.editor",
                    "credential.helper",
                    "uploadpack.packObjectsHook",
                    "pager.status",
                    "interactive.diffFilter",
                    "init.templateDir",
                    "browser.x.cmd",
                    "web.browser",
                ];
                let settings: Vec<_> = keys.iter().map(|key| (*key, &*trap)).collect();
                configured(site, "* -text", &settings);
                site.git(&["config", "commit.gpgSign", "true"]);
                site.git(&["config", "alias.worktree", &format!("!{trap}")]);
            },
        ),
        row("git: hooks", Expects::Opens, |site| {
            site.repository();
            for hook in [
                "post-checkout",
                "post-merge",
                "pre-merge-commit",
                "reference-transaction",
                "post-index-change",
                "pre-commit",
            ] {
                site.put_program(
                    &format!(".git/hooks/{hook}"),
                    &format!("#!/bin/sh\n{}\n", site.trap(hook)),
                );
            }
        }),
        row("git: hooks that are tracked", Expects::Opens, |site| {
            site.put_program(
                ".githooks/post-checkout",
                &format!("#!/bin/sh\n{}\n", site.trap("hook")),
            );
            configured(site, "* -text", &[("core.hooksPath", ".githooks")]);
        }),
        row("git: an included configuration", Expects::Opens, |site| {
            let evil = format!(
                "[filter \"x\"]\n\tsmudge = {}\n[core]\n\tfsmonitor = {}\n",
                site.trap("smudge"),
                site.trap("monitor")
            );
            site.put("evil.inc", evil);
            configured(site, "* filter=x", &[("include.path", "../evil.inc")]);
        }),
        row("git: attributes out of sight", Expects::Opens, |site| {
            configured(
                site,
                "* -text",
                &[
                    ("filter.x.smudge", &site.trap("smudge")),
                    ("core.attributesFile", "attributes"),
                ],
            );
            site.put("attributes", "* filter=x\n");
            site.put(".git/info/attributes", "* filter=x\n");
        }),
        row(
            "git: configuration of the worktree",
            Expects::Opens,
            |site| {
                configured(
                    site,
                    "* filter=x",
                    &[
                        ("extensions.worktreeConfig", "true"),
                        ("core.repositoryFormatVersion", "1"),
                    ],
                );
                site.put(
                    ".git/config.worktree",
                    format!("[filter \"x\"]\n\tsmudge = {}\n", site.trap("smudge")),
                );
            },
        ),
        row(
            "git: objects that come from elsewhere",
            Expects::Opens,
            |site| {
                let trap = site.trap("fetch");
                configured(
                    site,
                    "* -text",
                    &[
                        ("remote.o.url", "ext::sh -c x"),
                        ("remote.o.promisor", "true"),
                        ("remote.o.uploadpack", &trap),
                        ("extensions.partialClone", "o"),
                        ("core.repositoryFormatVersion", "1"),
                        ("protocol.ext.allow", "always"),
                        ("core.sshCommand", &trap),
                    ],
                );
                // One blob is missing.
                let blob = std::process::Command::new("git")
                    .args(["hash-object", "hello.txt"])
                    .current_dir(site.work())
                    .output()
                    .unwrap();
                let id = String::from_utf8(blob.stdout).unwrap();
                std::fs::remove_file(site.path(&format!(
                    ".git/objects/{}/{}",
                    &id[..2],
                    id[2..].trim()
                )))
                .unwrap();
            },
        ),
    ]
}

fn places() -> Vec<Row> {
    vec![
        row(
            "git: a bare repository in the tree",
            Expects::Opens,
            |site| bare(site, "sub"),
        ),
        row(
            "git: the workspace is a bare repository",
            Expects::Opens,
            |site| {
                site.git(&["init", "-q", "--bare", "--template=", "."]);
                site.git(&[
                    "config",
                    "--file",
                    "config",
                    "core.fsmonitor",
                    &site.trap("monitor"),
                ]);
                site.git(&["config", "--file", "config", "core.bare", "false"]);
                site.git(&["config", "--file", "config", "core.worktree", "."]);
            },
        ),
        row(
            "git: a .git file that leads elsewhere",
            Expects::Opens,
            |site| {
                configured(
                    site,
                    "* filter=x",
                    &[("filter.x.smudge", &site.trap("smudge"))],
                );
                std::fs::rename(site.path(".git"), site.client().join("repository")).unwrap();
                site.put(
                    ".git",
                    format!("gitdir: {}\n", site.client().join("repository").display()),
                );
            },
        ),
        row("git: .git is a pipe", Expects::Opens, |site| {
            site.fifo(".git");
        }),
        row("git: .git is a link", Expects::Opens, |site| {
            site.repository();
            std::fs::rename(site.path(".git"), site.client().join("repository")).unwrap();
            site.link(".git", "../outside/repository");
        }),
        row("git: a pipe as HEAD", Expects::Opens, |site| {
            site.repository();
            std::fs::remove_file(site.path(".git/HEAD")).unwrap();
            site.fifo(".git/HEAD");
        }),
        row(
            "git: an exclude file that is a link",
            Expects::Opens,
            |site| {
                site.repository();
                let _ = std::fs::remove_file(site.path(".git/info/exclude"));
                site.link(".git/info/exclude", site.client().join("file"));
            },
        ),
        row(
            "git: an exclude file that is a pipe",
            Expects::Opens,
            |site| {
                site.repository();
                let _ = std::fs::remove_file(site.path(".git/info/exclude"));
                site.fifo(".git/info/exclude");
            },
        ),
        row(
            "git: a work tree that is elsewhere",
            Expects::Opens,
            |site| {
                configured(site, "* -text", &[("core.worktree", "../../outside")]);
            },
        ),
        row(
            "git: worktrees that lead elsewhere",
            Expects::Refused,
            |site| {
                site.repository();
                site.link(".team/worktrees", site.client().join("dir"));
            },
        ),
    ]
}

/// A member's own git, with the rule that the README gives.
fn members() -> Vec<Row> {
    let members_git = |site: &Site| {
        site.plays(&play([
            (
                "lead",
                vec![
                    spawn([("worker", "coder", "Begin")]).after("Go"),
                    say("I wait.").otherwise(),
                ],
            ),
            (
                "worker",
                vec![bash("git status").after("Begin"), say("ready").otherwise()],
            ),
        ]));
    };
    let rows = vec![
        row(
            "git: a member's status, a bare repository around it",
            Expects::Opens,
            move |site| {
                site.git(&["init", "-q", "--bare", "--template=", "."]);
                for (key, value) in [
                    ("core.fsmonitor", &*site.trap("monitor")),
                    ("core.bare", "false"),
                    ("core.worktree", "."),
                ] {
                    site.git(&["config", "--file", "config", key, value]);
                }
                members_git(site);
            },
        ),
        row(
            "git: a member's status, a monitor configured",
            Expects::Opens,
            move |site| {
                configured(
                    site,
                    "* -text",
                    &[("core.fsmonitor", &site.trap("monitor"))],
                );
                members_git(site);
            },
        ),
        row(
            "git: a member's status, a filter configured",
            Expects::Opens,
            move |site| {
                configured(
                    site,
                    "* filter=x",
                    &[("filter.x.clean", &site.trap("clean"))],
                );
                site.put("hello.txt", "changed\n");
                members_git(site);
            },
        ),
    ];
    rows.into_iter()
        .map(|row| Row {
            flags: vec!["--allow", "bash(git status:*)"],
            ..row
        })
        .collect()
}

#[test]
fn programs_that_a_repository_configures_are_not_run() {
    hold(&programs());
}

#[test]
fn a_repository_that_is_elsewhere_is_not_believed() {
    hold(&places());
}

#[test]
fn a_rule_for_git_does_not_cover_what_a_repository_configures() {
    hold(&members());
}

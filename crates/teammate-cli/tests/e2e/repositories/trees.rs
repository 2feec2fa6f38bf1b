//! Files and trees that are huge: nothing hangs, and memory stays bounded.

use super::{
    Expects, Row,
    forged::{mail, team},
    hold, row,
};

const GIB: u64 = 1 << 30;

/// How deep a tree is.
const LEVELS: usize = 1_000;

fn files() -> Vec<Row> {
    vec![
        row("huge: a journal of 3 GiB", Expects::Refused, |site| {
            site.put_hole(".team/journal.jsonl", 3 * GIB);
        }),
        // No record, so no team.
        row("huge: a journal of 32 MiB", Expects::Opens, |site| {
            site.put_hole(".team/journal.jsonl", 32 << 20);
        }),
        row("huge: a transcript of 3 GiB", Expects::Ruined, |site| {
            team(site, &[]);
            site.put_hole(".team/agents/lead/transcript.jsonl", 3 * GIB);
        }),
        row(
            "huge: claimed mail of 3 GiB, an inbox of 300 MiB",
            Expects::Ruined,
            |site| {
                team(site, &[]);
                site.put_hole(".team/inbox/.claimed/lead/1.jsonl", 3 * GIB);
                site.put_hole(".team/inbox/worker.jsonl", 300 << 20);
            },
        ),
        row(
            "huge: events, roster and outputs",
            Expects::Ruined,
            |site| {
                team(site, &[]);
                for file in [
                    "events.jsonl",
                    "config.json",
                    "outputs/lead-b1.txt",
                    "tasks/1.json",
                    "plans/x.md",
                ] {
                    site.put_hole(&format!(".team/{file}"), 3 * GIB);
                }
            },
        ),
        row("huge: mail of another program", Expects::Opens, |site| {
            let line = mail("lead", "user", "message", &"x".repeat(200));
            site.put(".team/inbox/lead.jsonl", format!("{line}\n").repeat(2_000));
        }),
        row("huge: texts", Expects::Opens, |site| {
            for file in [
                "AGENTS.md",
                "CLAUDE.md",
                ".teammate/settings.toml",
                ".teammate/agents/a.md",
                ".claude/skills/x/SKILL.md",
            ] {
                site.put_hole(file, 3 * GIB);
            }
        }),
    ]
}

fn trees() -> Vec<Row> {
    let mut rows = vec![
        row("tree: deep", Expects::Opens, |site| {
            let dirs = "d/".repeat(LEVELS);
            site.put(&format!("{dirs}needle.txt"), "needle\n");
        }),
        row("tree: wide", Expects::Opens, |site| {
            for at in 0..2_000 {
                site.put(&format!("d{}/f{at}.txt", at % 50), "no\n");
            }
        }),
        row(
            "tree: many agents, skills and members",
            Expects::Unknown,
            |site| {
                team(site, &[]);
                for at in 0..200 {
                    site.put(&format!(".teammate/agents/a{at}.md"), "---\nname: a\n---\n");
                    site.put(
                        &format!(".claude/skills/s{at}/SKILL.md"),
                        "---\nname: s\ndescription: x\n---\n",
                    );
                    site.put(&format!(".team/inbox/m{at}.jsonl"), "");
                    site.put(&format!(".team/tasks/{at}.json"), "{}");
                }
            },
        ),
        row("tree: a deep .team", Expects::Unknown, |site| {
            team(site, &[]);
            site.put(&format!(".team/agents/{}x", "d/".repeat(LEVELS / 4)), "x");
            site.put(
                &format!(".team/inbox/.claimed/{}x", "d/".repeat(LEVELS / 4)),
                "x",
            );
        }),
    ];
    rows[0].flags = vec!["--deny", "read(secret/**)", "--deny", "read(**/*.key)"];
    rows
}

#[test]
fn huge_files_cost_neither_memory_nor_time() {
    hold(&files());
}

#[test]
fn deep_and_wide_trees_hang_nothing() {
    hold(&trees());
}

//! Names that commands may not change: absent ones, and links.

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
};

use teammate_sandbox::{Name, Placeholders, protect, sweep};

use crate::place::Place;

const ABSENT: [&str; 3] = [".mcp.json", ".github/workflows", "src/.claude"];

/// Protects these names of the project.
fn protecting(names: &[&str]) -> (Place, Placeholders) {
    let mut place = Place::new();
    let placeholders = protect_in(&mut place, names);
    (place, placeholders)
}

fn paths(place: &Place, names: &[&str]) -> Vec<Name> {
    let paths = names.iter().map(|name| place.project.join(name));
    paths.map(Name::from).collect()
}

fn protect_in(place: &mut Place, names: &[&str]) -> Placeholders {
    let mut policy = place.policy();
    let (held, placeholders) = protect(&paths(place, names), &policy.writable).unwrap();
    policy.protected.extend(held);
    place.see(policy);
    placeholders
}

async fn refuses(place: &Place, scripts: &[&str]) {
    for script in scripts {
        let said = place.run(script).await;
        assert_ne!(said.code, Some(0), "{script} succeeded: {}", said.text);
    }
}

fn are_there(place: &Place, names: &[&str]) -> Vec<bool> {
    let there = |name: &&str| place.project.join(name).symlink_metadata().is_ok();
    names.iter().map(there).collect()
}

#[tokio::test]
async fn an_absent_name_cannot_be_made() {
    let (place, placeholders) = protecting(&ABSENT);
    refuses(
        &place,
        &[
            "echo x > .mcp.json",
            "rmdir .mcp.json",
            "mv .mcp.json m",
            "mkdir -p .github/workflows",
            "touch .github/x",
            "rmdir .github",
            "mv .github g",
            "mkdir src/.claude/x",
            "rm -rf src/.claude",
            "mv src s",
        ],
    )
    .await;
    assert!(placeholders.are_in_place());
    drop(placeholders);
    let names = [".mcp.json", ".github", "src/.claude", "src/main.c"];
    assert_eq!(are_there(&place, &names), [false, false, false, true]);
}

#[tokio::test]
async fn a_placeholder_that_is_gone_is_noticed_and_made_again() {
    let (mut place, placeholders) = protecting(&ABSENT);
    fs::remove_dir(place.project.join(".mcp.json")).unwrap();
    assert!(!placeholders.are_in_place());
    let made_by_the_user = place.project.join("src/.claude");
    fs::set_permissions(&made_by_the_user, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(made_by_the_user.join("settings"), "x").unwrap();
    drop(placeholders);
    assert_eq!(
        are_there(&place, &[".github", "src/.claude/settings"]),
        [false, true]
    );
    let placeholders = protect_in(&mut place, &ABSENT);
    assert!(placeholders.are_in_place());
    refuses(
        &place,
        &["echo x > .mcp.json", "echo x > src/.claude/settings"],
    )
    .await;
}

#[tokio::test]
async fn two_programs_share_placeholders_and_the_last_removes_them() {
    let (mut place, first) = protecting(&[".mcp.json"]);
    let second = protect_in(&mut place, &[".mcp.json"]);
    drop(first);
    assert!(second.are_in_place());
    drop(second);
    assert_eq!(are_there(&place, &[".mcp.json"]), [false]);
}

#[tokio::test]
async fn what_a_killed_program_left_is_swept() {
    let (place, placeholders) = protecting(&[".mcp.json"]);
    // As if by a program that is no more.
    for left in [".github", "full"] {
        fs::create_dir(place.project.join(left)).unwrap();
    }
    fs::write(place.project.join("full/x"), "x").unwrap();
    for left in [".github", "full"] {
        let read_only = fs::Permissions::from_mode(0o555);
        fs::set_permissions(place.project.join(left), read_only).unwrap();
    }
    let names = [".mcp.json", ".github/workflows", "full", "src"];
    sweep(&paths(&place, &names), &place.policy().writable);
    let there = are_there(&place, &[".mcp.json", ".github", "full", "src"]);
    assert_eq!(there, [true, false, true, true]);
    drop(placeholders);
    let writable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(place.project.join("full"), writable).unwrap();
}

#[tokio::test]
async fn a_protected_link_stays_and_so_does_what_it_leads_to() {
    let mut place = Place::new();
    let project = place.project.clone();
    fs::create_dir_all(project.join("tools/hooks")).unwrap();
    fs::create_dir(project.join("tools/deep")).unwrap();
    fs::write(project.join("tools/hooks/run"), "run").unwrap();
    symlink("tools/hooks", project.join("hooks")).unwrap();
    symlink("tools", project.join("t")).unwrap();
    symlink(project.join("t/later"), project.join("dangling")).unwrap();
    symlink("/nowhere/at/all", project.join("lost")).unwrap();
    symlink("round", project.join("round")).unwrap();
    let placeholders = protect_in(&mut place, &["hooks", "t/deep", "dangling", "lost"]);
    assert_eq!(
        place.run("cat hooks/run; ls -d t/deep").await.text,
        "runt/deep\n"
    );
    refuses(
        &place,
        &[
            "rm hooks",
            "mv hooks h",
            "ln -sfn src hooks",
            "echo x > hooks/run",
            "echo x > tools/hooks/run",
            "mv tools/hooks tools/h",
            "mv tools tt",
            "rm t",
            "ln -sfn src t",
            "touch t/deep/x",
            "rm dangling",
            "echo x > dangling",
            "echo x > tools/later",
            "rm lost",
            "ln -sfn src lost",
        ],
    )
    .await;
    let placed: Vec<_> = placeholders.paths().collect();
    assert_eq!(placed, [project.join("tools/later")]);
    let refused = protect(&paths(&place, &["round"]), &place.policy().writable).unwrap_err();
    assert!(refused.to_string().contains("too many links"), "{refused}");
}

//! Names that commands may not change: absent ones, and links.

use std::{fs, os::unix::fs::symlink, path::PathBuf};

use teammate_sandbox::protect;

use crate::place::Place;

fn paths(place: &Place, names: &[&str]) -> Vec<PathBuf> {
    names.iter().map(|name| place.project.join(name)).collect()
}

/// Protects these names of the project. Returns those at which nothing stands.
fn protect_in(place: &mut Place, names: &[&str]) -> Vec<PathBuf> {
    let mut policy = place.policy();
    let (held, absent) = protect(&paths(place, names), &policy.writable).unwrap();
    policy.protected.extend(held);
    place.see(policy);
    absent
}

async fn refuses(place: &Place, scripts: &[&str]) {
    for script in scripts {
        let said = place.run(script).await;
        assert_ne!(said.code, Some(0), "{script} succeeded: {}", said.text);
    }
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
    let names = ["hooks", "t/deep", "dangling", "lost", "src/.claude/x"];
    let absent = protect_in(&mut place, &names);
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
            "rm lost",
            "ln -sfn src lost",
        ],
    )
    .await;
    assert_eq!(
        absent,
        ["tools/later", "src/.claude/x"].map(|name| project.join(name))
    );
    let refused = protect(&paths(&place, &["round"]), &place.policy().writable).unwrap_err();
    assert!(refused.to_string().contains("too many links"), "{refused}");
}

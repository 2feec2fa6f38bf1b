//! Names with a secret in them: of models, teams, workers and persons. They are refused, since names are shown and written as they are.

use super::*;

#[test]
fn a_secret_is_no_name_of_a_model() {
    let world = world();
    let model = format!("work:{ENVIRONMENT}");
    world
        .teammate(&["run", "--model", &model, "Go"])
        .ends(1)
        .complains("'work:[secret DEPLOY_TOKEN]' is no name of a model: a secret is in it");
    for below in [".team", "../home/.local"] {
        for path in files(&world.path(below)) {
            let text = fs::read(&path).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            assert!(!text.contains(ENVIRONMENT), "{}", path.display());
        }
    }
}

#[test]
fn a_secret_is_in_no_name_of_a_team_a_worker_or_a_person() {
    let world = world();
    world
        .teammate(&["run", "--permission-mode", "bypass", "Go"])
        .ends(0);
    let circle = world.path("../circle").display().to_string();
    world
        .teammate(&["keys", "--circle", &circle, "init"])
        .ends(0);
    let doors: [(&str, &[&str]); 7] = [
        ("team", &["run", "--team", NAMED, "Go"]),
        ("team", &["-p", "Go", "--team", NAMED]),
        ("team", &["--team", NAMED]),
        ("team", &["up", "--team", NAMED]),
        ("team", &["tasks", "add", "x", "--members-of", NAMED]),
        ("worker", &["keys", "--circle", &circle, "worker", NAMED]),
        ("person", &["keys", "--circle", &circle, "person", NAMED]),
    ];
    for (what, command) in doors {
        let run = world.teammate(command);
        let said = format!("'the-[secret DEPLOY_TOKEN]' is no name of a {what}: a secret is in it");
        assert!(
            run.err.contains(&said),
            "{command:?}: {}{}",
            run.out,
            run.err
        );
        assert_ne!(run.code, 0, "{command:?}");
    }
    assert_hidden(&world, &[]);
    for path in files(&world.path("../circle")) {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        let has_secret =
            text.contains(ENVIRONMENT) || path.display().to_string().contains(ENVIRONMENT);
        assert!(!has_secret, "{}", path.display());
    }
    // A team goes on that had its name before that was a secret.
    let run = [
        "run",
        "--team",
        "well-known-name",
        "--permission-mode",
        "bypass",
        "Go",
    ];
    world.teammate(&run).ends(0);
    let later = world.again().env("LATER_TOKEN", "well-known-name");
    later.teammate(&run).ends(0);
}

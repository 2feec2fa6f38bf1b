//! An "always" settles the questions that wait beside its own and that its rule lets through.

use super::*;
use crate::breadth::Breadth;

impl Scene {
    /// A question that offers these rules for exactly this, and for its prefix.
    fn command(&mut self, from: &str, shows: &str, prefix: Option<&str>) -> RequestId {
        let exact = Some(format!("bash(={shows})"));
        let prefix = prefix.map(|prefix| format!("bash({prefix} *)"));
        self.question(
            from,
            shows,
            OfferedRules {
                exact,
                prefix,
                tool: None,
            },
        )
    }

    fn question(&mut self, from: &str, shows: &str, rules: OfferedRules) -> RequestId {
        let ask = PermissionRequest {
            tool: "bash".into(),
            shows: shows.into(),
            digest: digest(&format!("{from} {shows}")),
            rules: Box::new(rules),
            lead_may: false,
            because: String::new(),
            touches: None,
        };
        self.open(from, RequestPayload::Permission(ask)).unwrap()
    }
}

#[test]
fn an_always_settles_the_same_question_of_others() {
    let mut scene = Scene::new();
    let alices = scene.command("alice", "git status", None);
    let bobs = scene.command("bob", "git status", None);
    let other = scene.command("lead", "git push", None);
    let events = scene.answer(alices, "user", Answer::always(Breadth::Exact));
    assert_eq!(events, Ok(2), "both in one record");
    assert_eq!(scene.state(bobs), "approved");
    assert_eq!(scene.state(other), "pending");
    let settled = scene.team.requests().get(bobs).unwrap();
    assert_eq!(settled.describe(), "approved by the user with req_000001");
    let covered: Vec<_> = scene.team.settled_with(alices).map(|one| one.id).collect();
    assert_eq!(covered, [bobs]);
    let (shows, used) = ("bob git status", 1);
    assert_eq!(
        scene.use_grant(bobs, "bob", shows),
        Ok(used),
        "it allows its own call, once"
    );
    assert!(scene.use_grant(bobs, "bob", shows).is_err());
}

#[test]
fn a_prefix_covers_what_begins_with_it_and_a_yes_covers_nothing() {
    let mut scene = Scene::new();
    let one = scene.command("alice", "cargo test a", Some("cargo test"));
    let same_prefix = scene.command("bob", "cargo test b", Some("cargo test"));
    let other_prefix = scene.command("lead", "cargo run", Some("cargo run"));
    scene.answer(one, "user", Answer::yes()).unwrap();
    assert_eq!(scene.state(same_prefix), "pending");
    let two = scene.command("alice", "cargo test c", Some("cargo test"));
    scene
        .answer(two, "user", Answer::always(Breadth::Exact))
        .unwrap();
    assert_eq!(
        scene.state(same_prefix),
        "pending",
        "its exact rule is another"
    );
    let three = scene.command("alice", "cargo test d", Some("cargo test"));
    scene
        .answer(three, "user", Answer::always(Breadth::Prefix))
        .unwrap();
    assert_eq!(scene.state(same_prefix), "approved");
    assert_eq!(scene.state(other_prefix), "pending");
}

#[test]
fn what_rules_do_not_help_with_and_what_is_over_stays_as_it_is() {
    let mut scene = Scene::new();
    let asked_each_time = scene.question("bob", "git push", OfferedRules::default());
    let late = scene.command("bob", "git push", None);
    scene.now += 30_000;
    let alices = scene.command("alice", "git push", None);
    scene
        .answer(alices, "user", Answer::always(Breadth::Exact))
        .unwrap();
    assert_eq!(scene.state(asked_each_time), "pending");
    assert_eq!(scene.state(late), "pending", "its deadline has passed");
}

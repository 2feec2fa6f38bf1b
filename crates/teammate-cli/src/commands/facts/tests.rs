//! The view of a team is one, wherever its facts come from.

use teammate::{Mode, Team, TeamClient, project::UserDirs};
use teammate_view::{TeamView, Timeline};

use super::*;

const PLAY: &str = r#"{ "members": {
    "lead": [
        { "when": { "mail_contains": "Begin" }, "calls": [
            { "tool": "create_task", "input": { "subject": "Look" } },
            { "tool": "spawn_teammate", "input": { "name": "alice", "prompt": "Look around." } },
            { "tool": "spawn_teammate", "input": { "name": "bob", "prompt": "Listen." } }
        ] },
        { "when": { "otherwise": true }, "say": "I have heard {{mail}}.", "repeat": true }
    ],
    "alice": [
        { "calls": [{ "tool": "list_tasks", "input": {} }] },
        { "calls": [{ "tool": "send_message", "input": { "to": "bob", "content": "Nothing *here*." } }] },
        { "say": "I have looked.", "repeat": true }
    ],
    "bob": [{ "say": "I heard: {{mail}}", "repeat": true }]
} }"#;

/// What the facts of a face make, until no more come; and how many came.
async fn folded(mut facts: Facts) -> (TeamView, usize) {
    let (mut view, mut count) = (facts.first, 0);
    while let Some(fact) = facts.next.recv().await {
        view.apply(&fact);
        count += 1;
    }
    (view, count)
}

/// The same in another process, which waits for the next run: until it has what the files have.
async fn folded_as_far_as(mut facts: Facts, files: &TeamView) -> TeamView {
    let mut view = facts.first;
    while view.is_live() || view.records() < files.records() {
        let fact = facts.next.recv().await;
        view.apply(&fact.expect("the pump goes on"));
    }
    facts.pump.abort();
    view
}

#[tokio::test]
async fn the_host_another_process_the_files_and_the_past_have_the_same_view() {
    let dir = tempfile::tempdir().unwrap();
    let play = dir.path().join("play.json");
    std::fs::write(&play, PLAY).unwrap();
    let user = UserDirs {
        state: Some(dir.path().join("state")),
        ..UserDirs::default()
    };
    let model = format!("scripted:{}", play.display()).parse().unwrap();
    let team = Team::builder(dir.path(), model).mode(Mode::Bypass);
    let team = team.user_dirs(user.clone()).prepare().await.unwrap();
    let host = tokio::spawn(folded(of_host(&team).await.unwrap()));
    team.start_with("Begin").await.unwrap();
    let client = TeamClient::open(dir.path(), &user).await.unwrap();
    let outside = of_files(&client).await.unwrap();
    team.wait_idle().await;
    team.close().await;

    let (host, count) = host.await.unwrap();
    let read = read_all(&mut client.history()).await.unwrap();
    let files = TeamView::of(&read);
    let outside = folded_as_far_as(outside, &files).await;
    let mut past = Timeline::new(read.clone());
    past.go_to(read.len() / 2);
    past.go_to(read.len());

    assert!(host.mail().iter().count() >= 3, "{host:#?}");
    // Pieces of answers are in no file.
    assert!(count > read.len(), "{count} {}", read.len());
    let shown = |view: &TeamView| format!("{view:#?}");
    assert_eq!(shown(&host), shown(&outside), "another process");
    assert_eq!(shown(&host), shown(&files), "the files");
    assert_eq!(shown(&host), shown(past.view()), "the past");
    assert_eq!(host, files);
}

#[tokio::test]
async fn a_face_that_does_not_look_holds_up_nobody_and_misses_nothing() {
    const ROUNDS: usize = 50;
    const CALLS: usize = 16;
    let dir = tempfile::tempdir().unwrap();
    let play = dir.path().join("play.json");
    // No two alike: a model that repeats itself is stopped.
    let call = |n: usize| {
        format!(r#"{{ "tool": "create_task", "input": {{ "subject": "Look at {n}" }} }}"#)
    };
    let round = |n: usize| {
        let calls: Vec<_> = (n * CALLS..(n + 1) * CALLS).map(call).collect();
        format!(r#"{{ "calls": [{}] }}"#, calls.join(","))
    };
    let rounds: Vec<_> = (0..ROUNDS).map(round).collect();
    let rounds = rounds.join(",");
    let text = format!(
        r#"{{ "members": {{ "lead": [{rounds}, {{ "say": "I have looked.", "repeat": true }}] }} }}"#
    );
    std::fs::write(&play, text).unwrap();
    let user = UserDirs {
        state: Some(dir.path().join("state")),
        ..UserDirs::default()
    };
    let model = format!("scripted:{}", play.display()).parse().unwrap();
    let team = Team::builder(dir.path(), model).mode(Mode::Bypass);
    let team = team.user_dirs(user.clone()).prepare().await.unwrap();
    let facts = of_host(&team).await.unwrap();
    team.start_with("Begin").await.unwrap();
    team.wait_idle().await;
    team.close().await;
    // Nobody has looked until now: what there was no room for waited.
    assert_eq!(facts.next.len(), FACTS_MAX, "the queue is full");
    let (host, count) = folded(facts).await;
    assert!(count > FACTS_MAX, "{count}");
    let client = TeamClient::open(dir.path(), &user).await.unwrap();
    let read = read_all(&mut client.history()).await.unwrap();
    assert_eq!(host, TeamView::of(&read));
}

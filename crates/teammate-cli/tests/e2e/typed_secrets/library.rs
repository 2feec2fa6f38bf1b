//! A secret that a program of somebody else holds, in what it asks of a team through the library.

use std::fs;

use teammate::{
    Endpoint, GroupName, LookOptions, Providers, Team, TeamClient, TeamPlace, WireFormat,
    board::{NewTask, TaskAction},
    handle::{ActOnTask, Say},
    project::UserDirs,
};

use super::{CONFIGURED, world};
use crate::world::{files, now};

#[test]
fn by_the_library() {
    let world = world();
    // A process of another user's program, which holds one of them.
    let server = || Endpoint {
        name: "work".to_owned(),
        base_url: format!("http://me:{CONFIGURED}@127.0.0.1:9/v1"),
        ..Endpoint::anthropic(None)
    };
    let providers = || Providers::new().with("work", WireFormat::OpenAi, server());
    let text = |door: &str| format!("{door} use {CONFIGURED} now");
    let task = |door: &str| {
        TaskAction::Create(Box::new(NewTask {
            subject: text(door),
            ..NewTask::default()
        }))
    };
    let user = UserDirs {
        config: None,
        state: Some(world.path("../home/.local/state/teammate")),
    };
    now(async {
        let play = world.path("../play.json");
        let model = format!("scripted:{}", play.display()).parse().unwrap();
        let builder = Team::builder(world.work(), model).providers(providers());
        let team = builder.user_dirs(user.clone()).open().await.unwrap();
        team.send("lead", text("team")).await.unwrap();
        team.ask(ActOnTask(task("team-task"))).await.unwrap();
        let options = LookOptions {
            secrets: providers().held_secrets(),
            ..LookOptions::default()
        };
        let opened = TeamClient::open_with(world.work(), &user, options).await;
        let mut client = opened.unwrap();
        client.ask(Say::to("lead", text("client"))).await.unwrap();
        client.ask(ActOnTask(task("client-task"))).await.unwrap();
        team.wait_idle().await;
        team.close().await;
    });
    let texts: Vec<String> = [".team", "../home"]
        .into_iter()
        .flat_map(|below| files(&world.path(below)))
        .filter(|path| !path.ends_with("config.toml"))
        .map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned())
        .collect();
    for text in &texts {
        assert!(!text.contains(CONFIGURED), "{text}");
    }
    now(async {
        let model = "openai:m".parse().unwrap();
        let place = TeamPlace::named(world.work(), GroupName::parse(CONFIGURED).unwrap());
        let builder = Team::builder(place, model).providers(providers());
        let refused = builder.open().await.map(|_| ()).unwrap_err().to_string();
        let said = "'[secret work/base_url]' is no name of a team: a secret is in it";
        assert!(refused.contains(said), "{refused}");
        assert!(!world.path(".teams").join(CONFIGURED).exists());
    });
    for door in ["team", "team-task", "client", "client-task"] {
        let kept = format!("{door} use [secret work/base_url] now");
        assert!(texts.iter().any(|text| text.contains(&kept)), "{door}");
    }
}

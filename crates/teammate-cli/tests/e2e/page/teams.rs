//! All teams of the user in one page.

use serde_json::json;

use super::{Page, asks};

// fast: the verb web
#[test]
fn a_page_shows_every_team_and_each_by_its_name() {
    let world = asks();
    world.run("Begin").ends(0);
    world
        .teammate(&["run", "--team", "second", "Begin"])
        .ends(0);
    let page = Page::of(&world, &[]);
    let teams = page.own.get("/teams").json();
    let teams = teams.as_array().unwrap();
    let work = world.work().canonicalize().unwrap().display().to_string();
    for team in teams {
        assert_eq!(team["workspace"], work.as_str());
        assert_eq!(team["state"], "not_running");
    }
    let names: Vec<_> = teams
        .iter()
        .map(|team| team["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["default", "second"]);
    let second = teams[1]["id"].as_str().unwrap();
    let said = json!({ "team": second, "key": "k", "to": "lead", "text": "to the second" });
    page.own.post("/v/say", &said).is(200, "lines");
    world
        .teammate(&["inbox", "lead", "--team", "second"])
        .ends(0)
        .says("to the second");
    page.own
        .get("/h/side?team=nobody")
        .is(404, "there is no such team");
}

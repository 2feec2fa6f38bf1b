//! The whole team is paused from another terminal, stays open, and goes on.

use crate::{
    play::{Scene as _, play, say},
    world::{World, until},
};

// fast: the verbs pause and continue
#[test]
fn a_paused_team_stays_open_and_hears_nothing_until_it_goes_on() {
    let lead = vec![
        say("It is done.").after("Begin"),
        say("I wait.").otherwise(),
    ];
    let world = World::playing(&play([("lead", lead)]));
    let host = world.start(&["up"]);
    host.until("is open in process");
    let does = |verb: &str| world.teammate(&[verb]).ends(0);
    does("continue").says("The team is not paused");
    does("pause").says("Paused: nobody asks a model");
    does("pause").says("The team is paused by the user already");
    world.teammate(&["send", "lead", "Begin"]).ends(0);
    does("team").says("The team is paused by the user since ");
    world.teammate(&["inbox", "lead"]).ends(0).says("Begin");
    world
        .teammate(&["pause", "--json"])
        .ends(0)
        .says("{\"paused\":true,\"changed\":false}");
    does("continue").says("The team goes on");
    let log = || world.teammate(&["log"]).out;
    until(|| log().contains("It is done."), log);
    assert!(log().contains("the user paused the team"), "{}", log());
}

#[test]
fn a_pause_outlives_the_program_and_a_job_does_not_begin_in_it() {
    let lead = vec![say("It is done.").otherwise()];
    let world = World::playing(&play([("lead", lead)]));
    world.run("Begin").ends(0);
    world.teammate(&["pause"]).ends(0);
    let refused = world.run("More").ends(1);
    assert!(
        refused.err.contains("the team is paused by the user")
            && refused.err.contains("teammate continue"),
        "{}",
        refused.err
    );
    world
        .teammate(&["continue"])
        .ends(0)
        .says("The team goes on");
    world.run("More").ends(0).says("It is done.");
}

//! Runs that are interrupted or told to end, and how their team goes on.

use super::*;

#[test]
fn an_interrupted_job_leaves_a_transcript_that_goes_on() {
    let world = World::playing(&spawns_alice(
        vec![
            bash(&format!("touch lead-works; {UNTIL_GO}")),
            say("I go on: {{last_result}}"),
        ],
        vec![
            bash(&format!("touch alice-works; {UNTIL_GO}")),
            say("through"),
        ],
    ));
    let job = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    for who in ["lead-works", "alice-works"] {
        until(|| world.path(who).exists(), || job.err());
    }
    job.signal(Signal::INT);
    job.end()
        .ends(130)
        .complains("interrupted: the team is paused; `teammate resume` continues");
    world
        .resume()
        .ends(0)
        .says("I go on: Interrupted: the program stopped")
        .complains("[alice] done: through");
    world.assert_at_rest();
}

#[test]
fn a_job_that_was_told_to_end_goes_on_with_resume() {
    let world = World::playing(&play([(
        "lead",
        vec![
            bash(&format!("echo once >> log; touch works; {UNTIL_GO}")),
            say("It says: {{last_result}}"),
        ],
    )]));
    let job = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    until(|| world.path("works").exists(), || job.err());
    job.signal(Signal::TERM);
    job.end().ends(130);
    // The view does not say that somebody works.
    assert_eq!(world.config()["lead"]["status"], "idle");
    world
        .teammate(&["team"])
        .says("not running; `teammate resume` continues")
        .says("paused");
    world.resume().ends(0).says("It says: ").says("terrupted");
    assert_eq!(world.file("log"), "once\n", "a command is not run twice");
    world.assert_at_rest();
}

// fast: one process runs a team
#[test]
fn a_team_is_run_by_one_process_at_a_time() {
    let world = World::playing(&play([(
        "lead",
        vec![
            bash(&format!("touch works; {UNTIL_GO}")),
            say("You also said: {{mail}}").after_mail("psst"),
            say("I went."),
        ],
    )]));
    let job = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    until(|| world.path("works").exists(), || job.err());
    world
        .run("Me too")
        .ends(1)
        .complains("error: the team is already running (process ")
        .complains("hint: send to the running team with `teammate send lead");
    world
        .teammate(&["team"])
        .ends(0)
        .says("running in process")
        .says("lead  working");
    // The hint works, and what was said is heard before the next model call.
    world
        .teammate(&["send", "lead", "psst"])
        .ends(0)
        .says("Sent to lead");
    fs::write(world.path("go"), "").unwrap();
    job.end().ends(0).says("You also said: psst");
    assert_eq!(
        world.heard("lead"),
        ["user message: Go", "user message: psst"]
    );
    world.assert_at_rest();
}

#[test]
fn a_conversation_through_a_pipe_can_be_interrupted_and_ended() {
    for (signal, said) in [
        (Signal::INT, "[lead] interrupted"),
        (Signal::TERM, "[lead] bash: touch works"),
    ] {
        let world = World::playing(&play([(
            "lead",
            vec![bash("touch works; sleep 60"), say("Later.")],
        )]));
        let mut command = world.command(&["--permission-mode", "bypass"]);
        command.stdin(std::process::Stdio::piped());
        let mut talk = world.launch(command);
        std::io::Write::write_all(&mut talk.stdin(), b"Go\n").unwrap();
        until(|| world.path("works").exists(), || talk.out());
        talk.signal(signal);
        talk.end().ends(0).says(said);
        assert_eq!(world.config()["lead"]["status"], "idle");
        world.resume().ends(0);
        world.assert_at_rest();
    }
}

//! What writes down, prints, exports and shares.

use super::*;

/// The run of a job in which alice works to her end.
fn run(works: &Works, flags: &[&str]) -> crate::world::Run {
    fs::write(works.0.path("go"), "").unwrap();
    let job = ["run", "--permission-mode", "bypass", "Begin"];
    works.0.teammate(&[&job, flags].concat())
}

#[test]
fn the_event_log_goes_on_behind_a_bug() {
    let works = Works::new();
    works.plant("events");
    let ended = run(&works, &[]).ends(0).says(REPORT);
    ended.complains("a bug ended the event log: planted in events");
    let events = fs::read_to_string(works.0.path(".team/events.jsonl")).unwrap();
    assert!(events.contains(REPORT), "{events}");
    assert_eq!(works.reports().len(), 1);
}

#[cfg(feature = "otel")]
#[test]
fn traces_that_a_bug_has_ended_are_said_to_be_missing() {
    let works = Works::new();
    works.plant("telemetry");
    let ended = run(&works, &["--otel=http://127.0.0.1:9"])
        .ends(0)
        .says(REPORT);
    let ended = ended.complains("a bug ended traces and metrics: planted in telemetry");
    ended.complains("of this run were not sent to http://127.0.0.1:9");
    works.is_whole(&fs::read_to_string(works.0.path(".team/events.jsonl")).unwrap());
}

#[test]
fn a_run_whose_printing_has_ended_works_to_its_end_and_says_that_output_is_missing() {
    let works = Works::new();
    works.plant("output");
    let ended = run(&works, &[]).ends(1);
    ended.complains("a bug ended what prints this run: planted in output");
    let events = fs::read_to_string(works.0.path(".team/events.jsonl")).unwrap();
    assert!(events.contains(REPORT), "{events}");
    works.is_whole(&events);
}

// fast: bugs beside a team
#[test]
fn a_command_beside_a_team_ends_with_one_line_and_the_team_works_on() {
    let works = Works::new();
    let up = works.0.start(&["up", "--permission-mode", "bypass"]);
    up.until("is open in process");
    works.0.teammate(&["send", "lead", "Begin"]).ends(0);
    works.begun();
    for command in [&["export"][..], &["share"]] {
        works.plant("export");
        let ended = works.0.teammate(command).ends(1);
        assert_eq!(ended.err.lines().count(), 1, "{}", ended.err);
        ended.complains("a bug ended this command: planted in export");
    }
    works.goes_on_to_its_end();
}

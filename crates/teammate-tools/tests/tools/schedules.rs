//! Schedules, as the lead asks for them.

use serde_json::json;
use teammate_tools::ToolCatalogue;

use crate::support::Bench;

fn bench() -> Bench {
    let mut bench = Bench::new();
    bench.catalogue = ToolCatalogue::new().with_schedules();
    bench
}

#[tokio::test]
async fn what_is_asked_for_reaches_the_team_and_its_answer_is_read() {
    let bench = bench();
    let add = json!({ "action": "add", "when": "0 9 * * *", "task": "Look", "skip_missed": true });
    let read = bench.ok("schedule", add).await;
    assert_eq!(
        read,
        "s1 (0 9 * * *), next 2026-11-26 09:00, by lead: task: x"
    );
    bench
        .ok(
            "schedule",
            json!({ "action": "add", "when": "0 9 * * *", "say": "Hi" }),
        )
        .await;
    bench
        .ok("schedule", json!({ "action": "pause", "id": "s1" }))
        .await;
    bench.ok("schedule", json!({ "action": "list" })).await;
    assert_eq!(
        bench.team.asked(),
        "Add { when: \"0 9 * * *\", work: Task { subject: \"Look\", description: \"\" }, missed: Skip }; \
         Add { when: \"0 9 * * *\", work: Say { to: \"lead\", text: \"Hi\" }, missed: RunOnce }; \
         Pause(ScheduleId(1)); List"
    );
}

#[tokio::test]
async fn what_is_missing_is_named() {
    let bench = bench();
    for (input, why) in [
        (
            json!({ "action": "add", "task": "x" }),
            "Nothing was done: when is missing.",
        ),
        (
            json!({ "action": "add", "when": "x" }),
            "Not scheduled: give either a task or a message to say.",
        ),
        (
            json!({ "action": "add", "when": "x", "task": "a", "say": "b" }),
            "Not scheduled: give either a task or a message to say.",
        ),
        (
            json!({ "action": "remove" }),
            "Nothing was done: id is missing.",
        ),
        (
            json!({ "action": "remove", "id": "1" }),
            "Nothing was changed: ids of schedules look like s1.",
        ),
    ] {
        assert_eq!(bench.error("schedule", input).await, why);
    }
}

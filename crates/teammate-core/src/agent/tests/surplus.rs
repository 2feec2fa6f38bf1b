//! More calls than one answer may hold.

use super::*;
use crate::{model::CALLS_MAX, tool::OutcomePart};

fn many(count: usize) -> Vec<ToolCall> {
    (0..count)
        .map(|at| call(&format!("c{at}"), "read_file"))
        .collect()
}

/// The texts of the outcomes that are recorded, and the ids of the calls that run.
fn told(effects: &[Effect]) -> (Vec<String>, Vec<String>) {
    let (mut refused, mut run) = (Vec::new(), Vec::new());
    for effect in effects {
        match effect {
            Effect::Record(Entry::ToolOutcomes(outcomes)) => {
                for (_, outcome) in outcomes {
                    assert!(outcome.is_error);
                    let [OutcomePart::Text(text)] = &outcome.parts[..] else {
                        panic!("{outcome:?}")
                    };
                    refused.push(text.clone());
                }
            }
            Effect::RunTools(calls) => run.extend(calls.iter().map(|call| call.id.to_string())),
            _ => {}
        }
    }
    (refused, run)
}

#[test]
fn the_first_calls_of_an_answer_run_and_those_beyond_the_limit_are_refused_at_once() {
    for (count, notes) in [(1, 0), (CALLS_MAX, 0), (CALLS_MAX + 1, 1), (20_000, 1)] {
        let mut agent = asked();
        let effects = agent.step(wants(&many(count)));
        let (refused, run) = told(&effects);
        assert_eq!(run.len(), count.min(CALLS_MAX), "{count}");
        assert_eq!(refused.len(), count - run.len(), "{count}");
        let noted = |effect: &&Effect| matches!(effect, Effect::Note(_));
        assert_eq!(effects.iter().filter(noted).count(), notes, "{count}");
        if let Some(first) = refused.first() {
            let all = format!("may hold {CALLS_MAX} calls, and this one had {count}.");
            assert!(first.contains(&all), "{first}");
        }
        assert_eq!(agent.conversation().open_calls().len(), run.len());

        // When those that ran have ended, every call has an outcome, and the model is called next.
        let mut last = Vec::new();
        for id in &run {
            last = agent.step(done(id));
        }
        assert!(brief(&last).ends_with("listen"), "{count}");
        assert_eq!(agent.conversation().open_calls(), []);
        let results = &agent.conversation().messages().last().unwrap().blocks;
        assert_eq!(results.len(), count);
    }
}

#[test]
fn what_a_crash_left_open_is_bounded_too() {
    let calls = many(20_000);
    let ids: Vec<CallId> = calls.iter().map(|call| call.id.clone()).collect();
    let entries = vec![
        Entry::Heard(vec![mail("m1")]),
        Entry::Answered(reply("", &calls, StopReason::ToolUse)),
    ];
    let begin = || Input::Begin {
        assignment: None,
        unfinished: Unfinished::TakeUp {
            untouched: ids.clone(),
        },
    };
    let effects = agent(entries.clone()).step(begin());
    let (refused, run) = told(&effects);
    assert_eq!((refused.len(), run.len()), (20_000 - CALLS_MAX, CALLS_MAX));

    // The refusals were written before the crash: nothing of them begins again.
    let done = effects.into_iter().find_map(|effect| match effect {
        Effect::Record(done @ Entry::ToolOutcomes(_)) => Some(done),
        _ => None,
    });
    let entries = entries.into_iter().chain(done).collect();
    let (refused, again) = told(&agent(entries).step(begin()));
    assert_eq!((refused.len(), again), (0, run));
}

//! What is learnt of refusals, and what of it the next program knows.

use super::*;

#[test]
fn a_refused_part_is_left_out_once_and_for_all() {
    let learnt = Learnt::default();
    let refusal = "400: Unsupported parameter: 'reasoning_effort' is not supported";
    let told = learnt.learn(refusal, &[Part::Thinking, Part::Tools], ("c", 1));
    assert!(told.unwrap().contains("no effort"));
    assert!(learnt.refuses(Part::Thinking) && !learnt.refuses(Part::Tools));
    // Said again, it has another reason.
    assert_eq!(learnt.learn(refusal, &[Part::Thinking], ("c", 1)), None);
    // What was not sent cannot be left out.
    assert_eq!(learnt.learn("temperature", &[Part::Tools], ("c", 1)), None);
    assert_eq!(learnt.learn("overloaded", &[Part::Tools], ("c", 1)), None);
}

#[test]
fn unreadable_reasoning_is_left_out_of_that_conversation_only() {
    let learnt = Learnt::default();
    let refusal = "messages.3.content.0: Invalid `signature` in `thinking` block";
    let sent = [Part::Thinking, Part::Reasoning];
    assert!(learnt.learn(refusal, &sent, ("one", 4)).is_some());
    assert_eq!(learnt.without_reasoning("one"), 4);
    assert_eq!(learnt.without_reasoning("two"), 0);
    assert!(!learnt.refuses(Part::Thinking));
    assert_eq!(learnt.learn(refusal, &sent, ("one", 4)), None);
    assert!(learnt.learn(refusal, &sent, ("one", 8)).is_some());
}

#[test]
fn a_smaller_context_is_read_from_the_refusal() {
    for (message, tokens) in [
        (
            "prompt is too long: 210000 tokens > 200000 maximum",
            200_000,
        ),
        ("This model's maximum context length is 8192 tokens.", 8_192),
        (r#"{"error":{"n_prompt_tokens":9000,"n_ctx":4096}}"#, 4_096),
        (
            "exceeds the available context size (4096 tokens), try",
            4_096,
        ),
    ] {
        assert_eq!(limit::context_in(message), Some(tokens), "{message}");
    }
    assert_eq!(limit::context_in("the prompt is too long"), None);
    let learnt = Learnt::default();
    let message = "maximum context length is 8192 tokens";
    assert!(learnt.learn_context(message).is_some());
    assert_eq!(learnt.learn_context(message), None);
    let profile = learnt.fit(ModelProfile::default());
    assert_eq!(profile.context_tokens, Some(8_192));
}

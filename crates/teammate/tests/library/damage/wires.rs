//! Requests as both wires have them, held against what a strict server checks.

use std::sync::{Arc, LazyLock};

use teammate_core::model::{AnswerOptions, ChatMessage, ModelRequest, Preamble, Role, Wire};
use teammate_models::{Anthropic, Endpoint, Http, OpenAi};
use teammate_testkit::problem;

static WIRES: LazyLock<(Anthropic, OpenAi, OpenAi)> = LazyLock::new(|| {
    let http = Http::new();
    let official = Endpoint::openai(None);
    let mut compatible = Endpoint::openai(None);
    compatible.base_url = "http://127.0.0.1:1/v1".to_owned();
    (
        Anthropic::new(&Endpoint::anthropic(None), "m", http.clone()).unwrap(),
        OpenAi::new(&official, "m", http.clone()).unwrap(),
        OpenAi::new(&compatible, "m", http).unwrap(),
    )
});

/// No server refuses a request with these messages.
pub(crate) fn assert_accepted(messages: Vec<Arc<ChatMessage>>, told: &str) {
    // Only Anthropic's servers pause, and so only they are asked to go on with their own answer.
    let is_paused = messages
        .last()
        .is_some_and(|last| last.role == Role::Assistant);
    let request = ModelRequest {
        preamble: Arc::new(Preamble::new(Vec::new(), "x".to_owned())),
        identity: "y".into(),
        messages,
        cached: 0,
        max_tokens: 100,
        conversation: "team/lead".into(),
        asker: "lead".into(),
        model: "vendor:m".into(),
        options: AnswerOptions::default(),
    };
    let (anthropic, openai, compatible) = &*WIRES;
    // The vendor itself never gave fields that other vendors add.
    let official = ModelRequest {
        model: "openai:m".into(),
        ..request.clone()
    };
    for (wire, body) in [
        (Wire::Anthropic, anthropic.body(&request)),
        (Wire::OpenAi, openai.body(&official)),
        (Wire::OpenAi, compatible.body(&request)),
    ] {
        if is_paused && wire == Wire::OpenAi {
            continue;
        }
        if let Some(problem) = problem(wire, &body) {
            let end = body.floor_char_boundary(20_000);
            panic!("{told}: {wire:?} refuses: {problem}\n{}", &body[..end]);
        }
    }
}

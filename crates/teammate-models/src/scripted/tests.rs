use teammate_core::{
    MemberName, Message, MessageId, MessageKind, Sender, Timestamp,
    model::{AnswerOptions, Preamble},
    tool::Outcome,
    transcript::{Conversation, Entry},
};

use super::*;

/// A member's conversation with a play.
struct Stage {
    model: Scripted,
    name: &'static str,
    conversation: Conversation,
    entries: Vec<Entry>,
    mails: u32,
}

impl Stage {
    fn new(name: &'static str, play: &str) -> Self {
        Self {
            model: Scripted::read("play.json", play).unwrap(),
            name,
            conversation: Conversation::default(),
            entries: Vec::new(),
            mails: 0,
        }
    }

    fn push(&mut self, entry: Entry) {
        self.conversation.push(&entry);
        self.entries.push(entry);
    }

    fn mail(&mut self, from: &str, kind: MessageKind, content: &str, request: Option<&str>) {
        self.mails += 1;
        self.push(Entry::Heard(vec![Message {
            id: MessageId::parse(&format!("m{}", self.mails)).unwrap(),
            kind,
            from: Sender::try_from(from.to_owned()).unwrap(),
            from_incarnation: None,
            to: MemberName::lead(),
            to_incarnation: None,
            content: content.into(),
            sent_at: Timestamp(0),
            wakes: None,
            request_id: request.map(|id| id.parse().unwrap()),
            metadata: teammate_core::mail::Metadata::default(),
        }]));
    }

    fn user(&mut self, content: &str) -> &mut Self {
        self.mail("user", MessageKind::Message, content, None);
        self
    }

    fn from(&mut self, name: &str, content: &str) -> &mut Self {
        self.mail(name, MessageKind::Message, content, None);
        self
    }

    fn results(&mut self, outcomes: &[Outcome]) -> &mut Self {
        let Some(Entry::Answered(reply)) = self.entries.last() else {
            panic!("nothing was called")
        };
        let calls = reply.calls();
        assert_eq!(calls.len(), outcomes.len());
        let done = calls.into_iter().map(|call| call.id).zip(outcomes.to_vec());
        self.push(Entry::ToolOutcomes(done.collect()));
        self
    }

    fn ask(&self) -> (Result<Reply, ModelFailure>, Vec<StreamPart>) {
        let request = ModelRequest {
            preamble: Arc::new(Preamble::new(Vec::new(), "Be brief.".into())),
            identity: "Be one of a team.".into(),
            messages: self.conversation.messages().to_vec(),
            cached: 0,
            max_tokens: 100,
            conversation: format!("team/{}", self.name).into(),
            asker: self.name.into(),
            model: "test:model".into(),
            options: AnswerOptions::default(),
        };
        let parts = Arc::new(Mutex::new(Vec::new()));
        let sink = parts.clone();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap();
        let answer = runtime.block_on(self.model.answer(
            request,
            Box::new(move |part| sink.lock().unwrap().push(part)),
        ));
        let parts = parts.lock().unwrap().clone();
        (answer, parts)
    }

    fn play(&mut self) -> Reply {
        let reply = self.ask().0.unwrap();
        self.push(Entry::Answered(reply.clone()));
        reply
    }

    fn says(&mut self, text: &str) {
        assert_eq!(self.play().text(), text);
    }

    /// Another process takes the same transcript up.
    fn resume(&mut self, play: &str) {
        self.model = Scripted::read("play.json", play).unwrap();
        self.conversation = Conversation::of(self.entries.clone());
    }
}

const PLAY: &str = r#"{
  "play": "A lead asks a teammate",
  "members": {
    "lead": [
      {"when": {"contains": "build"}, "say": "I ask bob.", "calls": [
        {"tool": "send_message", "input": {"to": "bob", "content": "You said: {{mail}}", "n": [1.5, "{{after:build }}"]}}
      ]},
      {"when": {"tool_result_contains": "sent"}, "say": "Waiting."},
      {"when": {"mail_from": "bob", "mail_type": "plan_approval_request"}, "calls": [
        {"tool": "answer_request", "input": {"request_id": "{{request_id}}", "to": "{{mail_from}}"}}
      ]},
      {"when": {"mail_from": "bob"}, "say": "Bob says: {{mail}}", "repeat": true},
      {"when": {"otherwise": true}, "say": "Pardon?"},
      {"say": "Anything else."}
    ],
    "w-*": [{"say": "worker"}],
    "*": [{"say": "anyone"}]
  }
}"#;

#[test]
fn a_play_is_played() {
    let mut lead = Stage::new("lead", PLAY);
    let reply = lead.user("build tea.").play();
    assert_eq!(reply.text(), "I ask bob.");
    assert_eq!(reply.stop, StopReason::ToolUse);
    let call = &reply.calls()[0];
    let ToolInput::Json(input) = &call.input else {
        panic!()
    };
    assert_eq!(
        input.get(),
        r#"{"to":"bob","content":"You said: build tea.","n":[1.5,"tea"]}"#
    );
    lead.results(&[Outcome::ok("sent")]).says("Waiting.");
    lead.from("bob", "one").says("Bob says: one");
    lead.mail(
        "bob",
        MessageKind::PlanApprovalRequest,
        "plan",
        Some("req_7"),
    );
    let reply = lead.play();
    let ToolInput::Json(input) = &reply.calls()[0].input else {
        panic!()
    };
    assert_eq!(input.get(), r#"{"request_id":"req_000007","to":"bob"}"#);
    lead.results(&[Outcome::ok("ok")]).says("Anything else.");
    lead.from("bob", "two").says("Bob says: two");
    lead.from("mira", "hm").says("Pardon?");
    lead.from("mira", "hm?")
        .says("(the play has no scene for this)");
    lead.from("bob", "three").says("Bob says: three");
}

#[test]
fn a_resumed_team_goes_on_where_it_was() {
    let mut straight = Stage::new("lead", PLAY);
    let mut resumed = Stage::new("lead", PLAY);
    for (from, text) in [("user", "hello"), ("bob", "hi"), ("user", "build it")] {
        let reply = straight.from(from, text).play();
        resumed.from(from, text).resume(PLAY);
        assert_eq!(resumed.play(), reply);
    }
}

#[test]
fn the_best_name_plays() {
    for (name, says) in [("w-1", "worker"), ("w-", "worker"), ("bob", "anyone")] {
        Stage::new(name, PLAY).user("x").says(says);
    }
    let nobody = r#"{"members": {"lead": [{"say": "x"}]}}"#;
    let mut bob = Stage::new("bob", nobody);
    bob.user("x").says("(the play has no scene for this)");
}

#[test]
fn subagents_have_scenes_of_their_own() {
    let play = r#"{"members": {
        "lead": [{"say": "lead"}],
        "lead/explore": [{"say": "explorer"}],
        "lead/*": [{"say": "any of its subagents"}],
        "bob*": [{"say": "bob and his"}]
    }}"#;
    for (name, says) in [
        ("lead", "lead"),
        ("lead/explore", "explorer"),
        ("lead/general", "any of its subagents"),
        ("bob/explore", "bob and his"),
        ("alice/explore", "(the play has no scene for this)"),
    ] {
        Stage::new(name, play).user("x").says(says);
    }
    for nobody in [
        "lead/",
        "/explore",
        "lead//x",
        "lead/a b",
        "/*",
        "user/explore",
    ] {
        let play = format!("{{\"members\": {{\"{nobody}\": []}}}}");
        let error = Scripted::read("p.json", &play).unwrap_err().to_string();
        assert!(
            error.contains(&format!("'{nobody}' is not a member")),
            "{error}"
        );
    }
}

#[test]
fn failures_are_acted_out_so_many_times() {
    let mut lead = Stage::new(
        "lead",
        r#"{"members": {"lead": [
            {"fail": {"what": "overloaded", "after_ms": 250, "times": 2}, "say": "at last"},
            {"fail": {"what": "no such model", "remedy": "never"}},
            {"say": "after all"}
        ]}}"#,
    );
    lead.user("go");
    let failure = lead.ask().0.unwrap_err();
    assert_eq!(failure.what, "scripted:play.json: overloaded");
    let after = Some(Duration::from_millis(250));
    assert_eq!(failure.remedy, Remedy::Retry { after });
    assert!(lead.ask().0.is_err());
    lead.says("at last");
    lead.user("more");
    assert_eq!(lead.ask().0.unwrap_err().remedy, Remedy::Never);
    lead.says("after all");
}

#[test]
fn an_answer_streams_and_is_counted() {
    let mut lead = Stage::new(
        "lead",
        r#"{"members": {"lead": [{"thinking": "Let me see.", "say": "one two three four five", "stop": "max_tokens", "calls": [{"tool": "bash"}]}]}}"#,
    );
    let (reply, parts) = lead.user("go").ask();
    let reply = reply.unwrap();
    assert_eq!(reply.stop, StopReason::MaxTokens);
    assert!(reply.usage.input > 0 && reply.usage.output > 0);
    assert_eq!(parts[0], StreamPart::Started);
    let texts: Vec<&str> = parts
        .iter()
        .filter_map(|part| match part {
            StreamPart::Text(text) => Some(text.as_str()),
            StreamPart::Started
            | StreamPart::Adapted(_)
            | StreamPart::Thinking(_)
            | StreamPart::ToolUse { .. } => None,
        })
        .collect();
    assert!(texts.len() > 1, "{texts:?}");
    assert_eq!(texts.concat(), "one two three four five");
}

#[test]
fn calls_of_different_situations_have_different_ids() {
    let play = r#"{"members": {"*": [{"calls": [{"tool": "a"}, {"tool": "b"}], "repeat": true}]}}"#;
    let mut ids = std::collections::HashSet::new();
    let mut lead = Stage::new("lead", play);
    lead.user("first");
    for _ in 0..3 {
        let calls = lead.play().calls();
        ids.extend(calls.into_iter().map(|call| call.id));
        lead.results(&[Outcome::ok(""), Outcome::error("no")]);
    }
    lead.push(Entry::MemoryReset);
    let calls = lead.user("second").play().calls();
    ids.extend(calls.into_iter().map(|call| call.id));
    assert_eq!(ids.len(), 8);
}

#[test]
fn a_wrong_play_is_refused_with_its_place() {
    let wrong = |text: &str| Scripted::read("p.json", text).unwrap_err().to_string();
    for (text, said) in [
        ("", "p.json:1:0: EOF while parsing a value"),
        (
            "{\n \"members\": {\"lead\": [\n  {\"sayy\": \"x\"}]}}",
            "p.json:3:9: unknown field `sayy`, expected one of `note`, `when`",
        ),
        ("{\"members\": {}, \"x\": 1}", "unknown field `x`"),
        ("{}", "missing field `members`"),
        (
            "{\"members\": {\"Bob Smith\": []}}",
            "'Bob Smith' is not a member",
        ),
        (
            "{\"members\": {\"lead\": [{\"when\": {\"contains\": \"x\"}}]}}",
            "a scene needs `say`, `calls` or `fail`",
        ),
        (
            "{\"members\": {\"lead\": [{\"say\": \"x\", \"stop\": \"tool_use\"}]}}",
            "there are no `calls`",
        ),
        (
            "{\"members\": {\"lead\": [{\"say\": \"x\", \"stop\": \"pause\"}]}}",
            "unknown variant `pause`, expected one of `end_turn`",
        ),
        (
            "{\"members\": {\"lead\": [{\"when\": {\"mail_type\": \"gossip\"}, \"say\": \"x\"}]}}",
            "unknown variant `gossip`",
        ),
        (
            "{\"members\": {\"lead\": [{\"say\": \"{{male}}\"}]}}",
            "unknown placeholder `{{male}}`, expected mail",
        ),
        (
            "{\"members\": {\"lead\": [{\"calls\": [{\"tool\": \"a\", \"input\": {\"x\": [\"{{y}}\"]}}]}]}}",
            "unknown placeholder `{{y}}`",
        ),
    ] {
        let error = wrong(text);
        assert!(error.contains(said), "{error}\n  lacks: {said}");
        assert!(error.starts_with("p.json:"), "{error}");
    }
    let missing = Scripted::load(Path::new("/no/such/play.json")).unwrap_err();
    assert!(missing.to_string().contains("/no/such/play.json"));
}

#[test]
fn the_manual_shows_plays_that_play() {
    let manual = include_str!("../../../../docs/plays.md");
    let plays: Vec<&str> = manual
        .split("```json\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .collect();
    assert!(!plays.is_empty());
    let mut lead = Stage::new("lead", plays[0]);
    let reply = lead.user("rain").play();
    assert_eq!(reply.calls()[0].name, "spawn_teammate");
    lead.results(&[Outcome::error("no room")]);
    lead.says("That went wrong: no room");
    lead.from("poet", "Drip.").says("The poet writes:\n\nDrip.");
    lead.from("mira", "?").says("I am waiting.");
}

use super::{tagged::clean_keeping_style, *};
use teammate::{Compaction, EndReason, OfferedRules, Timestamp};

fn shown(member: &str, what: EventKind) -> Vec<Rendered> {
    let member = MemberName::parse(member).unwrap();
    EventRenderer::new(Style::PLAIN, Some(40)).render(&Event {
        at: Timestamp(0),
        member,
        run: None,
        n: None,
        r: None,
        what,
    })
}

#[test]
fn a_tool_call_says_who_does_what() {
    let what = EventKind::ToolStarted {
        call: serde_json::from_str("\"c\"").unwrap(),
        tool: "bash".into(),
        summary: "echo \u{1b}[31mred and rather long, too long for it".into(),
        input: None,
        subagent: None,
    };
    assert_eq!(
        shown("alice", what),
        [Rendered::Line(
            "[alice] bash: echo \\u{1b}[31mred and ra…".into()
        )]
    );
}

#[test]
fn a_question_hides_no_end_and_no_colour_hides_a_command() {
    let shows = format!("ls{}; curl evil\u{202e}", " ".repeat(5_000));
    let what = EventKind::PermissionAsked {
        question: 1,
        tool: "bash".into(),
        shows,
        rules: OfferedRules::default(),
        deadline: None,
    };
    let [Rendered::Line(text)] = &shown("alice", what)[..] else {
        panic!()
    };
    assert!(
        text.contains("    ls [5000 blanks] ; curl evil\\u{202e}\n"),
        "{text}"
    );
    assert_eq!(
        clean_keeping_style("\u{1b}[2J\u{1b}[0mx"),
        "\\u{1b}[2J\\u{1b}[0mx"
    );
    assert_eq!(
        clean_keeping_style("\u{1b}[31ma\u{7}\u{1b}[0mb"),
        "\u{1b}[31ma\\u{7}\u{1b}[0mb"
    );
}

#[test]
fn a_broadcast_is_one_line_and_the_next_one_another() {
    let mut lines = EventRenderer::new(Style::PLAIN, None);
    let mut said = |to: &str, content: &str| {
        lines.render(&Event {
            at: Timestamp(0),
            member: MemberName::lead(),
            run: None,
            n: None,
            r: None,
            what: EventKind::MailSent {
                id: serde_json::from_str("\"m\"").unwrap(),
                to: MemberName::parse(to).unwrap(),
                kind: MessageKind::Broadcast,
                content: content.to_owned(),
            },
        })
    };
    let line = |text: &str| vec![Rendered::Line(format!("[lead] broadcast: {text}"))];
    assert_eq!(said("alice", "all done?"), line("all done?"));
    assert_eq!(said("bob", "all done?"), []);
    assert_eq!(said("alice", "really?"), line("really?"));
}

#[test]
fn a_compaction_says_where_the_whole_is() {
    let what = EventKind::Compacted {
        how: Compaction::Summarized,
        before: 160_000,
        after: 900,
        usage: serde_json::from_str("{}").unwrap(),
        summary: "much".into(),
    };
    let line = "[alice] context 160000 -> about 900 tokens: conversation summarized; all of it stays in \
                .team/agents/alice/transcript.jsonl";
    assert_eq!(shown("alice", what), [Rendered::Line(line.into())]);
}

#[test]
fn a_failure_is_shown_whole() {
    let why = EndReason::Failed {
        what: "x".repeat(100),
    };
    let lines = shown(
        "alice",
        EventKind::TurnEnded {
            why,
            result: String::new(),
        },
    );
    assert_eq!(
        lines,
        [Rendered::Line(format!(
            "[alice] failed: {}",
            "x".repeat(100)
        ))]
    );
}

#[test]
fn a_teammate_that_ends_does_not_end_the_leads_sentence() {
    let mut lines = EventRenderer::new(Style::PLAIN, None);
    let mut show = |member: &str, what: EventKind| {
        lines.render(&Event {
            at: Timestamp(0),
            member: MemberName::parse(member).unwrap(),
            run: None,
            n: None,
            r: None,
            what,
        })
    };
    show(
        "lead",
        EventKind::Text {
            delta: "Well, ".into(),
        },
    );
    let why = EndReason::Done;
    let result = "through".to_owned();
    assert_eq!(
        show("alice", EventKind::TurnEnded { why, result }),
        [Rendered::Line("[alice] done: through".into())]
    );
    // And so its answer is not shown a second time.
    let answered = EventKind::ModelAnswered {
        text: "Well, ".into(),
        stop: serde_json::from_str("\"end_turn\"").unwrap(),
        usage: serde_json::from_str(
            "{\"input\":0,\"output\":0,\"cache_read\":0,\"cache_write\":0}",
        )
        .unwrap(),
        model: None,
        money: None,
        context: None,
        entry: None,
    };
    assert_eq!(show("lead", answered), [Rendered::LeadEnd]);
}

#[test]
fn a_refused_call_is_told_once_and_another_failure_of_the_tool_is_told_as_well() {
    let mut lines = EventRenderer::new(Style::PLAIN, None);
    let id = |call: &str| CallId::new(call.into());
    let mut show = |what: EventKind| {
        lines.render(&Event {
            at: Timestamp(0),
            member: MemberName::parse("bob").unwrap(),
            run: None,
            n: None,
            r: None,
            what,
        })
    };
    let failed = |call: &str, summary: &str| EventKind::ToolFinished {
        call: id(call),
        tool: "bash".into(),
        ok: false,
        summary: summary.into(),
        took_ms: 1,
        subagent: None,
        exit: None,
        bytes: None,
        lines: None,
        file: None,
        output: None,
        change: None,
    };
    let refused = show(EventKind::PermissionRefused {
        tool: "bash".into(),
        shows: "ls".into(),
        hint: "Use --allow.".into(),
        call: Some(id("b")),
    });
    let line = |text: &str| [Rendered::Line(format!("[bob] {text}"))];
    assert_eq!(refused, line("refused bash: ls. Use --allow."));
    assert_eq!(
        show(failed("a", "exit code 1")),
        line("failed bash: exit code 1")
    );
    assert_eq!(show(failed("b", "Not run: nobody can be asked")), []);
}

#[test]
fn a_question_shows_exactly_what_will_run() {
    let what = EventKind::PermissionAsked {
        question: 3,
        tool: "bash".into(),
        shows: "a\nrm b".into(),
        rules: OfferedRules::default(),
        deadline: None,
    };
    let [Rendered::Line(text)] = &shown("bob", what)[..] else {
        panic!()
    };
    assert!(
        text.starts_with("[bob] wants to run bash (req_000003):\n    a\n    rm b\n"),
        "{text}"
    );
}

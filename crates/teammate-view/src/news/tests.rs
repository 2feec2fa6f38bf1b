use teammate_core::event::Event;

use super::*;

/// A member and what happened to it, as the event stream has it.
type Told<'a> = (&'a str, &'a str);

fn event((member, what): Told) -> Event {
    let json = format!("{{\"at\":0,\"member\":\"{member}\",{what}}}");
    serde_json::from_str(&json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// News in a line each.
fn lines(events: &[Told]) -> Vec<String> {
    let mut fold = NewsFold::default();
    let news = events.iter().flat_map(|told| fold.take(&event(*told)));
    news.map(|news| match news {
        News::Answer(text) => format!("answer: {text}"),
        News::Thinking(text) => format!("thinking: {text}"),
        News::AnswerEnd => "answer ends".to_owned(),
        News::Team(text) => text.plain(),
        News::Line { who, text } => format!("{who} {}", text.plain()),
        News::Whole { who, text } => format!("{who}! {}", text.plain()),
        News::Printed { who, lines, .. } => format!("{who} printed {}", lines.join("|")),
        News::Result { who, text } => format!("{who} result: {text}"),
        News::UserSaid { to, text, .. } => format!("user -> {to}: {text}"),
        News::Question(asked) => format!("{} asks for {}", asked.who, asked.tool),
        News::Plan { who, .. } => format!("{who} has a plan"),
    })
    .collect()
}

const ASKED: Told = ("lead", r#""event":"asked","round":1,"model":"m""#);

const USAGE: &str = r#""usage":{"input":0,"output":0,"cache_read":0,"cache_write":0}"#;

#[test]
fn an_answer_that_streamed_is_not_told_again() {
    let answered = format!(r#""event":"answered","text":"Well","stop":"end_turn",{USAGE}"#);
    let thought = ("lead", r#""event":"thinking","delta":"hm""#);
    let piece = ("lead", r#""event":"text","delta":"Well""#);
    let ended = (
        "alice",
        r#""event":"rested","why":"done","result":"through""#,
    );
    assert_eq!(
        lines(&[
            piece,
            ASKED,
            thought,
            piece,
            ended,
            ("lead", &answered),
            ("lead", &answered),
        ]),
        [
            "thinking: hm",
            "answer: \n\nWell",
            "alice result: through",
            "answer ends",
            "answer: Well",
            "answer ends",
        ],
        "a teammate that ends does not end the lead's sentence, and half an answer is not shown"
    );
}

#[test]
fn an_answer_that_was_cut_ends() {
    assert_eq!(
        lines(&[
            ASKED,
            ("lead", r#""event":"text","delta":"We""#),
            (
                "lead",
                r#""event":"rested","why":"interrupted","result":"""#
            ),
        ]),
        [
            "answer: We",
            "answer ends",
            "lead interrupted; send it a message to continue"
        ]
    );
}

#[test]
fn a_broadcast_is_told_once_and_the_next_one_too() {
    let sent = |to: &str, text: &str| {
        format!(r#""event":"mail_sent","id":"m","to":"{to}","kind":"broadcast","content":"{text}""#)
    };
    let mails = [
        sent("alice", "all done?"),
        sent("bob", "all done?"),
        sent("alice", "really?"),
    ];
    assert_eq!(
        lines(&mails.each_ref().map(|mail| ("lead", mail.as_str()))),
        ["lead broadcast: all done?", "lead broadcast: really?"]
    );
}

#[test]
fn a_refused_call_is_told_once_and_another_failure_of_the_tool_as_well() {
    let failed = |call: &str, why: &str| {
        format!(
            r#""event":"tool_finished","call":"{call}","tool":"bash","ok":false,"summary":"{why}","took_ms":1"#
        )
    };
    assert_eq!(
        lines(&[
            (
                "bob",
                r#""event":"permission_refused","tool":"bash","shows":"ls","hint":"Use --allow.","call":"b""#
            ),
            ("bob", &failed("a", "exit code 1")),
            ("bob", &failed("b", "Not run: nobody can be asked")),
            (
                "bob",
                r#""event":"tool_finished","call":"c","tool":"bash","ok":false,"summary":"Not run: a rule forbids it","took_ms":1,"refused":"rule""#
            ),
        ]),
        [
            "bob! refused bash: ls. Use --allow.",
            "bob failed bash: exit code 1",
            "bob refused bash: Not run: a rule forbids it",
        ]
    );
}

#[test]
fn a_check_that_failed_says_it_and_its_call_does_not() {
    assert_eq!(
        lines(&[
            (
                "bob",
                r#""event":"task","task":3,"subject":"Parser","status":"in_progress","change":{"change":"check_failed","by":"bob","output":"no"}"#
            ),
            (
                "bob",
                r#""event":"tool_finished","call":"c","tool":"complete_task","ok":false,"summary":"the check failed","took_ms":1"#
            ),
        ]),
        ["bob failed the check of #3: Parser"]
    );
}

#[test]
fn what_the_user_said_is_told_once_also_if_it_came_from_elsewhere() {
    let heard = |id: &str| {
        format!(
            r#""event":"mail_heard","id":"{id}","from":"user","kind":"message","content":"hello""#
        )
    };
    let said = r#""event":"person_said","id":"a","to":"bob","by":"user","content":"hello\n""#;
    assert_eq!(
        lines(&[("bob", said), ("bob", &heard("a")), ("bob", &heard("b"))]),
        ["user -> bob: hello", "user -> bob: hello"]
    );
}

#[test]
fn a_compaction_says_where_the_whole_is() {
    let compacted = |how: &str| {
        format!(
            r#""event":"compacted","how":"{how}","before":160000,"after":900,{USAGE},"summary":"much""#
        )
    };
    assert_eq!(
        lines(&[
            ("alice", &compacted("summarized")),
            ("alice", &compacted("useless"))
        ]),
        [
            "alice! context about 160000 -> about 900 tokens: conversation summarized; all of it stays in \
             .team/agents/alice/transcript.jsonl",
            "alice! compaction failed: the model returned no usable summary; nothing is lost",
        ]
    );
}

#[test]
fn nothing_in_news_commands_a_terminal() {
    let evil = r#""event":"tool_started","call":"c","tool":"bash","summary":"\u001b[2Jx\ny","subagent":"\u001b[31m""#;
    assert_eq!(
        lines(&[("alice", evil)]),
        ["alice/\\u{1b}[31m bash: \\u{1b}[2Jx y"]
    );
}

//! Old pictures and documents leave what is sent, and nothing else does.

use super::*;
use crate::{
    attachment::{Attachment, Attachments, MediaType},
    block::Media,
    tool::OutcomePart,
};

/// An idle member with a large context.
fn roomy() -> Agent {
    let mut agent = rested();
    agent.limits.context = ContextWindow::new(1_000_000, 0.8);
    agent
}

/// A picture of so many bytes of base64.
fn picture(bytes: usize) -> OutcomePart {
    OutcomePart::Image {
        media_type: "image/png",
        base64: "A".repeat(bytes),
    }
}

fn seen(id: &str, bytes: usize) -> Input {
    let outcome = Outcome {
        parts: vec![OutcomePart::Text(format!("{id}.png")), picture(bytes)],
        is_error: false,
        ran: None,
        change: None,
        merge: None,
        refused: None,
    };
    Input::ToolDone(CallId::new(id.into()), outcome)
}

/// The user's message with so many pictures of so many bytes.
fn shown(id: &str, count: usize, bytes: usize) -> Message {
    let files = (0..count)
        .map(|at| Attachment::new(&format!("{id}-{at}.png"), MediaType::Png, "A".repeat(bytes)));
    let mut message = mail(id);
    message.from = Sender::User;
    message.metadata.attachments = Attachments::try_from(files.collect::<Vec<_>>()).unwrap();
    message
}

/// The user says it, and the model answers.
fn says_and_hears(agent: &mut Agent, message: Message) -> String {
    agent.step(Input::Rang);
    let next = brief(&agent.step(Input::Heard(vec![message])));
    agent.step(says("I see"));
    agent.step(Input::Heard(vec![]));
    agent.step(Input::TaskFound(None));
    next
}

#[test]
fn too_many_pictures_leave_in_one_step_and_the_newest_stay() {
    let mut agent = roomy();
    hears(&mut agent, "m1");
    for at in 1..=45 {
        let id = format!("c{at}");
        let next = round(&mut agent, 100, &id, seen(&id, 400));
        // Down to half of 20, so the next time is ten pictures later.
        let expected = match at {
            21 | 32 | 43 => format!("settle shortened(11) model#{}", at + 1),
            _ => format!("settle model#{}", at + 1),
        };
        assert_eq!(next, expected, "picture {at}");
        assert!(agent.conversation().media().is_within(Media::MAX));
    }
    let text = texts(&agent);
    assert_eq!(text.matches("\"type\":\"image\"").count(), 12);
    assert!(text.contains("c45.png") && !text.contains("c33.png"));
    assert_eq!(text.matches("tool_result").count(), 45);
    assert!(text.contains("[bash: 6"), "{text}");
}

#[test]
fn pictures_with_too_many_bytes_leave() {
    let mut agent = roomy();
    hears(&mut agent, "m1");
    let quarter = Media::MAX.base64_bytes / 4;
    for at in 1..=4 {
        let id = format!("c{at}");
        let next = round(&mut agent, 100, &id, seen(&id, quarter));
        assert_eq!(next, format!("settle model#{}", at + 1));
    }
    let next = round(&mut agent, 100, "c5", seen("c5", quarter));
    assert_eq!(next, "settle shortened(3) model#6");
    assert_eq!(agent.conversation().media().count, 2);
}

#[test]
fn a_document_that_was_just_read_stays_though_it_is_more_than_half() {
    let mut agent = roomy();
    hears(&mut agent, "m1");
    let (most, half) = (Media::MAX.base64_bytes, Media::KEPT.base64_bytes);
    round(&mut agent, 100, "c1", seen("c1", half));
    let next = round(&mut agent, 100, "c2", seen("c2", most - 4));
    assert_eq!(next, "settle shortened(1) model#3");
    // It is seen now, and still the newest.
    let next = round(&mut agent, 100, "c3", done("c3"));
    assert_eq!(next, "settle model#4");
    let next = round(&mut agent, 100, "c4", seen("c4", half));
    assert_eq!(next, "settle shortened(1) model#5");
    assert!(texts(&agent).contains("c4.png"));
}

/// As earlier versions left it: they gave pictures of up to 7 MB.
#[test]
fn of_large_pictures_in_an_old_transcript_the_newest_stays() {
    let mut entries = vec![Entry::Heard(vec![mail("m1")])];
    for id in ["c1", "c2"] {
        let Input::ToolDone(id, outcome) = seen(id, Media::KEPT.base64_bytes + 4_000) else {
            panic!("not an outcome")
        };
        entries.push(answered(wants(&[call(id.as_str(), "read_file")])));
        entries.push(Entry::ToolOutcomes(vec![(id, outcome)]));
    }
    entries.push(answered(says("I saw both")));
    let mut agent = small(entries);
    agent.limits.context = ContextWindow::new(1_000_000, 0.8);
    let next = brief(&agent.step(Input::Heard(vec![mail("m2")])));
    assert_eq!(next, "heard(m2) settle shortened(1) model#1");
    let text = texts(&agent);
    assert!(
        text.contains("c2.png") && !text.contains("c1.png"),
        "{}",
        text.len()
    );
}

#[test]
fn of_pictures_read_all_at_once_the_newest_that_a_request_may_have_are_seen() {
    let mut agent = roomy();
    hears(&mut agent, "m1");
    let ids: Vec<String> = (1..=30).map(|at| format!("c{at}")).collect();
    let calls: Vec<ToolCall> = ids.iter().map(|id| call(id, "read_file")).collect();
    agent.step(wants(&calls));
    for id in &ids {
        agent.step(seen(id, 400));
    }
    let next = brief(&agent.step(Input::Heard(vec![])));
    assert_eq!(next, "settle shortened(10) model#2");
    assert_eq!(agent.conversation().media().count, Media::MAX.count);
}

#[test]
fn attachments_leave_with_a_line_that_names_them_and_the_text_stays() {
    let mut agent = roomy();
    for id in ["m1", "m2"] {
        let next = says_and_hears(&mut agent, shown(id, 8, 400));
        assert_eq!(next, format!("heard({id}) settle model#1"));
    }
    // What was just sent stays, whatever is older.
    agent.step(Input::Rang);
    let effects = agent.step(Input::Heard(vec![shown("m3", 8, 400)]));
    assert_eq!(
        brief(&effects),
        "heard(m3) settle shortened(0+m1+m2) model#1"
    );
    let text = texts(&agent);
    assert_eq!(text.matches("\"type\":\"image\"").count(), 8, "{text}");
    let line = "[m1-7.png (image/png, 300 bytes) was removed here to free context; look at the file again or ask the user for it if you need it]";
    assert!(text.contains(line), "{text}");
    assert!(text.contains(r#"{"type":"text","text":"m1"}"#), "{text}");

    // What is recorded gives the same again, and the messages themselves are still there.
    let heard = |id: &str| Entry::Heard(vec![shown(id, 8, 400)]);
    let mut entries = Vec::new();
    for id in ["m1", "m2"] {
        entries.extend([heard(id), answered(says("I see"))]);
    }
    entries.push(heard("m3"));
    let whole = Conversation::of(entries.clone());
    assert_eq!(
        whole.media().count,
        24,
        "nothing leaves unless an entry says so"
    );
    entries.extend(effects.into_iter().filter_map(|effect| match effect {
        Effect::Record(entry @ Entry::Shortened { .. }) => Some(entry),
        _ => None,
    }));
    let again = small(entries);
    assert_eq!(texts(&again), text);
    assert_eq!(again.conversation().media(), agent.conversation().media());
}

#[test]
fn old_attachments_leave_when_the_context_is_nearly_full() {
    let mut agent = rested();
    agent.limits.context = ContextWindow::new(10_000, 0.8);
    agent.step(Input::Rang);
    agent.step(Input::Heard(vec![shown("m1", 2, 400)]));
    let mut next = String::new();
    for at in 0..6 {
        let id = format!("c{at}");
        next = round(
            &mut agent,
            if at == 5 { 8_500 } else { 100 },
            &id,
            done(&id),
        );
    }
    assert_eq!(next, "settle shortened(0+m1) model#7");
    assert_eq!(agent.conversation().media(), Media::default());
}

#[test]
fn attachments_that_no_answer_has_followed_are_kept_by_a_summary() {
    let mut agent = rested();
    hears(&mut agent, "m1");
    agent.step(counting(900, wants(&[call("c1", "bash")])));
    agent.step(done("c1"));
    let next = brief(&agent.step(Input::Heard(vec![shown("m2", 2, 400)])));
    assert_eq!(next, "heard(m2) settle summarize");
    agent.step(sums_up("s"));
    let media = agent.conversation().media();
    assert_eq!((media.count, media.base64_bytes), (2, 800));
}

#[test]
fn much_that_comes_at_once_is_more_than_one_entry() {
    let mut agent = roomy();
    let mib = 1024 * 1024;
    agent.step(Input::Rang);
    let mail = vec![
        shown("m1", 1, 10 * mib),
        shown("m2", 1, 10 * mib),
        mail("m3"),
    ];
    let next = brief(&agent.step(Input::Heard(mail)));
    assert_eq!(
        next,
        "heard(m1) heard(m2,m3) settle shortened(0+m1) model#1"
    );
}

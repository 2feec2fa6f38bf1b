//! What only mailboxes in files promise, beside the stories of every mailbox: what other programs write into them, and locks.

use crate::common::{Files, ids, mail, name};
use teammate_core::{
    MessageKind,
    mail::{CONTENT_BYTES_MAX, PRETENDED_KIND},
    port::{MailError, Mailbox},
};
use teammate_store::wire;
use teammate_testkit::stories::give_up;

// slow: a full mailbox
#[tokio::test]
async fn mail_that_is_taken_makes_room_before_it_is_settled() {
    let files = Files::simulated();
    let (bob, mailbox) = (name("bob"), files.mailbox());
    let most = "x".repeat(CONTENT_BYTES_MAX);
    let mut sent = 0;
    while mailbox
        .send(mail(&format!("m{sent}"), "bob", &most))
        .await
        .is_ok()
    {
        sent += 1;
    }
    assert_eq!(ids(&mailbox.take(&bob).await.unwrap()).len(), sent);
    assert_eq!(mailbox.send(mail("last", "bob", &most)).await, Ok(()));
}

#[tokio::test]
async fn mail_is_claimed_though_somebody_has_used_the_last_numbers() {
    let files = Files::real();
    let (bob, mailbox) = (name("bob"), files.mailbox());
    mailbox.send(mail("m1", "bob", "hi")).await.unwrap();
    mailbox.take(&bob).await.unwrap();
    for last in [u64::MAX - 1, u64::MAX] {
        let claim = format!(".claimed/bob/{last}.jsonl");
        files.scribble(&files.dir.inbox(&bob).with_file_name(claim), b"not mail\n");
        mailbox
            .send(mail(&format!("m{last}"), "bob", "hi"))
            .await
            .unwrap();
    }
    let found = files.mailbox().take(&bob).await.unwrap();
    let mut all: Vec<_> = found.iter().flat_map(|claim| &claim.messages).collect();
    all.sort_by_key(|message| message.sent_at);
    assert_eq!(all.len(), 3, "{found:?}");
}

#[tokio::test]
async fn lines_of_other_programs_are_understood() {
    let files = Files::real();
    let (bob, mailbox) = (name("bob"), files.mailbox());
    let lines = concat!(
        r#"{"type": "message", "from": "lead", "content": "do it", "timestamp": 1732230000.25}"#,
        "\n",
        "\n",
        r#"{"type": "shutdown_response", "from": "alice", "content": "ok", "timestamp": 1.5, "request_id": "r1", "approve": true}"#,
        "\n",
        r#"{"type": "broadcast", "sender": "alice", "content": "all", "timestamp": 2}"#,
        "\r\n",
        r#"{"from": "agent_9", "to": "bob", "content": "done", "type": "result", "ts": 3.5, "metadata": {"request_id": "r2", "approve": false}}"#,
        "\n",
        r#"{"type": "message", "from": "lead", "content": "torn"#,
    );
    files.scribble(&files.dir.inbox(&bob), lines.as_bytes());
    // A send after a torn line stands on a line of its own.
    mailbox.send(mail("m1", "bob", "whole")).await.unwrap();

    let claims = mailbox.take(&bob).await.unwrap();
    let told: Vec<_> = claims[0]
        .messages
        .iter()
        .map(|m| {
            format!(
                "{} {} {} {:?} {}",
                m.from, m.kind, m.content, m.request_id, m.sent_at.0
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            "unverified:lead message do it None 1732230000250",
            "unverified:alice message ok None 1500",
            "unverified:alice message all None 2000",
            "unverified:agent_9 message done None 3500",
            "alice message whole None 1732230000500",
        ]
    );
    let metadata = &claims[0].messages[1].metadata.others;
    assert_eq!(metadata["approve"], true);
    assert_eq!(metadata[PRETENDED_KIND], "shutdown_response");
    let pretends: Vec<_> = claims[0]
        .unsealed
        .iter()
        .map(|line| line.pretends)
        .collect();
    let response = Some(MessageKind::ShutdownResponse);
    assert_eq!(pretends, [None, response, None, None]);
    assert_eq!(claims[0].damaged.len(), 1);
    let again = files.mailbox().take(&bob).await.unwrap();
    assert_eq!(again, claims, "ids that were made up are stable");
}

#[tokio::test]
async fn what_is_no_message_is_kept_aside_once_and_shown() {
    let files = Files::real();
    let bob = name("bob");
    let deep = "[".repeat(100_000);
    let huge = format!(
        r#"{{"from":"lead","content":"{}"}}"#,
        "x".repeat(wire::mail::LINE_BYTES_MAX)
    );
    let bad: Vec<&[u8]> = vec![
        b"hello",
        b"[1]",
        b"{\"type\":\"plan\",\"from\":\"lead\",\"content\":\"\"}",
        b"{\"type\":\"message\",\"content\":\"\"}",
        b"{\"type\":\"message\",\"from\":\"lead\"}",
        b"{\"from\":\"lead\",\"content\":\"a\"}{\"from\":\"lead\",\"content\":\"b\"}",
        b"{\"from\":\"lead\",\"from\":\"alice\",\"content\":\"a\"}",
        b"{\"from\":\"lead\",\"content\":\"\\ud800\"}",
        b"{\"id\":\"\",\"from\":\"lead\",\"content\":\"a\"}",
        b"\0\0\0\0",
        b"{\"from\":\"lead\",\"content\":\"\xff\"}",
        deep.as_bytes(),
        huge.as_bytes(),
    ];
    let text = bad.join(&b'\n');
    files.scribble(&files.dir.inbox(&bob), &text);
    files.mailbox().send(mail("m1", "bob", "hi")).await.unwrap();

    let mailbox = files.mailbox();
    let claims = mailbox.take(&bob).await.unwrap();
    assert_eq!(ids(&claims), ["m1"]);
    let why: Vec<_> = claims[0].damaged.iter().map(|line| &line.why).collect();
    assert_eq!(why.len(), bad.len(), "{why:#?}");
    let kept = std::path::PathBuf::from(&claims[0].damaged[0].kept_in);
    assert_eq!(kept, files.dir.inbox_quarantine(&bob));
    let expected = [&text[..], b"\n"].concat();
    assert_eq!(files.disk.read(&kept).unwrap(), expected);

    // Claimed again after a crash, the lines are shown again but not kept twice.
    assert_eq!(
        files.mailbox().take(&bob).await.unwrap()[0].damaged.len(),
        bad.len()
    );
    assert_eq!(files.disk.read(&kept).unwrap(), expected);
}

#[tokio::test]
async fn the_same_line_without_an_id_can_be_said_twice() {
    let files = Files::real();
    let (bob, mailbox) = (name("bob"), files.mailbox());
    let mut heard = Vec::new();
    for _ in 0..3 {
        files.scribble(
            &files.dir.inbox(&bob),
            b"{\"from\":\"lead\",\"content\":\"go on\"}\n",
        );
        let claims = mailbox.take(&bob).await.unwrap();
        mailbox.ack(&bob, claims[0].id).await.unwrap();
        heard.extend(ids(&claims));
    }
    heard.sort();
    heard.dedup();
    assert_eq!(heard.len(), 3);
}

#[tokio::test]
async fn a_mailbox_held_by_another_process_is_an_error_that_says_so() {
    let files = Files::real();
    let mailbox = files.mailbox().with_lock_wait(std::time::Duration::ZERO);
    let lock = files.dir.path().join("inbox/.lock/bob");
    let held = files.disk.lock(&lock, std::time::Duration::ZERO).unwrap();
    let locked = Err(MailError::Locked { owner: name("bob") });
    assert_eq!(mailbox.send(mail("m1", "bob", "hi")).await, locked);
    drop(held);
    assert_eq!(mailbox.send(mail("m1", "bob", "hi")).await, Ok(()));
    assert_eq!(ids(&mailbox.take(&name("bob")).await.unwrap()), ["m1"]);
}

#[cfg(unix)]
#[tokio::test]
async fn what_is_no_file_is_never_read() {
    for (what, make) in [
        ("a symlink", link as fn(&std::path::Path)),
        ("a directory", |path| std::fs::create_dir(path).unwrap()),
    ] {
        let files = Files::real();
        let (bob, mailbox) = (name("bob"), files.mailbox());
        make(&files.dir.inbox(&bob));
        let refused = mailbox.send(mail("m1", "bob", "hi")).await;
        assert!(
            matches!(refused, Err(MailError::Broken { .. })),
            "{what}: {refused:?}"
        );
        let claims = mailbox.take(&bob).await.unwrap();
        assert_eq!(claims[0].damaged.len(), 1, "{what}");
        // It is out of the way.
        mailbox.ack(&bob, claims[0].id).await.unwrap();
        assert_eq!(
            mailbox.send(mail("m1", "bob", "hi")).await,
            Ok(()),
            "{what}"
        );
    }
}

#[cfg(unix)]
fn link(path: &std::path::Path) {
    std::os::unix::fs::symlink("/dev/zero", path).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn files_are_private_and_git_ignores_them() {
    use std::os::unix::fs::MetadataExt as _;
    let files = Files::real();
    files.mailbox().send(mail("m1", "bob", "hi")).await.unwrap();
    let mode = |path: std::path::PathBuf| std::fs::metadata(path).unwrap().mode() & 0o777;
    assert_eq!(mode(files.dir.inbox(&name("bob"))), 0o600);
    assert_eq!(mode(files.dir.inbox_dir()), 0o700);
    assert_eq!(
        std::fs::read(files.dir.path().join(".gitignore")).unwrap(),
        b"*\n"
    );
}

#[test]
fn a_runtime_that_ends_in_the_middle_of_a_send_blocks_nobody() {
    let files = Files::real();
    let mailbox = std::sync::Arc::new(files.mailbox());
    for round in 0..20 {
        let short = runtime();
        short.block_on(async {
            let _given_up = give_up(mailbox.send(mail(&format!("a{round}"), "bob", "?")));
        });
        short.shutdown_background();
        let id = format!("b{round}");
        let sent = runtime().block_on(mailbox.send(mail(&id, "bob", "hi")));
        // Sends queued behind the dropped one get an error; none waits for ever.
        assert!(
            matches!(sent, Ok(()) | Err(MailError::Unknown { .. })),
            "{sent:?}"
        );
    }
    let after = runtime().block_on(mailbox.send(mail("last", "bob", "hi")));
    assert_eq!(after, Ok(()));
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap()
}

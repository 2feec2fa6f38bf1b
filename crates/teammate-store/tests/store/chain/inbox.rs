//! Edits of an inbox, and mail that is written behind them.

use teammate_core::port::Mailbox as _;

use super::{Edit, edit_file, forged, is_believed};
use crate::common::{Files, mail, name};

/// What bob hears, whether each message is believed, and how many gaps are named.
async fn heard(files: &Files) -> (Vec<(String, bool)>, usize) {
    let claims = files.mailbox().take(&name("bob")).await.unwrap();
    let messages = claims.iter().flat_map(|claim| &claim.messages);
    let told = messages.map(|message| (message.content.clone(), is_believed(message)));
    let gaps = claims.iter().map(|claim| claim.gaps.len()).sum();
    (told.collect(), gaps)
}

#[tokio::test]
async fn every_edit_of_an_inbox_is_named_and_what_is_sealed_is_believed() {
    let all = ["0", "1", "2", "3"];
    let rows: [(&str, Edit, &[&str], usize); 10] = [
        ("nothing", |_| {}, &all, 0),
        (
            "added",
            |l| l.insert(2, forged()),
            &["0", "1", "?9", "2", "3"],
            1,
        ),
        (
            "added at the end",
            |l| l.push(forged()),
            &["0", "1", "2", "3", "?9"],
            0,
        ),
        (
            "changed",
            |l| l[1] = l[1].replace(r#""1""#, r#""9""#),
            &["0", "?9", "2", "3"],
            1,
        ),
        ("removed", |l| drop(l.remove(1)), &["0", "2", "3"], 1),
        (
            "the first removed",
            |l| drop(l.remove(0)),
            &["1", "2", "3"],
            1,
        ),
        ("moved", |l| l.swap(1, 2), &["0", "2", "1", "3"], 3),
        ("doubled", |l| l.insert(1, l[1].clone()), &all, 1),
        ("put back", |l| l.push(l[0].clone()), &all, 1),
        // Nothing in the file tells of it.
        ("the last removed", |l| drop(l.pop()), &["0", "1", "2"], 0),
    ];
    for (what, edit, expected, gaps) in rows {
        let files = Files::real();
        let mailbox = files.mailbox();
        for n in 0..4 {
            let sent = mailbox.send(mail(&format!("m{n}"), "bob", &n.to_string()));
            sent.await.unwrap();
        }
        edit_file(&files, &files.dir.inbox(&name("bob")), edit);
        let expected: Vec<_> = expected
            .iter()
            .map(|text| {
                (
                    text.trim_start_matches('?').to_owned(),
                    !text.starts_with('?'),
                )
            })
            .collect();
        assert_eq!(heard(&files).await, (expected.clone(), gaps), "{what}");
        // The same after a crash, from the claimed file.
        assert_eq!(heard(&files).await, (expected, gaps), "{what}, again");
    }
}

#[tokio::test]
async fn mail_follows_whatever_is_before_it() {
    let long = "x".repeat(100_000);
    for (what, before) in [
        ("a forged line", format!("{}\n", forged())),
        (
            "a forged line and blanks",
            format!("{}\r\n\n  \n", forged()),
        ),
        ("a torn line", r#"{"id":"m"#.to_owned()),
        ("a long line", format!("{long}\n")),
        ("a long torn line", long.clone()),
        ("zeros", "\0\0\0".to_owned()),
        ("nothing but line ends", "\n\n".to_owned()),
    ] {
        let files = Files::real();
        files.scribble(&files.dir.inbox(&name("bob")), before.as_bytes());
        for n in 0..3 {
            // Each time another process.
            let sent = files
                .mailbox()
                .send(mail(&format!("m{n}"), "bob", "hi"))
                .await;
            assert_eq!(sent, Ok(()), "{what}");
        }
        let (told, gaps) = heard(&files).await;
        let believed = told.iter().filter(|(_, is_believed)| *is_believed).count();
        assert_eq!((believed, gaps), (3, 0), "{what}");
    }
}

//! Requests of pages and programs that have no business here: none is taken. The server is a real one on a loopback socket, the team
//! behind it counts what it is asked.

#![expect(clippy::unwrap_used, reason = "a test")]

mod forms;
mod keys;
mod pages;
mod target;

use std::collections::BTreeSet;

use target::{Taken, Target};

/// So many there are at least, each another one.
const REQUESTS: usize = 250;

#[tokio::test(flavor = "multi_thread")]
async fn no_hostile_request_is_taken() {
    let target = Target::start().await;
    // Those that are meant for it are taken, and seen to be.
    assert_eq!(target.status(&target.get("/teams", "")).await, 200);
    assert_eq!(target.status(&target.open("/")).await, 200);
    assert_eq!(target.status(&target.say("one")).await, 200);
    let before = target.taken();
    assert_eq!(before, Taken { lists: 1, verbs: 1 });

    // Of bad keys the first ten of a minute are looked at; these come first.
    let (known, more) = keys::requests(&target);
    for (what, request) in &known {
        assert_eq!(target.status(request).await, 401, "{what}");
    }
    let mut all = pages::requests(&target);
    all.extend(forms::requests(&target));
    all.extend(more);
    for request in &all {
        let code = target.status(request).await;
        let text = String::from_utf8_lossy(request);
        // What is no request at all gets no answer.
        assert!(
            code == 0 || (400..500).contains(&code),
            "{code}: {text:.300}"
        );
    }
    assert_eq!(target.status(&keys::guess(&target, 99)).await, 429);
    // None is there twice.
    all.extend(known.into_iter().map(|(_, request)| request));
    let different: BTreeSet<&Vec<u8>> = all.iter().collect();
    println!("{} hostile requests", different.len());
    assert_eq!(different.len(), all.len());
    assert!(all.len() >= REQUESTS, "{} requests", all.len());
    assert_eq!(target.taken(), before, "one was taken");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_does_not_end_is_ended() {
    let target = Target::start().await;
    let before = target.taken();
    let all = forms::endless(&target);
    let each = all.into_iter().map(|(what, begin, drop_by_drop)| {
        let connection = target.connect();
        tokio::spawn(async move { (what, connection.drip(begin, drop_by_drop).await) })
    });
    // Side by side: each is waited for by the server.
    let each: Vec<_> = each.collect();
    for ended in each {
        let (what, code) = ended.await.unwrap();
        assert!(code == 0 || (400..500).contains(&code), "{what}: {code}");
    }
    assert_eq!(target.taken(), before);
}

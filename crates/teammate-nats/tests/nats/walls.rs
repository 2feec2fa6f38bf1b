//! What a worker's keys do not open: it tries everything that the servers' protocol has, raw, and nothing comes of it.

use std::time::Duration;

use async_nats::{Client, HeaderMap, jetstream::stream::State};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use teammate_core::transcript::Entry;
use teammate_nats::{NatsStore, keys::Creds};
use teammate_testkit::stories::{ids, mail, name};
use tokio::time::timeout;

use crate::circle::{Walled, place, placed, worker};

/// Far longer than anything takes.
const LONG: Duration = Duration::from_secs(60);

/// What nobody outside of team `two` may see.
const CANARY: &str = "canary-4f1c";

const STREAMS: [&str; 5] = [
    "TM_LOG_0",
    "TM_MAIL_0",
    "TM_EVENT_0",
    "TM_OBJ_0",
    "KV_TM_TEAMS",
];

/// The state of all streams, as a person sees it.
async fn states(ann: &Client) -> Vec<(String, State, usize)> {
    let jet = async_nats::jetstream::new(ann.clone());
    let mut states = Vec::new();
    for stream in STREAMS {
        let info = jet.get_stream(stream).await.unwrap().cached_info().clone();
        let mut state = info.state;
        // Consumers that ended are forgotten when the server comes to it.
        state.consumer_count = 0;
        states.push((stream.to_owned(), state, info.config.subjects.len()));
    }
    states
}

/// Team `two` with something to find in it.
async fn something_to_find(walled: &Walled) {
    let ann = walled.store("ann", "two").await;
    placed(&ann.journal, 0, &[("alice", "w3"), ("bob", "w3")]).await;
    let store = walled.store("w3", "two").await;
    store.mailbox.send(mail("m1", "bob", CANARY)).await.unwrap();
    let mut bob = store.transcripts.open(&name("bob")).await.unwrap();
    let entry = Entry::Prompted(CANARY.to_owned());
    bob.log.append(&entry).await.unwrap();
    store.objects.put("secret", CANARY.into()).await.unwrap();
}

/// Subjects on which the server lets `w1` publish nothing.
fn closed() -> Vec<String> {
    let mut all = Vec::new();
    for stream in STREAMS {
        for call in [
            "STREAM.UPDATE",
            "STREAM.DELETE",
            "STREAM.PURGE",
            "STREAM.INFO",
            "STREAM.MSG.GET",
            "STREAM.MSG.DELETE",
            "STREAM.SNAPSHOT",
            "STREAM.RESTORE",
            "STREAM.LEADER.STEPDOWN",
            "STREAM.PEER.REMOVE",
            "DIRECT.GET",
            "CONSUMER.CREATE",
            "CONSUMER.LIST",
            "CONSUMER.NAMES",
        ] {
            all.push(format!("$JS.API.{call}.{stream}"));
        }
        for call in [
            "CONSUMER.INFO",
            "CONSUMER.MSG.NEXT",
            "CONSUMER.CREATE",
            "CONSUMER.PAUSE",
            "CONSUMER.LEADER.STEPDOWN",
            "CONSUMER.UNPIN",
        ] {
            all.push(format!("$JS.API.{call}.{stream}.c"));
        }
        all.push(format!("$JS.API.CONSUMER.DURABLE.CREATE.{stream}.c"));
        for filter in [
            "tm.0.two.j",
            "tm.0.two.>",
            "tm.0.two.m.bob",
            "tm.0.two.t.*",
            "tm.0.*.m.bob",
            "tm.*.*.>",
            "tm.0.>",
            ">",
            "$KV.TM_TEAMS.>",
        ] {
            all.push(format!("$JS.API.CONSUMER.CREATE.{stream}.c.{filter}"));
        }
    }
    for rest in [
        "INFO",
        "STREAM.LIST",
        "STREAM.NAMES",
        "STREAM.CREATE.X",
        "STREAM.TEMPLATE.CREATE.X",
        "DIRECT.GET.TM_MAIL_0.tm.0.two.m.bob",
        "DIRECT.GET.TM_LOG_0.tm.0.two.t.bob",
        "DIRECT.GET.KV_TM_TEAMS.$KV.TM_TEAMS.two",
        "META.LEADER.STEPDOWN",
        "ACCOUNT.PURGE.TEAMMATE",
        "SERVER.REMOVE",
    ] {
        all.push(format!("$JS.API.{rest}"));
    }
    for end in [
        "j",
        "t.bob",
        "x.00",
        "m.bob",
        "s.bob",
        "e.bob",
        "o.u.0",
        "i",
        "text.bob",
        "cmd.w3.w1",
        "cmd.w3.w3",
    ] {
        all.push(format!("tm.0.two.{end}"));
    }
    for subject in [
        // In the name of others, to others.
        "tm.0.one.cmd.w2.w2",
        "tm.0.one.cmd.w2.w3",
        "tm.0.one.cmd.w1.w2",
        "tm.beat.w2",
        "tm.beat.w3",
        "tm.beat.ann",
        "$KV.TM_TEAMS.one",
        "$KV.TM_TEAMS.two",
        "_INBOX_w2.x",
        "_INBOX_ann.x",
        "_INBOX.x",
        "$SYS.REQ.SERVER.PING",
        "$SYS.REQ.SERVER.PING.VARZ",
        "$SYS.REQ.ACCOUNT.TEAMMATE.CONNZ",
        "$JS.ACK.TM_LOG_0.c.1.1.1.1.1",
    ] {
        all.push(subject.to_owned());
    }
    all
}

/// Subjects that the server lets `w1` hear nothing of.
const UNHEARD: [&str; 18] = [
    ">",
    "tm.>",
    "tm.0.two.>",
    "tm.0.two.text.*",
    "tm.0.two.cmd.*.*",
    "tm.0.one.>",
    "tm.0.one.j",
    "tm.0.one.m.*",
    "tm.0.one.t.*",
    "tm.0.one.cmd.w2.*",
    "tm.0.one.cmd.*.*",
    "_INBOX.>",
    "_INBOX_w2.>",
    "_INBOX_ann.>",
    "$JS.>",
    "$SYS.>",
    "$KV.>",
    "*.*.*.*.*",
];

#[tokio::test(flavor = "multi_thread")]
async fn what_the_servers_refuse_a_worker_does_nothing() {
    let Some(walled) = Walled::start().await else {
        return;
    };
    something_to_find(&walled).await;
    let ann = walled.client("ann").await;
    let before = states(&ann).await;
    let (w1, mut refusals) = walled.watched("w1").await;
    let inbox = w1.new_inbox();
    let mut answers = w1.subscribe(inbox.clone()).await.unwrap();
    let closed = closed();
    let attempts = closed.len() + UNHEARD.len();
    assert!(attempts >= 200, "{attempts} attempts");
    // The server says no to each of them, one after the other: a client forgets what it cannot hand over at once.
    let mut refused = async |attempt: &str| {
        let no = timeout(LONG, refusals.recv()).await;
        let no = no.unwrap_or_else(|_| panic!("{attempt} was not refused"));
        let no = no.unwrap().to_lowercase();
        assert!(no.contains("permissions violation"), "{attempt}: {no}");
    };
    for subject in &closed {
        let body = json!({"config": {"deliver_subject": inbox, "ack_policy": "none"}, "seq": 1});
        let (subject, body) = (subject.clone(), body.to_string().into());
        let sent = w1.publish_with_reply(subject.clone(), inbox.clone(), body);
        sent.await.unwrap();
        refused(&subject).await;
    }
    let mut unheard = Vec::new();
    for subject in UNHEARD {
        unheard.push(w1.subscribe(subject).await.unwrap());
        refused(subject).await;
    }
    // Whatever had come of them came before this answer.
    let probe = w1.request("tm.0.one.j", "".into()).await.unwrap();
    assert!(String::from_utf8_lossy(&probe.payload).contains("\"seq\""));
    w1.unsubscribe_all(&mut answers, &mut unheard).await;
    let after = states(&ann).await;
    for (before, after) in before.iter().zip(&after).skip(1) {
        assert_eq!(before, after);
    }
    // The probe is the only thing that is new.
    assert_eq!(before[0].1.messages + 1, after[0].1.messages);
    println!("{attempts} attempts, 0 did anything");
}

/// Hears all that was sent to these subscriptions, of which there must be nothing.
trait Unheard {
    async fn unsubscribe_all(
        &self,
        answers: &mut async_nats::Subscriber,
        unheard: &mut Vec<async_nats::Subscriber>,
    );
}

impl Unheard for Client {
    async fn unsubscribe_all(
        &self,
        answers: &mut async_nats::Subscriber,
        unheard: &mut Vec<async_nats::Subscriber>,
    ) {
        for subscriber in std::iter::once(answers).chain(unheard) {
            subscriber.unsubscribe().await.unwrap();
            let heard = subscriber.next().await;
            assert!(heard.is_none(), "{heard:?}");
        }
    }
}

/// Asks for a consumer by an allowed subject with another body; the server's answer.
async fn smuggled(w1: &Client, at: usize, config: Value) -> Value {
    let subject = format!("$JS.API.CONSUMER.CREATE.TM_LOG_0.c{at}.tm.0.one.j");
    let body = json!({"stream_name": "TM_LOG_0", "action": "create", "config": config});
    let answer = w1.request(subject, body.to_string().into()).await.unwrap();
    serde_json::from_slice(&answer.payload).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_servers_let_a_worker_send_reads_and_removes_nothing_of_others() {
    let Some(walled) = Walled::start().await else {
        return;
    };
    something_to_find(&walled).await;
    let w1 = walled.client("w1").await;
    let inbox = w1.new_inbox();
    let consumer = |more: Value| {
        let mut config = json!({"deliver_policy": "all", "ack_policy": "none",
            "deliver_subject": inbox, "filter_subject": "tm.0.one.j"});
        for (key, value) in more.as_object().unwrap() {
            config[key] = value.clone();
        }
        config
    };
    // A filter in the body that is not the one in the subject: an error, or the one in the subject counts.
    for (at, more) in [
        json!({"filter_subject": "tm.0.two.j"}),
        json!({"filter_subject": "tm.0.>"}),
        json!({"filter_subject": ""}),
        json!({"filter_subjects": ["tm.0.one.j", "tm.0.two.j"]}),
        json!({"filter_subject": "", "filter_subjects": ["tm.0.two.j"]}),
        json!({"name": "d"}),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = smuggled(&w1, at, consumer(more)).await;
        let is_own = answer["config"]["filter_subject"] == "tm.0.one.j"
            && answer["config"]["filter_subjects"].is_null();
        assert!(is_own || answer["error"]["err_code"].is_u64(), "{answer}");
    }

    // Nothing is taken away by headers, be it of the own team.
    let bob = walled.store("w3", "two").await;
    let person = walled.client("ann").await;
    let before = states(&person).await;
    for subject in [
        "j", "t.bob", "m.bob", "s.bob", "x.00", "i", "o.u.0", "e.bob",
    ] {
        for scope in ["all", "sub"] {
            let mut headers = HeaderMap::new();
            headers.insert("Nats-Rollup", scope);
            let subject = format!("tm.0.one.{subject}");
            let answer = w1.request_with_headers(subject, headers, "".into()).await;
            let answer = String::from_utf8_lossy(&answer.unwrap().payload).into_owned();
            assert!(answer.contains("\"err_code\""), "{answer}");
        }
    }
    assert_eq!(states(&person).await, before);
    assert_eq!(ids(&bob.mailbox.take(&name("bob")).await.unwrap()), ["m1"]);
    let told = bob.transcripts.peek(&name("bob")).await.unwrap();
    assert_eq!(told, [Entry::Prompted(CANARY.to_owned())]);
    assert_eq!(
        bob.objects.get("secret").await.unwrap(),
        Some(CANARY.into())
    );
}

/// A server delivers a stored message wherever a consumer's maker says, past that one's permissions. Seals are no server's.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_server_is_made_to_deliver_elsewhere_is_not_heard() {
    let Some(walled) = Walled::start().await else {
        return;
    };
    let (w1, two) = (walled.client("w1").await, walled.store("w2", "one").await);
    let (own_name, w2) = (worker("w1"), worker("w2"));
    let (mut asked, mut beats) = (
        two.fleet.asked(&w2).await.unwrap(),
        two.fleet.beats().await.unwrap(),
    );
    // What w1 has sealed as itself, for another subject.
    let own = walled.store("w1", "one").await;
    let mut overheard = w1.subscribe("tm.beat.*").await.unwrap();
    // What it hears of itself proves that it hears.
    w1.publish("tm.beat.w1", "".into()).await.unwrap();
    overheard.next().await.unwrap();
    own.fleet.beat(&own_name, "x".into()).await;
    let sealed = overheard.next().await.unwrap();
    let jet = async_nats::jetstream::new(w1.clone());
    let stored = jet.publish_with_headers("tm.0.one.e.bob", sealed.headers.unwrap(), "x".into());
    stored.await.unwrap().await.unwrap();
    for (at, deliver) in ["tm.0.one.cmd.w2.w2", "tm.0.one.cmd.w2.ann", "tm.beat.w2"]
        .into_iter()
        .enumerate()
    {
        let subject = format!("$JS.API.CONSUMER.CREATE.TM_EVENT_0.c{at}.tm.0.one.e.bob");
        let config = json!({"name": format!("c{at}"), "deliver_policy": "all", "ack_policy": "none",
            "deliver_subject": deliver, "filter_subject": "tm.0.one.e.bob"});
        let body = json!({"stream_name": "TM_EVENT_0", "action": "create", "config": config});
        w1.request(subject, body.to_string().into()).await.unwrap();
    }
    // The first that is heard is genuine, though the server delivered what it was made to.
    two.fleet.beat(&w2, "alive".into()).await;
    let heard = loop {
        let beat = beats.next().await.unwrap();
        if beat.of == "w2" {
            break beat;
        }
    };
    assert_eq!(heard.body, "alive");
    let ask = own.fleet.ask(&own_name, &w2, "?".into(), LONG);
    let hear = async {
        let question = asked.next().await.unwrap();
        assert_eq!(question.of, "w1");
        question.answer("!".into()).await;
    };
    tokio::join!(ask, hear);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_keys_or_with_foreign_ones_nobody_comes_in() {
    let Some(walled) = Walled::start().await else {
        return;
    };
    assert!(async_nats::connect(&walled.url).await.is_err());
    let elsewhere = tempfile::tempdir().unwrap();
    let mut other = teammate_nats::keys::Circle::make(elsewhere.path()).unwrap();
    let role = teammate_nats::keys::CircleRole::Worker;
    let path = other.admit(role, worker("w1"), vec![]).unwrap();
    let creds = Creds::read(&path).unwrap();
    let url = teammate_nats::connect::ServerUrl::parse(&walled.url).unwrap();
    let refused = teammate_nats::connect::connect(&[url], creds.login(), "w1").await;
    assert!(refused.is_err());
    // Its seals are a stranger's, too.
    let ann = walled.client("ann").await;
    let stranger = NatsStore::by(ann, place("one"), &creds).unwrap();
    stranger
        .mailbox
        .send(mail("m1", "bob", "hi"))
        .await
        .unwrap();
    let bob = walled.store("w1", "one").await;
    let batches = bob.mailbox.take(&name("bob")).await.unwrap();
    assert_eq!(batches[0].unsealed.len(), 1);
}

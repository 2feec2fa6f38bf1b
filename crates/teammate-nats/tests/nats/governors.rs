//! Workers tell each other of a model server that is away, and one of them probes it.

use std::{sync::Arc, time::Duration};

use futures_util::StreamExt as _;
use teammate_core::port::{Governors, HeardNews, ServerNews};
use tokio::{task::JoinSet, time::sleep};

use crate::world::Own;

async fn governors(own: &Own) -> Arc<dyn Governors> {
    own.store().await.governors
}

#[tokio::test(flavor = "multi_thread")]
async fn others_hear_of_a_failure_as_a_duration_and_nobody_hears_itself() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (one, two) = (governors(&own).await, governors(&own).await);
    let mut heard = two.heard().await.unwrap();
    let server = one.server_key("https://models.example/v1#sk-canary");
    assert_eq!(
        server,
        two.server_key("https://models.example/v1#sk-canary")
    );
    assert_ne!(server, two.server_key("https://models.example/v1#sk-other"));
    let told = [
        ServerNews::away(Duration::from_secs(20)),
        ServerNews::refused(Duration::from_millis(1_500)),
        ServerNews::Back,
    ];
    two.publish(&server, ServerNews::Back).await;
    // Its server has answered, so it knows what was sent before, too.
    assert!(two.claim_probe(&server).await);
    for news in told {
        one.publish(&server, news).await;
    }
    for news in told {
        let server = server.clone();
        assert_eq!(heard.next().await, Some(HeardNews { server, news }));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn neither_key_nor_address_goes_over_the_wire() {
    let Some(own) = Own::server().await else {
        return;
    };
    let tap = own.client().await;
    let mut seen = tap.subscribe(">").await.unwrap();
    // What it hears of itself proves that it hears.
    tap.publish("tap", "".into()).await.unwrap();
    assert_eq!(seen.next().await.unwrap().subject.as_str(), "tap");
    let governors = governors(&own).await;
    let server = governors.server_key("https://models.example/v1#sk-canary");
    governors
        .publish(&server, ServerNews::away(Duration::from_secs(1)))
        .await;
    assert!(governors.claim_probe(&server).await);
    governors.publish(&server, ServerNews::Back).await;
    let (mut messages, mut probes) = (0, 0);
    while messages < 2 || probes < 1 {
        let message = seen.next().await.unwrap();
        let headers = format!("{:?}", message.headers);
        let payload = String::from_utf8_lossy(&message.payload);
        let all = format!("{} {headers} {payload}", message.subject);
        assert!(
            !all.contains("canary") && !all.contains("models.example"),
            "{all}"
        );
        messages += usize::from(message.subject.starts_with("tm.gov."));
        probes += usize::from(message.subject.starts_with("tm.probe."));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_all_that_would_probe_a_server_one_does_until_its_claim_has_ended() {
    let Some(own) = Own::server().await else {
        return;
    };
    let server = governors(&own).await.server_key("one");
    let mut asking = JoinSet::new();
    for _ in 0..8 {
        let (governors, server) = (governors(&own).await, server.clone());
        asking.spawn(async move { governors.claim_probe(&server).await });
    }
    let claims = asking.join_all().await;
    assert_eq!(claims.iter().filter(|&&claimed| claimed).count(), 1);
    let governors = governors(&own).await;
    let other = governors.server_key("other");
    assert!(governors.claim_probe(&other).await);
    // The one that claimed it is dead, for all that is known: after half a minute another one probes.
    while !governors.claim_probe(&server).await {
        sleep(Duration::from_millis(500)).await;
    }
}

//! Workers tell each other of a server of models that is away, and one of them tries it.

use std::time::Duration;

use teammate_nats::governors::{ServerKey, ServerNews};
use tokio::{task::JoinSet, time::sleep};

use crate::world::Own;

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_is_told_as_a_duration_to_all_that_share_the_key() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (one, two) = (own.store().await.governors, own.store().await.governors);
    let mut heard = two.heard().await.unwrap();
    let server = ServerKey::of("https://models.example", "sk-secret");
    let away = ServerNews::from(Duration::from_secs(20));
    one.publish(&server, away).await;
    one.publish(&server, ServerNews::Back).await;
    assert_eq!(heard.next().await, Some((server.clone(), away)));
    assert_eq!(heard.next().await, Some((server.clone(), ServerNews::Back)));
    // Another key is another server, and the name tells nothing of it.
    assert_ne!(server, ServerKey::of("https://models.example", "sk-other"));
    assert!(!format!("{server:?}").contains("secret"));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_all_that_would_try_a_server_one_does_until_its_probe_has_ended() {
    let Some(own) = Own::server().await else {
        return;
    };
    let server = ServerKey::of("https://models.example", "k");
    let mut asking = JoinSet::new();
    for _ in 0..8 {
        let (governors, server) = (own.store().await.governors, server.clone());
        asking.spawn(async move { governors.may_probe(&server).await });
    }
    let tries = asking.join_all().await;
    assert_eq!(tries.iter().filter(|&&tries| tries).count(), 1);
    let governors = own.store().await.governors;
    assert!(
        governors
            .may_probe(&ServerKey::of("https://other.example", "k"))
            .await
    );
    // The one that tried is dead, for all that is known: after half a minute another one tries.
    while !governors.may_probe(&server).await {
        sleep(Duration::from_millis(500)).await;
    }
}

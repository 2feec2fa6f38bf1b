//! Objects of any size, in a room of which a team has so much.

use bytes::Bytes;
use teammate_nats::objects::{ObjectError, ObjectInfo};
use teammate_testkit::stories::objects;

use crate::world::Own;

/// Several pieces.
fn large(byte: u8) -> Bytes {
    vec![byte; 1_300_000].into()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_put_is_got_by_everybody_until_it_is_replaced_or_removed() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (one, two) = (own.store().await.objects, own.store().await.objects);
    assert_eq!(two.get("bundle").await.unwrap(), None);
    one.put("bundle", large(1)).await.unwrap();
    one.put("empty", Bytes::new()).await.unwrap();
    assert_eq!(two.get("bundle").await.unwrap(), Some(large(1)));
    assert_eq!(two.get("empty").await.unwrap(), Some(Bytes::new()));
    two.put("bundle", large(2)).await.unwrap();
    assert_eq!(one.get("bundle").await.unwrap(), Some(large(2)));
    assert!(one.remove("bundle").await.unwrap());
    assert!(!two.remove("bundle").await.unwrap());
    assert_eq!(two.get("bundle").await.unwrap(), None);
    let names = two.infos().await.unwrap();
    let empty = ObjectInfo {
        name: "empty".to_owned(),
        bytes: 0,
    };
    assert_eq!(names, [empty]);
    let refused = one.put("two words", Bytes::new()).await;
    assert_eq!(refused, Err(ObjectError::Name("two words".to_owned())));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_team_has_a_quota_and_what_is_removed_frees_room() {
    let Some(own) = Own::server().await else {
        return;
    };
    let objects = own.store().await.objects.with_quota(2_000_000);
    objects.put("a", large(1)).await.unwrap();
    let refused = objects.put("b", large(2)).await;
    let quota = ObjectError::Quota {
        bytes: 1_300_000,
        used: 1_300_000,
        max: 2_000_000,
    };
    assert_eq!(refused, Err(quota));
    // In its own place it fits.
    objects.put("a", large(3)).await.unwrap();
    objects.remove("a").await.unwrap();
    objects.put("b", large(2)).await.unwrap();
    assert_eq!(objects.get("b").await.unwrap(), Some(large(2)));
    let jet = async_nats::jetstream::new(own.client().await);
    let stored = jet
        .get_stream("TM_OBJ_0")
        .await
        .unwrap()
        .cached_info()
        .state
        .bytes;
    assert!(stored < 1_500_000, "{stored} bytes are stored of 1,300,000");
}

#[tokio::test(flavor = "multi_thread")]
async fn many_put_at_once_and_none_is_lost() {
    let Some(own) = Own::server().await else {
        return;
    };
    let mut puts = tokio::task::JoinSet::new();
    for n in 0..8 {
        let objects = own.store().await.objects;
        puts.spawn(async move { objects.put(&format!("o{n}"), vec![n; 10].into()).await });
    }
    for put in puts.join_all().await {
        put.unwrap();
    }
    assert_eq!(own.store().await.objects.infos().await.unwrap().len(), 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_port_tells_the_same_story_as_in_memory() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (one, two) = (own.store().await.objects, own.store().await.objects);
    objects::what_is_put_is_got_by_name("nats", &one, &two).await;
}

//! The story of an object store. It needs no [`World`](super::World): nothing else of a team has a part in it.

use teammate_core::port::ObjectStore;

/// What one puts another gets, whole and by name, until it is replaced or removed.
pub async fn what_is_put_is_got_by_name(told: &str, one: &dyn ObjectStore, two: &dyn ObjectStore) {
    let large: Vec<u8> = (0..1_300_000_u32).map(|at| (at % 251) as u8).collect();
    assert_eq!(two.get("work/alice/1").await, Ok(None), "{told}");
    one.put("work/alice/1", large.clone()).await.unwrap();
    one.put("work/alice/10", Vec::new()).await.unwrap();
    one.put("output/1/a.txt", b"a".to_vec()).await.unwrap();
    assert_eq!(two.get("work/alice/1").await, Ok(Some(large)), "{told}");
    assert_eq!(
        two.get("work/alice/10").await,
        Ok(Some(Vec::new())),
        "{told}"
    );
    let names = two.names("work/").await.unwrap();
    assert_eq!(names, ["work/alice/1", "work/alice/10"], "{told}");

    two.put("work/alice/1", b"newer".to_vec()).await.unwrap();
    let newer = one.get("work/alice/1").await.unwrap();
    assert_eq!(newer.as_deref(), Some(&b"newer"[..]), "{told}");
    for _ in 0..2 {
        one.remove("work/alice/1").await.unwrap();
    }
    assert_eq!(two.get("work/alice/1").await, Ok(None), "{told}");
    assert!(one.put("two words", Vec::new()).await.is_err(), "{told}");
}

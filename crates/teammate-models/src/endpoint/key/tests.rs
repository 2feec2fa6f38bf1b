use tokio::sync::Semaphore;

use super::*;

/// Gives one answer after the other, each when it is let.
#[derive(Debug)]
struct Answers {
    given: Mutex<Vec<Result<&'static str, &'static str>>>,
    asked: AtomicU64,
    may: Semaphore,
}

impl KeySource for Answers {
    fn obtain(&self) -> BoxFuture<'_, Result<SecretString, String>> {
        Box::pin(async {
            self.asked.fetch_add(1, Ordering::SeqCst);
            self.may.acquire().await.unwrap().forget();
            let mut given = self.given.lock().unwrap();
            given.remove(0).map(Into::into).map_err(str::to_owned)
        })
    }
}

type Given = Result<&'static str, &'static str>;

fn key(
    given: impl IntoIterator<Item = Given>,
    expires_after: Option<Duration>,
) -> (Arc<Answers>, Arc<RenewableKey>) {
    let answers = Arc::new(Answers {
        given: Mutex::new(given.into_iter().collect()),
        asked: AtomicU64::new(0),
        may: Semaphore::new(Semaphore::MAX_PERMITS),
    });
    let key = Arc::new(RenewableKey::new(answers.clone(), expires_after));
    (answers, key)
}

fn text(lent: &LentKey) -> &str {
    lent.key.expose_secret()
}

#[tokio::test]
async fn a_key_is_obtained_when_it_is_needed_and_kept() {
    let (answers, key) = key([Ok("one")], None);
    assert_eq!(answers.asked.load(Ordering::SeqCst), 0);
    for _ in 0..3 {
        assert_eq!(text(&key.lend().await.unwrap()), "one");
    }
    assert_eq!(answers.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn however_many_ask_at_once_the_source_is_asked_once() {
    let (answers, key) = key([Ok("one"), Ok("two")], None);
    answers.may.forget_permits(Semaphore::MAX_PERMITS);
    let lending: Vec<_> = (0..5)
        .map(|_| {
            let key = key.clone();
            tokio::spawn(async move { key.lend().await })
        })
        .collect();
    tokio::task::yield_now().await;
    // More than are needed: who asked twice would find no answer.
    answers.may.add_permits(5);
    for lent in lending {
        assert_eq!(text(&lent.await.unwrap().unwrap()), "one");
    }
    let refused = key.lend().await.unwrap();
    let renewing: Vec<_> = (0..5)
        .map(|_| {
            let (key, refused) = (key.clone(), refused.clone());
            tokio::spawn(async move { key.renew(&refused).await })
        })
        .collect();
    for renewed in renewing {
        assert_eq!(text(&renewed.await.unwrap().unwrap().unwrap()), "two");
    }
    // One that was refused the first key later takes the second, too.
    let late = key.renew(&refused).await.unwrap().unwrap();
    assert_eq!(text(&late), "two");
    assert_eq!(answers.asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn the_same_key_again_is_none_for_all_that_were_refused_it() {
    let (answers, key) = key([Ok("one"), Ok("one"), Ok("two")], None);
    let refused = key.lend().await.unwrap();
    assert!(key.renew(&refused).await.unwrap().is_none());
    assert!(key.renew(&refused).await.unwrap().is_none());
    assert_eq!(answers.asked.load(Ordering::SeqCst), 2);
    // The next request asks with what is there now, and so may ask anew.
    let again = key.lend().await.unwrap();
    assert_eq!(text(&key.renew(&again).await.unwrap().unwrap()), "two");
}

#[tokio::test]
async fn a_failure_is_that_of_all_who_wait_and_of_nobody_later() {
    let (answers, key) = key([Err("is locked"), Ok("one")], None);
    answers.may.forget_permits(Semaphore::MAX_PERMITS);
    let lending: Vec<_> = (0..3)
        .map(|_| {
            let key = key.clone();
            tokio::spawn(async move { key.lend().await })
        })
        .collect();
    tokio::task::yield_now().await;
    answers.may.add_permits(2);
    for lent in lending {
        assert_eq!(lent.await.unwrap().unwrap_err(), "is locked");
    }
    assert_eq!(text(&key.lend().await.unwrap()), "one");
}

#[tokio::test]
async fn one_who_is_interrupted_does_not_take_the_key_from_the_others() {
    let (answers, key) = key([Ok("one")], None);
    answers.may.forget_permits(Semaphore::MAX_PERMITS);
    let first = {
        let key = key.clone();
        tokio::spawn(async move { key.lend().await })
    };
    while answers.asked.load(Ordering::SeqCst) == 0 {
        tokio::task::yield_now().await;
    }
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    answers.may.add_permits(1);
    assert_eq!(text(&key.lend().await.unwrap()), "one");
    assert_eq!(answers.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test(start_paused = true)]
async fn a_key_that_has_expired_is_asked_for_anew() {
    let minute = Duration::from_secs(60);
    let (answers, key) = key([Ok("one"), Ok("two")], Some(minute));
    assert_eq!(text(&key.lend().await.unwrap()), "one");
    tokio::time::advance(minute - Duration::from_millis(1)).await;
    assert_eq!(text(&key.lend().await.unwrap()), "one");
    tokio::time::advance(Duration::from_millis(1)).await;
    assert_eq!(text(&key.lend().await.unwrap()), "two");
    assert_eq!(answers.asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn every_key_there_was_is_hidden() {
    let (_, key) = key([Ok("token-old"), Ok("token-new")], None);
    let secrets = Arc::new(Secrets::default());
    key.hide_in(secrets.clone(), "work/key_command".to_owned());
    let old = key.lend().await.unwrap();
    key.renew(&old).await.unwrap().unwrap();
    let quoted = "no token-old, no token-new";
    assert_eq!(key.hidden_in(quoted), "no [key], no [key]");
    assert_eq!(
        secrets.redact(quoted),
        "no [secret work/key_command], no [secret work/key_command]"
    );
    assert!(!format!("{key:?}").contains("token-"), "{key:?}");
}

//! Rest, and waiting for it.

use super::*;

async fn is_at_rest(activity: &Activity) -> bool {
    tokio::select! { biased; () = activity.wait_idle(|| true) => true, () = std::future::ready(()) => false }
}

fn mail(text: &str) -> MessageId {
    MessageId::parse(text).unwrap()
}

#[tokio::test]
async fn mail_under_way_is_not_rest() {
    let (alice, lead) = (MemberName::teammate("alice").unwrap(), MemberName::lead());
    let activity = Activity::new();
    activity.set_busy(&alice, true);
    activity.set_busy(&lead, false);
    assert!(!is_at_rest(&activity).await);
    activity.mail_sending(&lead, &mail("m"), false);
    activity.set_busy(&alice, false);
    assert!(!is_at_rest(&activity).await, "on its way");
    activity.mail_sent(&lead, &mail("m"), true);
    assert!(!is_at_rest(&activity).await, "the lead has not taken it");
    activity.mail_taken(&lead, [&mail("m")]);
    assert!(is_at_rest(&activity).await);
}

#[tokio::test]
async fn mail_that_is_taken_before_its_sender_says_so_does_not_count_for_ever() {
    let lead = MemberName::lead();
    let activity = Activity::new();
    activity.set_busy(&lead, false);
    activity.mail_sending(&lead, &mail("m"), true);
    activity.mail_taken(&lead, [&mail("m")]);
    activity.mail_sent(&lead, &mail("m"), true);
    assert!(is_at_rest(&activity).await);
    activity.mail_sending(&lead, &mail("n"), true);
    activity.mail_sent(&lead, &mail("n"), false);
    assert!(is_at_rest(&activity).await, "it could not be sent");
}

#[tokio::test]
async fn mail_under_way_counts_for_a_member_that_begins_or_ends_meanwhile() {
    let (alice, lead) = (MemberName::teammate("alice").unwrap(), MemberName::lead());
    let activity = Arc::new(Activity::new());
    activity.set_busy(&lead, false);
    activity.mail_sending(&alice, &mail("m"), true);
    let here = activity.enter(&alice);
    activity.set_busy(&alice, false);
    assert!(!is_at_rest(&activity).await, "she looked too early for it");
    activity.mail_sent(&alice, &mail("m"), true);
    assert!(!is_at_rest(&activity).await, "she has not taken it");
    activity.mail_taken(&alice, [&mail("m")]);
    assert!(is_at_rest(&activity).await);

    activity.mail_sending(&alice, &mail("n"), true);
    drop(here);
    assert!(is_at_rest(&activity).await, "nobody would take it");
    let here = activity.enter(&alice);
    activity.set_busy(&alice, false);
    assert!(!is_at_rest(&activity).await, "it is still on its way");
    activity.mail_sent(&alice, &mail("n"), false);
    assert!(is_at_rest(&activity).await, "it could not be sent");
    drop(here);
}

#[tokio::test]
async fn results_wait_for_more_only_while_others_work_and_nothing_else_is_there() {
    let (alice, lead) = (MemberName::teammate("alice").unwrap(), MemberName::lead());
    let activity = Activity::new();
    activity.set_busy(&alice, true);
    activity.set_busy(&lead, false);
    let wait = || activity.has_only_results_while_others_work(&lead, || false);
    assert!(!wait(), "mail of another program is not known here");
    activity.mail_sending(&lead, &mail("result"), false);
    activity.mail_sent(&lead, &mail("result"), true);
    assert!(wait());
    activity.mail_sending(&lead, &mail("question"), true);
    assert!(!wait());
    activity.mail_taken(&lead, [&mail("question")]);
    assert!(wait());
    activity.set_busy(&alice, false);
    assert!(!wait(), "nobody works");
}

#[tokio::test]
async fn a_wait_ends_by_rest_or_by_pressing_mail() {
    let (alice, lead) = (MemberName::teammate("alice").unwrap(), MemberName::lead());
    let activity = Activity::new();
    activity.set_busy(&alice, true);
    activity.set_busy(&lead, true);
    let ended = || async {
        tokio::select! { biased; _ = activity.wait_others_idle(&lead, || true) => true, () = std::future::ready(()) => false }
    };
    activity.mail_sending(&lead, &mail("result"), false);
    activity.mail_sent(&lead, &mail("result"), true);
    assert!(!ended().await, "a result alone does not end the wait");
    activity.mail_sending(&lead, &mail("question"), true);
    assert!(!ended().await, "not there yet");
    activity.mail_sent(&lead, &mail("question"), true);
    assert!(ended().await);
    activity.mail_taken(&lead, [&mail("question"), &mail("result")]);
    assert!(!ended().await);
    activity.set_busy(&alice, false);
    assert!(ended().await);
}

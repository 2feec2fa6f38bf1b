//! Each step on the way to a command is made to fail: nothing runs without the wall, and the failure names it.

use std::collections::BTreeMap;

use seccompiler::{BpfProgram, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompRule};
use teammate_sandbox::Level;

use crate::{
    levels::{filter, helper_behind},
    place::Place,
};

/// A call that fails, in general or where an argument compares like this with a value.
type Call = (i64, Option<Only>);
type Only = (u8, SeccompCmpOp, u64);

fn failing((call, only): Call) -> BpfProgram {
    let rules = only.map(|(argument, operator, value)| {
        let width = SeccompCmpArgLen::Dword;
        let is_it = SeccompCondition::new(argument, width, operator, value).unwrap();
        SeccompRule::new(vec![is_it]).unwrap()
    });
    let rules = BTreeMap::from([(call, rules.into_iter().collect())]);
    filter(rules, libc::EIO)
}

/// The third argument of `mount` in each of its uses.
fn mounting(flags: u64) -> Option<Only> {
    Some((3, SeccompCmpOp::Eq, flags))
}

fn control(option: i32) -> Option<Only> {
    Some((0, SeccompCmpOp::Eq, u64::from(option.cast_unsigned())))
}

#[test]
fn without_a_wall_of_the_view_there_is_no_full_level() {
    for (call, step) in [
        (
            (libc::SYS_mount, mounting(libc::MS_PRIVATE | libc::MS_REC)),
            "separate the mounts",
        ),
        ((libc::SYS_openat2, None), "take /dev/null"),
        ((libc::SYS_open_tree, None), "take /dev/null"),
        (
            (libc::SYS_mount_setattr, None),
            "make the file system read-only",
        ),
        ((libc::SYS_fsopen, None), "make private /run"),
        ((libc::SYS_fsconfig, None), "make private /run"),
        ((libc::SYS_fsmount, None), "make private /run"),
        ((libc::SYS_move_mount, None), "make private /run"),
        ((libc::SYS_landlock_add_rule, None), "make Landlock rules"),
    ] {
        let helper = helper_behind(vec![failing(call)]).unwrap();
        assert!(helper.level() < Level::Full, "{step}");
        let because = helper.because().unwrap().to_string();
        assert!(because.starts_with(step), "{step}: {because}");
    }
}

#[test]
fn a_helper_that_cannot_be_closed_does_not_start() {
    let closing = (libc::SYS_prctl, control(libc::PR_SET_DUMPABLE));
    let failure = helper_behind(vec![failing(closing)])
        .map(|_| ())
        .unwrap_err();
    assert!(
        failure.to_string().starts_with("close the helper"),
        "{failure}"
    );
}

#[tokio::test]
async fn without_a_wall_of_its_own_a_command_does_not_run() {
    let plain = libc::MS_NOSUID | libc::MS_NODEV | libc::MS_NOEXEC;
    let read_only = libc::MS_REMOUNT | libc::MS_BIND | libc::MS_RDONLY;
    for (call, step) in [
        ((libc::SYS_mount, mounting(plain)), "mount /proc"),
        (
            (libc::SYS_mount, mounting(plain | read_only)),
            "make /proc read-only",
        ),
        (
            (libc::SYS_mount, mounting(libc::MS_NOSUID | libc::MS_NOEXEC)),
            "mount /dev/pts",
        ),
        (
            (libc::SYS_mount, mounting(libc::MS_NOSUID | libc::MS_NODEV)),
            "mount /dev/shm",
        ),
        ((libc::SYS_setsid, None), "begin a session"),
        ((libc::SYS_close_range, None), "close descriptors"),
        ((libc::SYS_fchdir, None), "begin in"),
        (
            (libc::SYS_prlimit64, Some((2, SeccompCmpOp::Ne, 0))),
            "limit what it may use",
        ),
        (
            (libc::SYS_prctl, control(libc::PR_SET_NO_NEW_PRIVS)),
            "give up new privileges",
        ),
        (
            (libc::SYS_prctl, control(libc::PR_CAPBSET_DROP)),
            "give up capabilities",
        ),
        (
            (libc::SYS_prctl, control(libc::PR_CAP_AMBIENT)),
            "give up capabilities",
        ),
        ((libc::SYS_capset, None), "give up capabilities"),
        (
            (libc::SYS_landlock_restrict_self, None),
            "put on Landlock rules",
        ),
        ((libc::SYS_seccomp, None), "filter system calls"),
    ] {
        let place = Place::with(helper_behind(vec![failing(call)]).unwrap());
        assert_eq!(place.helper.level(), Level::Full, "{step}");
        let order = place.order("echo ran > ran");
        let said = place.try_run(&order, None).await;
        let failure = said.expect_err(step);
        assert!(failure.to_string().starts_with(step), "{step}: {failure}");
        assert!(!place.project.join("ran").exists(), "{step}");
    }
}

#[tokio::test]
async fn without_its_network_a_command_does_not_run() {
    let place = Place::with(helper_behind(vec![failing((libc::SYS_setns, None))]).unwrap());
    let networks = std::sync::Arc::new(place.helper.networks().unwrap());
    let network = networks.take(crate::network::nobody()).unwrap();
    let order = place.order("echo ran > ran");
    let failure = place.try_run(&order, Some(network)).await.unwrap_err();
    assert!(
        failure.to_string().starts_with("enter the network"),
        "{failure}"
    );
    assert!(!place.project.join("ran").exists());
}

//! A program under a filter that refuses namespaces, as most containers do.

use std::{collections::BTreeMap, env, io, os::unix::process::CommandExt as _, process::Command};

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};

/// Calls with a flag of a namespace, and where the flags are.
const FLAGGED: [(i64, u8); 2] = [(libc::SYS_unshare, 0), (libc::SYS_clone, 0)];
const FLAGS: [i32; 6] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
];

/// Becomes the program. Returns only if that does not work.
pub(in super::super) fn run(words: &[&str]) -> Result<(), String> {
    let refuse = || -> Result<(), seccompiler::Error> {
        apply_filter(&unknown()?)?;
        apply_filter(&flags()?)
    };
    refuse().map_err(|error| error.to_string())?;
    let (program, arguments) = words.split_first().ok_or("which program?")?;
    let error: io::Error = Command::new(program).args(arguments).exec();
    Err(error.to_string())
}

/// There is no `clone3`, whose flags a filter does not see.
fn unknown() -> Result<BpfProgram, seccompiler::Error> {
    filter(
        BTreeMap::from([(libc::SYS_clone3, Vec::new())]),
        libc::ENOSYS,
    )
}

fn flags() -> Result<BpfProgram, seccompiler::Error> {
    let mut rules = BTreeMap::new();
    for (call, argument) in FLAGGED {
        let mut of_call = Vec::new();
        for flag in FLAGS {
            let flag = u64::from(flag.cast_unsigned());
            let masked = SeccompCmpOp::MaskedEq(flag);
            let condition = SeccompCondition::new(argument, SeccompCmpArgLen::Dword, masked, flag)?;
            of_call.push(SeccompRule::new(vec![condition])?);
        }
        rules.insert(call, of_call);
    }
    filter(rules, libc::EPERM)
}

fn filter(
    rules: BTreeMap<i64, Vec<SeccompRule>>,
    errno: i32,
) -> Result<BpfProgram, seccompiler::Error> {
    let refusal = SeccompAction::Errno(errno.cast_unsigned());
    let machine = env::consts::ARCH.try_into()?;
    Ok(SeccompFilter::new(rules, SeccompAction::Allow, refusal, machine)?.try_into()?)
}

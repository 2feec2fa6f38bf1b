//! System calls that no build needs and that reach for the kernel: refused. A list of what is refused and not of what is
//! allowed, which would break with every new C library.
//!
//! Two programs, since one has one answer. "No such call" for `clone3`, whose flags cannot be seen, and `io_uring`: libraries
//! fall back. "Not permitted" for the rest.

use std::{collections::BTreeMap, convert::TryInto as _};

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

use crate::failure::Failure;

/// Calls that programs do without when there is no such call.
const ABSENT: &[libc::c_long] = &[
    libc::SYS_clone3,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
];

/// Calls for the administration of a machine, or of other programs.
const REFUSED: &[libc::c_long] = &[
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_setns,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    // Files by other ways than their names, and watching other programs' files.
    libc::SYS_open_by_handle_at,
    libc::SYS_name_to_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_fanotify_mark,
    // Other processes' descriptors and memory.
    libc::SYS_pidfd_getfd,
    libc::SYS_userfaultfd,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    // Keys.
    libc::SYS_keyctl,
    libc::SYS_add_key,
    libc::SYS_request_key,
    // The kernel itself.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_reboot,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_lookup_dcookie,
    libc::SYS_nfsservctl,
    libc::SYS_vhangup,
    // The machine's time and name.
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
];

/// Ports and the like, on this kind of machine only.
#[cfg(target_arch = "x86_64")]
const REFUSED_HERE: &[libc::c_long] = &[
    libc::SYS_iopl,
    libc::SYS_ioperm,
    libc::SYS_modify_ldt,
    libc::SYS_uselib,
    libc::SYS__sysctl,
];
#[cfg(not(target_arch = "x86_64"))]
const REFUSED_HERE: &[libc::c_long] = &[];

/// Each of these flags makes or enters a namespace.
const NAMESPACES: libc::c_int = libc::CLONE_NEWUSER
    | libc::CLONE_NEWNS
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWCGROUP
    | NEW_TIME;
const NEW_TIME: libc::c_int = 0x80;

/// Typing into somebody's terminal, and changing what a terminal is.
const TERMINAL_REQUESTS: [u64; 3] = [libc::TIOCSTI, 0x541C, libc::TIOCSETD];
/// The kinds of sockets that programs may make: for other programs of the command, and for the network.
const SOCKETS: [libc::c_int; 4] = [
    libc::AF_UNIX,
    libc::AF_INET,
    libc::AF_INET6,
    libc::AF_NETLINK,
];

/// The filters, made once and put on by each command.
pub(super) struct Filters([BpfProgram; 3]);

impl Filters {
    pub(super) fn new() -> Result<Self, Failure> {
        let refused = REFUSED.iter().chain(REFUSED_HERE);
        let mut refused: BTreeMap<_, _> = refused.map(|call| (*call, Vec::new())).collect();
        refused.extend(conditional()?);
        let absent = ABSENT.iter().map(|call| (*call, Vec::new())).collect();
        // Last in order of the numbers, first in force: what another architecture's call is called is unknown here.
        Ok(Self([
            program(sockets()?, libc::EAFNOSUPPORT)?,
            program(absent, libc::ENOSYS)?,
            program(refused, libc::EPERM)?,
        ]))
    }

    /// Puts the calling thread under all of them. It must have given up new privileges before.
    pub(super) fn apply(&self) -> Result<(), Failure> {
        for program in &self.0 {
            apply_filter(program).map_err(|error| failure(&error))?;
        }
        Ok(())
    }
}

type CallRules = BTreeMap<libc::c_long, Vec<SeccompRule>>;

/// Calls of which some are refused: by their flags, or by what is asked of a terminal.
fn conditional() -> Result<CallRules, Failure> {
    let flags = |call, argument| -> Result<_, Failure> {
        let mut rules = Vec::new();
        for bit in 0..32 {
            let flag = u64::from(NAMESPACES.cast_unsigned() & (1 << bit));
            if flag != 0 {
                rules.push(rule(argument, SeccompCmpOp::MaskedEq(flag), flag)?);
            }
        }
        Ok((call, rules))
    };
    let mut rules = CallRules::from([flags(libc::SYS_clone, 0)?, flags(libc::SYS_unshare, 0)?]);
    let terminal = TERMINAL_REQUESTS
        .iter()
        .map(|request| rule(1, SeccompCmpOp::Eq, *request))
        .collect::<Result<_, _>>()?;
    rules.insert(libc::SYS_ioctl, terminal);
    Ok(rules)
}

/// A socket of a kind that is none of those which programs may make.
fn sockets() -> Result<CallRules, Failure> {
    let others = || {
        let conditions = SOCKETS
            .iter()
            .map(|kind| condition(0, SeccompCmpOp::Ne, u64::from(kind.cast_unsigned())))
            .collect::<Result<_, _>>()?;
        SeccompRule::new(conditions).map_err(|error| failure(&error))
    };
    Ok(CallRules::from([
        (libc::SYS_socket, vec![others()?]),
        (libc::SYS_socketpair, vec![others()?]),
    ]))
}

fn rule(argument: u8, operator: SeccompCmpOp, value: u64) -> Result<SeccompRule, Failure> {
    SeccompRule::new(vec![condition(argument, operator, value)?]).map_err(|error| failure(&error))
}

/// The kernel takes 32 bits of each of these arguments.
fn condition(
    argument: u8,
    operator: SeccompCmpOp,
    value: u64,
) -> Result<SeccompCondition, Failure> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value)
        .map_err(|error| failure(&error))
}

fn program(rules: CallRules, errno: libc::c_int) -> Result<BpfProgram, Failure> {
    let arch: TargetArch = std::env::consts::ARCH
        .try_into()
        .map_err(|error| failure(&error))?;
    let refusal = SeccompAction::Errno(errno.cast_unsigned());
    SeccompFilter::new(rules, SeccompAction::Allow, refusal, arch)
        .and_then(TryInto::try_into)
        .map_err(|error| failure(&error))
}

fn failure(error: &impl ToString) -> Failure {
    Failure::new("filter system calls", error.to_string())
}

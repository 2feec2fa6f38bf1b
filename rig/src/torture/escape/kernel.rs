//! Calls of the kernel that no build needs. Each has arguments that do no harm: it is enough that the kernel looks at them.

use super::attempt::{Attempt, exits};

pub(super) const ATTEMPTS: &[Attempt] = &[
    exits("call mount", "$PROBE mount"),
    exits("call umount2", "$PROBE umount2"),
    exits("call pivot_root", "$PROBE pivot_root").by_root(),
    exits("call chroot", "$PROBE chroot"),
    exits("call open_tree", "$PROBE open_tree"),
    exits("call move_mount", "$PROBE move_mount").by_root(),
    exits("call fsopen", "$PROBE fsopen").by_root(),
    exits("call fsconfig", "$PROBE fsconfig"),
    exits("call fsmount", "$PROBE fsmount").by_root(),
    exits("call fspick", "$PROBE fspick").by_root(),
    exits("call mount_setattr", "$PROBE mount_setattr").by_root(),
    exits("call setns", "$PROBE setns"),
    exits("call unshare", "$PROBE unshare"),
    exits("call clone for a user namespace", "$PROBE clone_user"),
    exits("call clone3", "$PROBE clone3"),
    exits("call swapon", "$PROBE swapon").by_root(),
    exits("call swapoff", "$PROBE swapoff").by_root(),
    exits("call quotactl", "$PROBE quotactl"),
    exits("call open_by_handle_at", "$PROBE open_by_handle_at").by_root(),
    exits("call name_to_handle_at", "$PROBE name_to_handle_at"),
    exits("call fanotify_init", "$PROBE fanotify_init").by_root(),
    exits("call fanotify_mark", "$PROBE fanotify_mark"),
    exits("call pidfd_getfd", "$PROBE pidfd_getfd"),
    exits("call userfaultfd", "$PROBE userfaultfd"),
    exits("call move_pages", "$PROBE move_pages"),
    exits("call migrate_pages", "$PROBE migrate_pages"),
    exits("call keyctl", "$PROBE keyctl"),
    exits("call add_key", "$PROBE add_key"),
    exits("call request_key", "$PROBE request_key"),
    exits("call bpf", "$PROBE bpf").by_root(),
    exits("call perf_event_open", "$PROBE perf_event_open"),
    exits("call io_uring_setup", "$PROBE io_uring_setup"),
    exits("call io_uring_enter", "$PROBE io_uring_enter"),
    exits("call io_uring_register", "$PROBE io_uring_register"),
    exits("call init_module", "$PROBE init_module")
        .may_be_void("many kernels are built without it")
        .by_root(),
    exits("call finit_module", "$PROBE finit_module")
        .may_be_void("many kernels are built without it")
        .by_root(),
    exits("call delete_module", "$PROBE delete_module")
        .may_be_void("many kernels are built without it")
        .by_root(),
    exits("call kexec_load", "$PROBE kexec_load")
        .may_be_void("many kernels are built without it")
        .by_root(),
    exits("call reboot", "$PROBE reboot").by_root(),
    exits("call syslog", "$PROBE syslog").by_root(),
    exits("call acct", "$PROBE acct").by_root(),
    exits("call settimeofday", "$PROBE settimeofday").by_root(),
    exits("call clock_settime", "$PROBE clock_settime"),
    exits("call adjtimex", "$PROBE adjtimex"),
    exits("call clock_adjtime", "$PROBE clock_adjtime"),
    exits("call sethostname", "$PROBE sethostname").by_root(),
    exits("call setdomainname", "$PROBE setdomainname").by_root(),
    exits("call iopl", "$PROBE iopl")
        .may_be_void("many kernels are built without it")
        .by_root(),
    exits("call ioperm", "$PROBE ioperm")
        .may_be_void("many kernels are built without it")
        .by_root(),
    exits("call modify_ldt", "$PROBE modify_ldt"),
    exits("make a packet socket", "$PROBE socket 17 3").by_root(),
    exits("make a raw socket", "$PROBE socket 2 3 1").by_root(),
    exits("make a socket to the hypervisor", "$PROBE socket 40 1"),
    exits(
        "make a socket to the kernel's ciphers",
        "$PROBE socket 38 5",
    )
    .may_be_void("many kernels are built without it"),
    exits("make a socket for keys", "$PROBE socket 15 3 2")
        .may_be_void("many kernels are built without it")
        .by_root(),
    exits("call as a program of 32 bits", "$PROBE int80"),
];

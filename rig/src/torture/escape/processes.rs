//! Other processes: seen, read, signalled, changed, outlived.

use super::attempt::{Attempt, exits, hurts, prints, survives, weighs};

pub(super) const ATTEMPTS: &[Attempt] = &[
    hurts("kill another process", "kill -9 $BYSTANDER"),
    hurts("stop another process", "kill -STOP $BYSTANDER"),
    hurts("kill by name", "pkill -9 -f bystander-of-$PORT"),
    hurts("kill by a descriptor", "$PROBE pidfd-kill $BYSTANDER"),
    hurts("kill by tracing", "$PROBE trace-kill $BYSTANDER"),
    hurts(
        "starve by limits",
        "prlimit --pid $BYSTANDER --cpu=1:1; sleep 0.1; prlimit --pid $BYSTANDER --cpu | grep -q '1  *1 ' && kill -9 $BYSTANDER",
    ),
    weighs("change another's niceness", "renice -n 19 -p $BYSTANDER").open_at_landlock(),
    weighs("change another's processors", "taskset -p 1 $BYSTANDER").open_at_landlock(),
    weighs("change another's scheduling", "chrt -b -p 0 $BYSTANDER").open_at_landlock(),
    weighs(
        "change another's limits",
        "prlimit --pid $BYSTANDER --nofile=8:8",
    )
    .open_at_landlock(),
    weighs(
        "have another killed first",
        "echo 900 > /proc/$BYSTANDER/oom_score_adj",
    ),
    exits("signal the host", "kill -0 $HOST"),
    exits(
        "see the host",
        "test -d /proc/$HOST && tr '\\0' ' ' < /proc/$HOST/cmdline | grep -q teammate",
    )
    .open_at_landlock(),
    exits(
        "see other processes",
        "test $(ls -d /proc/[0-9]* | wc -l) -gt 12",
    )
    .open_at_landlock(),
    prints(
        "read another's environment",
        "tr '\\0' '\\n' < /proc/$BYSTANDER/environ",
    ),
    prints(
        "read the host's environment",
        "tr '\\0' '\\n' < /proc/$HOST/environ",
    ),
    prints(
        "read all environments",
        "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'",
    ),
    prints(
        "read another's arguments",
        "tr '\\0' '\\n' < /proc/$BYSTANDER/cmdline",
    )
    .open_at_landlock(),
    prints("list processes", "ps axwwf -o args").open_at_landlock(),
    prints(
        "read another's memory by /proc",
        "$PROBE proc-mem $BYSTANDER",
    ),
    prints(
        "read another's memory by a call",
        "$PROBE vm-read $BYSTANDER",
    ),
    prints(
        "read another's memory by tracing",
        "$PROBE trace-read $BYSTANDER",
    ),
    exits("trace the host", "$PROBE trace $HOST"),
    exits(
        "read the host's memory",
        "head -c 0 /proc/$HOST/mem && $PROBE open-mem $HOST",
    ),
    exits("read the host's descriptors", "ls /proc/$HOST/fd/0"),
    exits("take the host's descriptor", "$PROBE pidfd-take $HOST"),
    exits(
        "read where the host is in its code",
        "cat /proc/$HOST/syscall",
    ),
    exits("read the host's memory map", "grep -q . /proc/$HOST/maps"),
    exits(
        "enter another's namespaces",
        "nsenter -t $BYSTANDER -m -p true",
    )
    .by_root(),
    survives(
        "outlive the program in a session of its own",
        "(setsid bash -c \"trap '' TERM HUP INT; while :; do sleep 1; done\" $MARK &); l=; p=$PPID; while [ $p -gt 1 ] && [ $p -ne $HOST ]; do l=\"$p $l\"; p=$(awk '/PPid/ {print $2}' /proc/$p/status); done; kill -9 $l",
    ).may_be_void("the program ends what its commands leave behind, as far as it finds it"),
    survives(
        "outlive the program without a mark in its environment",
        "(setsid env -i PATH=$PATH bash -c \"trap '' TERM HUP INT; while :; do sleep 1; done\" $MARK &); l=; p=$PPID; while [ $p -gt 1 ] && [ $p -ne $HOST ]; do l=\"$p $l\"; p=$(awk '/PPid/ {print $2}' /proc/$p/status); done; kill -9 $l",
    ),
];

//! Sockets, pipes, shared memory and queues of other programs.

use super::attempt::{Attempt, exits, prints, tells};

pub(super) const ATTEMPTS: &[Attempt] = &[
    prints(
        "connect to an abstract socket",
        "$PROBE connect @$LIVE/abstract",
    ),
    prints(
        "connect to a socket below /tmp",
        "$PROBE connect $TMP_LIVE/socket",
    )
    .open_at_landlock(),
    prints(
        "connect to a socket in the home directory's top",
        "$PROBE connect $HOME/agent.sock",
    )
    .open_at_landlock(),
    prints(
        "connect to a socket in a visible directory",
        "$PROBE connect $LIVE/socket",
    )
    .open_at_landlock(),
    prints(
        "connect to a socket in a hidden directory",
        "$PROBE connect $HOME/.ssh/agent",
    )
    .open_at_landlock(),
    prints(
        "connect through the host's root",
        "$PROBE connect /proc/$HOST/root$TMP_LIVE/socket",
    ),
    prints("read shared memory of System V", "$PROBE shm-read $SHM").open_at_landlock(),
    prints("read shared memory by its name", "cat /dev/shm/$SHM_NAME").open_at_landlock(),
    prints(
        "take a message from a queue of System V",
        "$PROBE msg-read $SHM",
    )
    .open_at_landlock(),
    exits("remove shared memory of System V", "ipcrm -M $SHM").open_at_landlock(),
    exits("change a semaphore of System V", "$PROBE sem-up $SHM").open_at_landlock(),
    tells(
        "write into a pipe outside",
        "timeout 2 sh -c 'echo $WORD > $LIVE/pipe'",
    ),
    tells(
        "write into a pipe below /tmp",
        "timeout 2 sh -c 'echo $WORD > $TMP_LIVE/pipe'",
    ),
    prints("read the machine's /tmp", "cat $TMP_LIVE/note").open_at_landlock(),
    tells(
        "write into the machine's /tmp",
        "echo $WORD > $TMP_LIVE/told",
    ),
];

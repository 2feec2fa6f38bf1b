//! The terminal that the program was started from.

use super::attempt::{Attempt, exits, types};

pub(super) const ATTEMPTS: &[Attempt] = &[
    types("print on the program's terminal", "echo $WORD > $TERMINAL"),
    types(
        "print on the host's output",
        "echo $WORD > /proc/$HOST/fd/1",
    ),
    types(
        "print on every terminal",
        "for t in /dev/pts/[0-9]* /dev/tty /dev/console; do echo $WORD > $t; done 2>/dev/null",
    ),
    types("type into the program's terminal", "$PROBE type $TERMINAL").by_root(),
    types(
        "type into the controlling terminal after taking it",
        "setsid -w $PROBE take-type $TERMINAL",
    )
    .by_root(),
    exits("open the program's terminal", "exec 3<$TERMINAL").open_at_landlock(),
    exits("call TIOCSTI", "$PROBE ioctl 0x5412"),
    exits("call TIOCLINUX", "$PROBE ioctl 0x541C"),
    exits("call TIOCSETD", "$PROBE ioctl 0x5423"),
    exits("change how the terminal works", "stty -F $TERMINAL -echo"),
    exits(
        "see the machine's terminals",
        "test -e $TERMINAL && test $(ls /dev/pts | wc -l) -gt 1",
    )
    .open_at_landlock(),
];

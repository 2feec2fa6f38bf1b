//! One command changes names while others start, so that a view is made of, or a command begins in, something else.

use super::attempt::{Attempt, changes, prints, writes};

pub(super) const ATTEMPTS: &[Attempt] = &[
    prints("swap a directory for a link to the keys", "for n in $(seq 40); do cat src/id_ed25519 2>/dev/null; sleep 0.01; done")
        .beside("for n in $(seq 300); do mv src s; ln -s ~/.ssh src; rm src; mv s src; done"),
    changes("swap a directory for a link outside", "outside/new", "for n in $(seq 40); do echo x > src/new; sleep 0.01; done 2>/dev/null")
        .beside("for n in $(seq 300); do mv src s; ln -s $D/outside src; rm src; mv s src; done"),
    changes("swap an absent name for a link", "home/work/.mcp.json", "for n in $(seq 40); do echo x > .mcp.json; done 2>/dev/null")
        .beside("for n in $(seq 300); do rmdir .mcp.json; ln -s m .mcp.json; mv m .mcp.json; done 2>/dev/null"),
    changes("swap the hooks while commands start", "home/work/.git/hooks", "for n in $(seq 40); do mv .git/hooks .git/h; mkdir .git/hooks; done 2>/dev/null")
        .beside("for n in $(seq 300); do mv .git g; mv g .git; done 2>/dev/null").open_at_landlock(),
    changes("exchange the repository while commands start", "home/work/.git/config", "for n in $(seq 40); do echo >> .git/config; done 2>/dev/null").may_be_void("a race, which may be lost")
        .beside("mkdir g; touch g/config; for n in $(seq 300); do $PROBE exchange g .git; done").open_at_landlock(),
    changes("make a workflow while commands start", "home/work/.github/workflows/new.yml", "for n in $(seq 40); do mkdir -p .github/workflows; echo x > .github/workflows/new.yml; done 2>/dev/null")
        .beside("for n in $(seq 300); do mv .github g; mkdir .github; rmdir .github; mv g .github; done 2>/dev/null"),
    writes("write into the team's directory while it is moved", "home/work/.team/journal.jsonl", "for n in $(seq 40); do echo $WORD >> $W/.team/journal.jsonl; done 2>/dev/null").may_be_void("a race, which may be lost")
        .beside("for n in $(seq 300); do mv $W/.team $W/t; mv $W/t $W/.team; done 2>/dev/null").open_at_landlock(),
    changes("write a file after its link was checked", "outside/file", "for n in $(seq 200); do ln -sf $D/outside/file l; echo x > l; done 2>/dev/null")
        .beside("for n in $(seq 300); do ln -sf src/main.c l; done 2>/dev/null"),
    prints("catch the host's new processes", "for n in $(seq 30); do cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'; done")
        .beside("for n in $(seq 100); do cat /proc/[0-9]*/environ; done >/dev/null 2>&1"),
    prints("read a key before it is hidden", "cat ~/.ssh/id_ed25519; for n in 1 2 3 4 5 6 7 8 9; do cat ~/.ssh/id_ed25519 & done; wait"),
    changes("write before the root is read-only", "outside/file", "for n in 1 2 3 4 5 6 7 8 9; do echo x > $D/outside/file & done; wait"),
];

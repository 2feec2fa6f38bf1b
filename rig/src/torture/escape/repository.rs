//! What decides what runs later in the workspace, and the team's own files.

use super::attempt::{Attempt, changes, exits, prints, writes};

pub(super) const ATTEMPTS: &[Attempt] = &[
    changes(
        "write git's configuration",
        "home/work/.git/config",
        "echo '[core]' >> .git/config",
    )
    .open_at_landlock(),
    changes(
        "set a program in git's configuration",
        "home/work/.git/config",
        "git config core.fsmonitor 'touch x'",
    )
    .open_at_landlock(),
    changes(
        "replace git's configuration",
        "home/work/.git/config",
        "cp .git/config c; mv -f c .git/config",
    )
    .open_at_landlock(),
    changes(
        "make a hook",
        "home/work/.git/hooks/pre-commit",
        "printf '#!/bin/sh\\n' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit",
    )
    .open_at_landlock(),
    changes(
        "replace the hooks' directory",
        "home/work/.git/hooks",
        "mv .git/hooks .git/h; mkdir .git/hooks",
    )
    .open_at_landlock(),
    changes(
        "remove the hooks' directory",
        "home/work/.git/hooks",
        "rm -rf .git/hooks",
    )
    .open_at_landlock(),
    changes(
        "replace the hooks' directory by a link",
        "home/work/.git/hooks",
        "mv .git/hooks .git/h; ln -s ../h .git/hooks",
    )
    .open_at_landlock(),
    changes(
        "write attributes",
        "home/work/.git/info/attributes",
        "echo '* filter=x' > .git/info/attributes",
    )
    .open_at_landlock(),
    changes(
        "replace the repository",
        "home/work/.git",
        "cp -r .git g; mv .git g2; mv g .git",
    )
    .open_at_landlock(),
    changes(
        "replace the repository by a link",
        "home/work/.git",
        "mv .git g2; ln -s g2 .git",
    )
    .open_at_landlock(),
    changes(
        "replace the repository by a file",
        "home/work/.git",
        "mv .git g2; echo 'gitdir: g2' > .git",
    )
    .open_at_landlock(),
    changes(
        "exchange the repository for another",
        "home/work/.git",
        "mkdir g; $PROBE exchange g .git",
    )
    .open_at_landlock(),
    changes(
        "have git take settings and hooks from another directory",
        "home/work/.git/commondir",
        "cp -r .git g; echo ../g > c; mv -f c .git/commondir",
    )
    .open_at_landlock(),
    changes(
        "write settings of the working tree",
        "home/work/.git/config.worktree",
        "rm -f .git/config.worktree; printf '[core]\\nfsmonitor = x\\n' > .git/config.worktree",
    )
    .open_at_landlock(),
    changes(
        "have another worktree take settings from another directory",
        "home/work/.git/worktrees/theirs/commondir",
        "echo ../../../g > .git/worktrees/theirs/commondir",
    )
    .open_at_landlock(),
    changes(
        "set a program in a repository below the workspace",
        "home/work/vendor/lib/.git/config",
        "printf '[core]\\nfsmonitor = x\\n' >> vendor/lib/.git/config",
    )
    .open_at_landlock(),
    changes(
        "replace a repository below the workspace",
        "home/work/vendor/lib/.git/config",
        "mv vendor v; mkdir -p vendor/lib/.git; echo x > vendor/lib/.git/config",
    )
    .open_at_landlock(),
    changes(
        "name submodules",
        "home/work/.gitmodules",
        "echo x > .gitmodules",
    ),
    changes(
        "write tasks for an editor",
        "home/work/.vscode/tasks.json",
        "mkdir -p .vscode; echo x > .vscode/tasks.json",
    )
    .open_at_landlock(),
    changes(
        "name servers for agents",
        "home/work/.mcp.json",
        "echo x > .mcp.json",
    ),
    changes(
        "move something to an absent name",
        "home/work/.mcp.json",
        "rmdir .mcp.json; echo x > m; mv -f m .mcp.json",
    )
    .open_at_landlock(),
    changes(
        "exchange something for an absent name",
        "home/work/.mcp.json",
        "echo x > m; $PROBE exchange m .mcp.json; test -f m && mv -T m .mcp.json",
    )
    .open_at_landlock(),
    changes(
        "write an agent's settings",
        "home/work/.claude/settings.json",
        "mkdir -p .claude; echo x > .claude/settings.json",
    )
    .open_at_landlock(),
    changes(
        "write the program's settings",
        "home/work/.teammate/agents/x.md",
        "mkdir -p .teammate/agents; echo x > .teammate/agents/x.md",
    )
    .open_at_landlock(),
    changes(
        "write what direnv runs",
        "home/work/.envrc",
        "echo x > .envrc",
    ),
    changes(
        "write hooks of husky",
        "home/work/.husky/pre-commit",
        "mkdir -p .husky; echo x > .husky/pre-commit",
    )
    .open_at_landlock(),
    changes(
        "change a workflow",
        "home/work/.github/workflows/ci.yml",
        "echo x >> .github/workflows/ci.yml",
    )
    .open_at_landlock(),
    changes(
        "add a workflow",
        "home/work/.github/workflows/new.yml",
        "echo x > .github/workflows/new.yml",
    )
    .open_at_landlock(),
    changes(
        "replace what holds the workflows",
        "home/work/.github",
        "mv .github g; mkdir -p .github/workflows",
    )
    .open_at_landlock(),
    changes(
        "write a workflow through a hard link",
        "home/work/.github/workflows/ci.yml",
        "ln .github/workflows/ci.yml l && echo x >> l",
    )
    .open_at_landlock(),
    writes(
        "forge the journal",
        "home/work/.team/journal.jsonl",
        "echo $WORD >> $W/.team/journal.jsonl",
    )
    .open_at_landlock(),
    writes(
        "forge mail",
        "home/work/.team/inbox/zed.jsonl",
        "mkdir -p $W/.team/inbox; echo $WORD >> $W/.team/inbox/zed.jsonl",
    )
    .open_at_landlock(),
    writes(
        "forge a transcript",
        "home/work/.team/agents/zed.jsonl",
        "echo $WORD >> $W/.team/agents/zed.jsonl",
    )
    .open_at_landlock(),
    changes(
        "move the team's directory",
        "home/work/.team-moved",
        "mv $W/.team $W/.team-moved",
    )
    .open_at_landlock(),
    exits("read the journal", "grep -q seal $W/.team/journal.jsonl").open_at_landlock(),
    exits(
        "read a transcript",
        "cat $W/.team/agents/*/* $W/.team/agents/*.jsonl | grep -q .",
    )
    .open_at_landlock(),
    exits("list the team's directory", "ls $W/.team | grep -q journal").open_at_landlock(),
    prints(
        "read a key through what the repository names as excluded",
        "git -c core.excludesFile=$HOME/.ssh/id_ed25519 config -l; git --no-pager diff --no-index /dev/null ~/.ssh/id_ed25519",
    ),
    changes(
        "have git write outside",
        "outside/new",
        "git archive -o $D/outside/new HEAD",
    ),
    changes(
        "have git clone outside",
        "outside/clone",
        "git clone -q $W $D/outside/clone",
    ),
    changes(
        "have a worktree stand outside",
        "outside/tree",
        "git worktree add -q $D/outside/tree",
    ),
];

//! What decides what runs later in the workspace, and the team's own files.

use super::attempt::{Attempt, changes, exits, leaves, prints, writes};

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
    leaves(
        "have git take settings and hooks from another directory",
        "home/work/.git/commondir",
        "cp -r .git g; echo ../g > c; mv -f c .git/commondir",
    ),
    leaves(
        "write settings of the working tree",
        "home/work/.git/config.worktree",
        "rm -f .git/config.worktree; printf '[core]\\nfsmonitor = x\\n' > .git/config.worktree",
    ),
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
    leaves(
        "set a program for a submodule",
        "home/work/.git/modules/sub/config",
        "git -C sub config core.fsmonitor x",
    ),
    leaves(
        "write a submodule's settings",
        "home/work/.git/modules/sub/config",
        "printf '[core]\\nfsmonitor = x\\n' >> .git/modules/sub/config",
    ),
    leaves(
        "replace a submodule's settings",
        "home/work/.git/modules/sub/config",
        "cp .git/modules/sub/config c; printf '[core]\\nfsmonitor = x\\n' >> c; mv -f c .git/modules/sub/config",
    ),
    leaves(
        "have a submodule's settings be a link",
        "home/work/.git/modules/sub/config",
        "cp .git/modules/sub/config c; git config -f c core.fsmonitor x; ln -sf ../../../c .git/modules/sub/config",
    ),
    leaves(
        "have a submodule's settings be a second name",
        "home/work/.git/modules/sub/config",
        "cp .git/modules/sub/config c; git config -f c core.fsmonitor x; ln -f c .git/modules/sub/config",
    ),
    leaves(
        "exchange a submodule's settings",
        "home/work/.git/modules/sub/config",
        "cp .git/modules/sub/config c; git config -f c core.fsmonitor x; $PROBE exchange c .git/modules/sub/config",
    ),
    leaves(
        "set a program after an update",
        "home/work/.git/modules/sub/config",
        "git submodule --quiet update; git -C sub config core.fsmonitor x",
    ),
    leaves(
        "set a program behind what looks harmless",
        "home/work/.git/modules/sub/config",
        "printf '\\tworktree = ../../../sub \\\\\\n[core] fsmonitor = x\\n' >> .git/modules/sub/config",
    ),
    leaves(
        "have a submodule fetch from somewhere else",
        "home/work/.git/modules/sub/config",
        "git -C sub config remote.origin.url ext::x",
    ),
    leaves(
        "have a submodule's tree be another directory",
        "home/work/.git/modules/sub/config",
        "git config -f .git/modules/sub/config core.worktree ../../../.github",
    ),
    leaves(
        "set a program for a submodule, and go on after the end",
        "home/work/.git/modules/sub/config",
        "(while :; do git -C sub config core.fsmonitor x; done) & sleep 0.3",
    ),
    leaves(
        "have a submodule take settings from another directory",
        "home/work/.git/modules/sub/commondir",
        "cp -r .git/modules/sub g; git config -f .git/modules/sub/config --unset core.worktree; echo ../../../g > .git/modules/sub/commondir",
    ),
    leaves(
        "make a repository of a submodule's with a program",
        "home/work/.git/modules/new/config",
        "cp -r .git/modules/sub .git/modules/new; git config -f .git/modules/new/config core.fsmonitor x",
    ),
    leaves(
        "make a repository of a submodule's with a hook",
        "home/work/.git/modules/new/hooks/pre-commit",
        "cp -r .git/modules/sub .git/modules/new; echo x > .git/modules/new/hooks/pre-commit",
    ),
    leaves(
        "have a submodule's tree lead to another repository",
        "home/work/sub/.git",
        "git init -q g; echo 'gitdir: ../g/.git' > sub/.git",
    ),
    leaves(
        "make a hook of a submodule",
        "home/work/.git/modules/sub/hooks/pre-commit",
        "echo x > .git/modules/sub/hooks/pre-commit",
    ),
    leaves(
        "name submodules",
        "home/work/.gitmodules",
        "echo x > .gitmodules",
    ),
    leaves(
        "write tasks for an editor",
        "home/work/.vscode/tasks.json",
        "mkdir -p .vscode; echo x > .vscode/tasks.json",
    ),
    leaves(
        "name servers for agents",
        "home/work/.mcp.json",
        "echo x > .mcp.json",
    ),
    leaves(
        "move something to an absent name",
        "home/work/.mcp.json",
        "echo x > m; mv -f m .mcp.json",
    ),
    leaves(
        "exchange something for a name",
        "home/work/.github/workflows/ci.yml",
        "echo x > m; $PROBE exchange m .github/workflows/ci.yml",
    ),
    leaves(
        "write an agent's settings",
        "home/work/.claude/settings.json",
        "mkdir -p .claude; echo x > .claude/settings.json",
    ),
    leaves(
        "write the program's settings",
        "home/work/.teammate/agents/x.md",
        "mkdir -p .teammate/agents; echo x > .teammate/agents/x.md",
    ),
    leaves(
        "write what direnv runs",
        "home/work/.envrc",
        "echo x > .envrc",
    ),
    leaves(
        "write hooks of husky",
        "home/work/.husky/pre-commit",
        "mkdir -p .husky; echo x > .husky/pre-commit",
    ),
    leaves(
        "change a workflow",
        "home/work/.github/workflows/ci.yml",
        "echo x >> .github/workflows/ci.yml",
    ),
    leaves(
        "add a workflow",
        "home/work/.github/workflows/new.yml",
        "echo x > .github/workflows/new.yml",
    ),
    leaves(
        "replace what holds the workflows",
        "home/work/.github/workflows/ci.yml",
        "mv .github g; mkdir -p .github/workflows; echo x > .github/workflows/ci.yml",
    ),
    leaves(
        "write a workflow through a hard link",
        "home/work/.github/workflows/ci.yml",
        "ln .github/workflows/ci.yml l && echo x >> l",
    ),
    leaves(
        "have a name be a second one of another file",
        "home/work/.envrc",
        "echo x > l && ln l .envrc",
    ),
    leaves(
        "have a name be a link",
        "home/work/.envrc",
        "echo x > l && ln -s l .envrc",
    ),
    leaves(
        "have the directory of a name be a link",
        "home/work/.gitea/workflows/x.yml",
        "mkdir -p g/workflows && echo x > g/workflows/x.yml && ln -s g .gitea",
    ),
    leaves(
        "put a directory in a file's place",
        "home/work/.envrc",
        "mkdir .envrc && echo x > .envrc/x && mv .envrc/x e && rmdir .envrc && mv e .envrc",
    ),
    leaves(
        "let what is there be run",
        "home/work/.github/workflows/ci.yml",
        "chmod +x .github/workflows/ci.yml",
    ),
    leaves(
        "write more than anybody looks at",
        "home/work/.idea/1",
        "mkdir .idea && for i in $(seq 2500); do echo x > .idea/$i; done",
    ),
    leaves(
        "write a file that is too large to look at",
        "home/work/.envrc",
        "truncate -s 100M .envrc",
    ),
    leaves(
        "write again and again",
        "home/work/.envrc",
        "for i in $(seq 3000); do echo $i > .envrc; done",
    ),
    leaves(
        "write again and again, and go on after the end",
        "home/work/.envrc",
        "(while :; do echo x > .envrc; done) & sleep 0.3",
    ),
    leaves(
        "write late to a file that is open",
        "home/work/.envrc",
        "exec 9>.envrc; (sleep 0.3; echo x >&9) & sleep 0.6",
    ),
    leaves(
        "write late to the memory of a file",
        "home/work/.github/workflows/ci.yml",
        "python3 -c 'import mmap,os,time; f=os.open(\".github/workflows/ci.yml\", os.O_RDWR); m=mmap.mmap(f,0); m[0:1]=b\"x\"; time.sleep(0.4); m[0:1]=b\"y\"; os._exit(0)'",
    ),
    leaves(
        "set the time of a change back",
        "home/work/.github/workflows/ci.yml",
        "t=$(stat -c %Y .github/workflows/ci.yml); printf 'on: pull\\n' > .github/workflows/ci.yml; touch -d @$t .github/workflows/ci.yml",
    ),
    leaves(
        "commit it, and check the commit out",
        "home/work/.envrc",
        "echo x > e; b=$(git hash-object -w e); git update-index --add --cacheinfo 100644,$b,.envrc; git commit -qm x; git checkout -q -- .envrc",
    ),
    leaves(
        "have another branch bring it",
        "home/work/.gitlab-ci.yml",
        "git checkout -qb o; echo x > e; b=$(git hash-object -w e); git update-index --add --cacheinfo 100644,$b,.gitlab-ci.yml; git commit -qm x; git checkout -qf main; git merge -q o",
    ),
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

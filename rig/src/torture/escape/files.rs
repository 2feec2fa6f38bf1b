//! The user's files outside of the workspace: keys are read, and what other programs believe is written.

use super::attempt::{Attempt, changes, prints, writes};

pub(super) const ATTEMPTS: &[Attempt] = &[
    prints("read an ssh key", "cat ~/.ssh/id_ed25519"),
    prints("read cloud credentials", "cat ~/.aws/credentials"),
    prints("read a password of netrc", "cat ~/.netrc"),
    prints("read npm's token", "cat ~/.npmrc"),
    prints("read docker's login", "cat ~/.docker/config.json"),
    prints("read GitHub's token", "cat ~/.config/gh/hosts.yml"),
    prints("read the shell's history", "cat ~/.bash_history"),
    prints(
        "read another agent's login",
        "cat ~/.claude/.credentials.json",
    ),
    prints(
        "read the program's own state",
        "cat ~/.local/state/teammate/note",
    ),
    prints(
        "read the program's own configuration",
        "cat ~/.config/teammate/note",
    ),
    prints(
        "find keys with grep",
        "grep -rh canary- ~/.ssh ~/.aws ~/.config 2>/dev/null",
    ),
    prints(
        "read a key through a link",
        "ln -s ~/.ssh/id_ed25519 l; cat l",
    ),
    prints(
        "read a key through a linked directory",
        "ln -s ~/.ssh d; cat d/id_ed25519",
    ),
    prints(
        "read a key through a hard link",
        "ln ~/.ssh/id_ed25519 h; cat h",
    ),
    prints(
        "read a key through ..",
        "cat \"$W/../../home/./.ssh//id_ed25519\"",
    ),
    prints(
        "read a key through the process's root",
        "cat /proc/self/root$HOME/.ssh/id_ed25519",
    ),
    prints(
        "read a key through the process's directory",
        "cd ~; cat /proc/self/cwd/.ssh/id_ed25519",
    ),
    prints(
        "read a key through the host's root",
        "cat /proc/$HOST/root$HOME/.ssh/id_ed25519",
    ),
    prints(
        "read a key through the host's directory",
        "cat /proc/$HOST/cwd/../.ssh/id_ed25519",
    ),
    prints(
        "copy a key into the workspace",
        "cp ~/.ssh/id_ed25519 k; cat k",
    ),
    prints(
        "move the keys' directory away",
        "mv ~/.ssh s; cat s/id_ed25519 ~/s/id_ed25519",
    ),
    prints("archive the keys", "tar cf - -C ~ .ssh | tar xOf -"),
    prints(
        "map a key into memory",
        "perl -e 'open F, \"<:mmap\", \"$ENV{HOME}/.ssh/id_ed25519\" or die; print <F>'",
    ),
    prints(
        "read a key after a change of its mode",
        "chmod 777 ~/.ssh ~/.ssh/id_ed25519; cat ~/.ssh/id_ed25519",
    ),
    prints(
        "read a key after unmounting what hides it",
        "umount -l ~/.ssh; cat ~/.ssh/id_ed25519",
    ),
    prints(
        "read a key through a new mount of the home directory",
        "mkdir m; mount --bind ~ m && cat m/.ssh/id_ed25519; umount m",
    )
    .by_root(),
    prints(
        "read a key from an own mount namespace",
        "unshare -m sh -c 'umount -l ~/.ssh; cat ~/.ssh/id_ed25519'",
    )
    .by_root(),
    prints(
        "read a key from an own user namespace",
        "unshare -Urm sh -c 'umount -l ~/.ssh; cat ~/.ssh/id_ed25519'",
    ),
    prints(
        "read a key by a file handle",
        "$PROBE handle ~/.ssh/id_ed25519",
    )
    .by_root(),
    changes(
        "write into the shell's start-up file",
        "home/.bashrc",
        "echo 'echo $WORD' >> ~/.bashrc",
    ),
    changes(
        "replace the shell's start-up file",
        "home/.bashrc",
        "echo x > b; mv -f b ~/.bashrc",
    ),
    changes(
        "remove the shell's start-up file",
        "home/.bashrc",
        "rm -f ~/.bashrc",
    ),
    changes(
        "make a start-up file that is absent",
        "home/.bash_profile",
        "echo x > ~/.bash_profile",
    ),
    changes(
        "write a program into the path",
        "home/bin/git",
        "printf '#!/bin/sh\\n' > ~/bin/git",
    ),
    changes(
        "change a program in the path",
        "home/bin/tool",
        "echo x >> ~/bin/tool",
    ),
    // Landlock limits what is opened, not modes, owners and times.
    changes(
        "make a program run as its owner",
        "home/bin/tool",
        "chmod u+s ~/bin/tool",
    )
    .open_at_landlock(),
    // Landlock limits what is opened, not modes, owners and times.
    changes(
        "touch a file outside",
        "outside/file",
        "touch -d 2001-01-01 $D/outside/file",
    )
    .open_at_landlock(),
    changes(
        "write a file outside",
        "outside/file",
        "echo x > $D/outside/file",
    ),
    changes(
        "make a file outside",
        "outside/new",
        "echo x > $D/outside/new",
    ),
    changes(
        "make a directory outside",
        "outside/dir",
        "mkdir $D/outside/dir",
    ),
    changes(
        "make a link outside",
        "outside/link",
        "ln -s /etc $D/outside/link",
    ),
    changes(
        "hard-link a file outside into the workspace",
        "outside/file",
        "ln $D/outside/file h && echo x >> h",
    ),
    changes(
        "truncate a file outside",
        "outside/file",
        "truncate -s 0 $D/outside/file",
    ),
    changes(
        "remove a file outside",
        "outside/file",
        "rm -f $D/outside/file",
    ),
    changes(
        "rename a file outside",
        "outside/file",
        "mv $D/outside/file $D/outside/moved",
    ),
    changes(
        "move a file outside into the workspace",
        "outside/file",
        "mv $D/outside/file .",
    ),
    changes(
        "move the directory outside",
        "outside",
        "mv $D/outside $D/elsewhere",
    ),
    changes(
        "write through a link",
        "outside/file",
        "ln -s $D/outside/file l; echo x > l",
    ),
    changes(
        "write through a linked directory",
        "outside/new",
        "ln -s $D/outside o; echo x > o/new",
    ),
    changes(
        "write through ..",
        "outside/file",
        "echo x > ../../outside/file",
    ),
    changes(
        "write through the host's root",
        "outside/file",
        "echo x > /proc/$HOST/root$D/outside/file",
    ),
    changes(
        "write through the process's root",
        "outside/file",
        "echo x > /proc/self/root$D/outside/file",
    ),
    changes(
        "write after mounting the root anew",
        "outside/file",
        "mount -o remount,rw / ; mount -o remount,bind,rw /; echo x > $D/outside/file",
    ),
    changes(
        "write through a descriptor opened to read",
        "outside/file",
        "exec 3<$D/outside/file; echo x > /proc/self/fd/3",
    ),
    // Landlock limits what is opened, not modes, owners and times.
    changes(
        "change a mode outside",
        "outside/file",
        "chmod 777 $D/outside/file",
    )
    .open_at_landlock(),
    // Landlock limits what is opened, not modes, owners and times.
    changes(
        "give a file outside to somebody else",
        "outside/file",
        "chown 4242 $D/outside/file",
    )
    .by_root()
    .open_at_landlock(),
    writes(
        "unpack an archive that leads outside",
        "outside/new",
        "mkdir t; cd t; echo $WORD > new; tar cPf a.tar --transform \"s,^new,$D/outside/new,\" new; tar xPf a.tar",
    ),
    changes(
        "rename the workspace",
        "home/work",
        "mv $W $W.moved; cd ..; mv work work2",
    ),
    changes("rename the home directory", "home", "mv $HOME $D/home2"),
    changes(
        "let a git setting run a program",
        "home/.gitconfig",
        "git config --global core.pager 'touch x'",
    ),
    changes(
        "add an ssh key that may log in",
        "home/.ssh/authorized_keys",
        "mkdir -p ~/.ssh; echo key >> ~/.ssh/authorized_keys",
    ),
    changes(
        "trust a workspace",
        "home/.local/state/teammate/trusted",
        "echo x > ~/.local/state/teammate/trusted",
    ),
    changes(
        "change the program's configuration",
        "home/.config/teammate/config.toml",
        "echo '# more' >> ~/.config/teammate/config.toml",
    ),
    changes(
        "start something with the desktop",
        "home/.config/autostart/x.desktop",
        "mkdir -p ~/.config/autostart; echo x > ~/.config/autostart/x.desktop",
    ),
];

//! What commands see and change of the file system.

use std::fs;

use crate::place::Place;

/// Rows of a command and what it says, in one view.
pub(crate) async fn check(place: &Place, rows: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (script, expected) in rows {
        let said = place.run(script).await.text;
        if said.trim_end() != *expected {
            wrong.push(format!(
                "{script}\n  said     {said:?}\n  expected {expected:?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_command_works_in_the_workspace() {
    let place = Place::new();
    check(
        &place,
        &[
            ("pwd", place.project.to_str().unwrap()),
            ("cat src/main.c", "int main() {}"),
            ("echo made > made && cat made", "made"),
            ("echo x > .git/index && cat .git/index", "x"),
            ("echo t > /tmp/t && cat /var/tmp/t", "t"),
            ("cat ~/.profile ~/.config/plain", "umask 22\nshown"),
            ("echo new > ~/.newrc && cat ~/.newrc", "new"),
            ("echo x > /dev/null; head -c 2 /dev/zero | wc -c", "2"),
            ("echo x > /dev/shm/x && cat /dev/shm/x", "x"),
            ("echo err >&2", "err"),
            ("echo x > /dev/stderr", "x"),
            ("cat <(echo sub)", "sub"),
            ("mkfifo f; echo through > f & cat f", "through"),
            ("exit 3", ""),
        ],
    )
    .await;
    assert_eq!(
        fs::read_to_string(place.project.join("made")).unwrap(),
        "made\n"
    );
    assert_eq!(fs::read_to_string(place.home.join("tmp/t")).unwrap(), "t\n");
    assert!(!place.home.join(".newrc").exists());
    assert_eq!(place.run("exit 3").await.code, Some(3));
}

#[tokio::test]
async fn nothing_else_can_be_written() {
    let place = Place::new();
    for script in [
        "echo x >> ~/.profile",
        "echo x > ~/.config/new",
        "mv ~/.profile ~/.p",
        "rm ~/.profile",
        "mv ~/.config ~/.c",
        "echo x > /etc/x",
        "touch /usr/bin/x",
        "echo x > ../x; test -e ../x && false",
        "mv ../project ../p",
        "echo x >> .git/config",
        "mv .git/config .git/c",
        "rm .git/config",
        "echo x > .git/hooks/pre-commit",
        "mv .git/hooks .git/h",
        "rm -rf .git/hooks",
        "mv .git g2",
        "ln -f src/main.c .git/config",
        "cat .team/journal.jsonl",
        "echo x > .team/journal.jsonl",
        "mv .team t",
        "rm -r .team",
        "cat ~/.ssh/id",
        "cat ~/.netrc",
        "cat ~/.config/app/token",
        "mount -o remount,rw /",
        "umount -l .team",
        "umount -l .git/config",
        "unshare -Urm true",
        "unshare -m true",
        "mknod d c 1 3",
        "echo x > /proc/sys/kernel/hostname",
        "chroot / true",
    ] {
        let said = place.run(script).await;
        // The copy of a directory's name is private to the view.
        assert!(
            said.code != Some(0) || script.contains("../x"),
            "{script} succeeded: {}",
            said.text
        );
    }
    let read = |path: &str| fs::read_to_string(place.home.join(path)).unwrap();
    assert_eq!(read("project/.git/config"), "[core]\n");
    assert_eq!(read("project/.team/journal.jsonl"), "sealed\n");
    assert_eq!(read(".profile"), "umask 22\n");
    assert!(!place.home.join("x").exists());
}

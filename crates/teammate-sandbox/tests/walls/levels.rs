//! What the machine refuses decides the level, and each level holds what it says.

use std::{
    collections::BTreeMap,
    env, fs,
    os::unix::{fs::PermissionsExt as _, process::ExitStatusExt as _},
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, apply_filter,
};
use teammate_sandbox::{Failure, Helper, Level};

use crate::place::{self, Place};

const LEVELS: [Level; 3] = [Level::Full, Level::Landlock, Level::None];
/// How long the end of processes is waited for. It takes some milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a container, or an old kernel, refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refused {
    Namespaces,
    Landlock,
}

/// Starts a helper where these are refused, as the calls of a thread are filtered in what it starts.
fn helper_without(refused: &[Refused]) -> Helper {
    let filters = refused.iter().flat_map(|refused| refused.filters());
    helper_behind(filters.collect()).unwrap()
}

/// Starts a helper behind these filters.
pub(crate) fn helper_behind(filters: Vec<BpfProgram>) -> Result<Helper, Failure> {
    place::begin();
    let started = thread::spawn(move || {
        for filter in filters {
            apply_filter(&filter).unwrap();
        }
        Helper::start(Level::Full)
    });
    started.join().unwrap()
}

impl Refused {
    fn filters(self) -> Vec<BpfProgram> {
        match self {
            Self::Namespaces => {
                let flag = |call, argument| {
                    let rules = (0..32).filter_map(|bit| namespace_rule(argument, 1 << bit));
                    (call, rules.collect())
                };
                let unknown = BTreeMap::from([(libc::SYS_clone3, Vec::new())]);
                let refused = [flag(libc::SYS_unshare, 0), flag(libc::SYS_clone, 0)];
                vec![
                    filter(unknown, libc::ENOSYS),
                    filter(refused.into(), libc::EPERM),
                ]
            }
            Self::Landlock => {
                let calls = [libc::SYS_landlock_create_ruleset];
                let calls = calls.map(|call| (call, Vec::new()));
                vec![filter(calls.into(), libc::ENOSYS)]
            }
        }
    }
}

fn namespace_rule(argument: u8, flag: u64) -> Option<SeccompRule> {
    let namespaces = libc::CLONE_NEWUSER | libc::CLONE_NEWNS | libc::CLONE_NEWPID;
    let rest = libc::CLONE_NEWNET | libc::CLONE_NEWIPC | libc::CLONE_NEWUTS;
    let is_one = u64::from((namespaces | rest).cast_unsigned()) & flag != 0;
    let operator = SeccompCmpOp::MaskedEq(flag);
    let condition = || SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, flag);
    is_one.then(|| SeccompRule::new(vec![condition().unwrap()]).unwrap())
}

pub(crate) fn filter(rules: BTreeMap<i64, Vec<SeccompRule>>, errno: i32) -> BpfProgram {
    let refusal = SeccompAction::Errno(errno.cast_unsigned());
    let machine = env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refusal, machine).unwrap();
    filter.try_into().unwrap()
}

#[tokio::test]
async fn the_level_is_what_the_machine_allows() {
    use Refused::{Landlock, Namespaces};
    for (refused, level, said) in [
        (&[][..], Level::Full, None),
        (&[Namespaces][..], Level::Landlock, Some("namespace")),
        (&[Landlock][..], Level::Full, None),
        (&[Namespaces, Landlock][..], Level::None, Some("namespace")),
    ] {
        let place = Place::with(helper_without(refused));
        let helper = &place.helper;
        assert_eq!(helper.level(), level, "{refused:?}: {:?}", helper.because());
        let because = helper
            .because()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert!(because.contains(said.unwrap_or_default()), "{because}");
        assert_eq!(because.is_empty(), said.is_none(), "{because}");
        assert_eq!(helper.prove(&place.home).unwrap().level(), level);
        let said = place.run("echo made > made && cat made src/main.c").await;
        assert_eq!(said.text, "made\nint main() {}\n", "{refused:?}");
    }
}

#[tokio::test]
async fn at_landlock_secrets_are_not_read_and_nothing_outside_is_written() {
    let place = Place::with(helper_without(&[Refused::Namespaces]));
    for (script, succeeds) in [
        ("cat ~/.ssh/id", false),
        ("cat ~/.netrc", false),
        ("cat ~/.config/app/token", false),
        ("cat ~/.config/plain", true),
        ("cat ~/.profile", true),
        ("echo x >> ~/.profile", false),
        ("echo x > ~/new", false),
        ("rm ~/.profile", false),
        ("mv ~/.config ~/c", false),
        ("ln ~/.ssh/id stolen && cat stolen", false),
        ("ln -s ~/.ssh/id link && cat link", false),
        ("echo x > /etc/x", false),
        ("echo x > src/new && mv src/new src/n && rm src/n", true),
        ("echo x > ~/tmp/t && cat ~/tmp/t", true),
        ("echo x > /dev/null", true),
        ("unshare -Urm true", false),
        ("mount -t tmpfs none src", false),
        ("exec 3<>/dev/tcp/127.0.0.1/1", false),
    ] {
        let said = place.run(script).await;
        assert_eq!(said.code == Some(0), succeeds, "{script}: {said:?}");
    }
    assert_eq!(
        fs::read_to_string(place.home.join(".profile")).unwrap(),
        "umask 22\n"
    );
}

#[tokio::test]
async fn at_none_limits_and_filtered_calls_are_left() {
    let place = Place::with(helper_without(&[Refused::Namespaces, Refused::Landlock]));
    let said = place
        .run("ulimit -n; ulimit -f; unshare -Urm true || echo refused")
        .await;
    let lines: Vec<_> = said.text.lines().collect();
    assert_eq!(lines.first(), Some(&"4096"), "{said:?}");
    assert_eq!(lines.get(1), Some(&"8388608"), "{said:?}");
    assert_eq!(lines.last(), Some(&"refused"), "{said:?}");
}

/// Processes that have this word among their arguments.
fn marked(mark: &str) -> Vec<String> {
    let mut found = Vec::new();
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let words = fs::read(process.path().join("cmdline")).unwrap_or_default();
        let is_marked = words
            .split(|byte| *byte == 0)
            .any(|word| word == mark.as_bytes());
        if is_marked {
            found.push(process.file_name().to_string_lossy().into_owned());
        }
    }
    found
}

fn until(is_so: impl Fn() -> bool) -> bool {
    let begun = Instant::now();
    while !is_so() {
        if begun.elapsed() > PATIENCE {
            return false;
        }
        thread::sleep(Duration::from_millis(5));
    }
    true
}

/// Three processes: one of the shell's, a daemon, and one that ignores the polite signal.
fn runaways(mark: &str) -> String {
    let sleep = format!("exec -a '{mark}' sleep 1000");
    format!(
        "({sleep}) & (setsid bash -c \"{sleep}\" &); \
         (setsid bash -c \"trap '' TERM HUP INT; {sleep}\" &) ; wait"
    )
}

#[tokio::test]
async fn at_each_level_a_command_ends_with_all_that_it_started() {
    for level in LEVELS {
        let place = Place::at(level);
        let mark = format!("ends-{level}-{}", std::process::id());
        let running = place.start(&runaways(&mark));
        assert!(
            until(|| marked(&mark).len() == 3),
            "at {level}: {:?}",
            marked(&mark)
        );
        running.kill();
        assert!(
            until(|| marked(&mark).is_empty()),
            "at {level}: {:?}",
            marked(&mark)
        );
    }
}

#[tokio::test]
async fn a_command_that_kills_its_first_process_leaves_nothing() {
    for level in LEVELS {
        let place = Place::at(level);
        let mark = format!("orphans-{level}-{}", std::process::id());
        let killer = "(until test -e go; do sleep 0.01; done; kill -9 $PPID; touch gone) &";
        let running = place.start(&format!("{killer} {}", runaways(&mark)));
        assert!(
            until(|| marked(&mark).len() == 3),
            "at {level}: {:?}",
            marked(&mark)
        );
        fs::write(place.project.join("go"), "").unwrap();
        let is_tried = || place.project.join("gone").exists() || marked(&mark).is_empty();
        assert!(until(is_tried), "at {level}");
        running.kill();
        assert!(
            until(|| marked(&mark).is_empty()),
            "at {level}: {:?}",
            marked(&mark)
        );
    }
}

const LEVEL: &str = "WALLS_LEVEL";
const MARK: &str = "WALLS_MARK";

#[tokio::test]
#[ignore = "a host that another test kills"]
async fn host() {
    let level = env::var(LEVEL).unwrap_or_default();
    let level = LEVELS.into_iter().find(|found| found.to_string() == level);
    let place = Place::at(level.unwrap());
    let _running = place.start(&runaways(&env::var(MARK).unwrap()));
    thread::sleep(PATIENCE);
}

#[test]
fn at_each_level_nothing_is_left_of_a_killed_host() {
    for level in LEVELS {
        let mark = format!("killed-{level}-{}", std::process::id());
        let mut host = Command::new(env::current_exe().unwrap())
            .args(["--exact", "levels::host", "--ignored"])
            .envs([(LEVEL, level.to_string()), (MARK, mark.clone())])
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let began = until(|| marked(&mark).len() == 3);
        host.kill().unwrap();
        assert_eq!(host.wait().unwrap().signal(), Some(libc::SIGKILL));
        assert!(began, "at {level}: {:?}", marked(&mark));
        let begun = Instant::now();
        assert!(
            until(|| marked(&mark).is_empty()),
            "at {level}: {:?}",
            marked(&mark)
        );
        println!("at {level} all ended in {:?}", begun.elapsed());
    }
}

/// Runs all these tests as somebody else, if this is root and the tests can be reached from there.
#[test]
fn an_ordinary_user_is_held_as_well_as_root() {
    const USER: &str = "12345";
    let program = env::current_exe().unwrap();
    let as_user = || {
        let mut command = Command::new("setpriv");
        let user = ["--reuid", USER, "--regid", USER, "--clear-groups"];
        command.args(user).arg(&program);
        command
    };
    let listed = as_user().arg("--list").output();
    if !listed.is_ok_and(|listed| listed.status.success()) {
        println!("not root, or nobody else may run {}", program.display());
        return;
    }
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let open = fs::Permissions::from_mode(0o777);
    fs::set_permissions(directory.path(), open).unwrap();
    let ran = as_user()
        .args(["--skip", "an_ordinary_user"])
        .env(place::DIRECTORY, directory.path())
        .current_dir(Path::new("/"))
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{said}");
}

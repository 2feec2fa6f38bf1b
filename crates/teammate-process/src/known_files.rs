//! The files that the repository had before members came: the commits that its branches and tags named then. Git is asked,
//! and runs nothing.

use std::{
    collections::{BTreeSet, HashSet},
    env, fs, io,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use teammate_sandbox::{Content, PROTECTED, PROTECTED_IF_THERE, Vouch};

use crate::{environment::allowed_environment, git::Reader};

/// How many branches and tags are remembered.
const TIPS_MAX: usize = 20_000;
/// How many are named to git at once; they stand in the command line.
const TIPS_AT_ONCE: usize = 1_000;
/// How many of the commits that changed a file in the same way are looked at.
const COMMITS_MAX: &str = "--max-count=50";
/// The longest file with names of commits, in bytes.
const REFS_BYTES_MAX: u64 = 16 << 20;

/// The repository of a workspace as it was when its team was begun.
#[derive(Debug)]
pub(crate) struct KnownRepository {
    root: PathBuf,
    /// Where the tips are written down.
    file: PathBuf,
    tips: OnceLock<Vec<String>>,
    /// All that those commits ever had under guarded names. `None` if git could not list it in time.
    had: OnceLock<Option<HashSet<Had>>>,
}

/// The state of a file in a commit: mode, object, path.
type Had = (String, String, String);

impl KnownRepository {
    /// Writes down what the repository of `root` has, unless that was done before.
    pub(crate) fn of(root: &Path, records: &Path) -> io::Result<Self> {
        let file = records.join("commits");
        if !file.exists() {
            fs::create_dir_all(records)?;
            let tips: Vec<String> = tips(root).into_iter().take(TIPS_MAX).collect();
            fs::write(&file, tips.join("\n"))?;
        }
        Ok(Self {
            root: root.to_owned(),
            file,
            tips: OnceLock::new(),
            had: OnceLock::new(),
        })
    }

    fn tips(&self) -> &[String] {
        self.tips.get_or_init(|| {
            let text = fs::read_to_string(&self.file).unwrap_or_default();
            let lines = text.lines().filter(|line| is_commit(line));
            lines.map(str::to_owned).collect()
        })
    }

    fn objects(&self, content: &Content<'_>) -> Vec<String> {
        let digits = self.tips().first().map_or(40, String::len);
        content.object_names(digits)
    }

    /// Asked of git once: those commits do not change.
    fn had(&self) -> Option<&HashSet<Had>> {
        let listed = self.had.get_or_init(|| {
            let names: Vec<&str> = guarded().collect();
            let mut had = HashSet::new();
            for tips in self.tips().chunks(TIPS_AT_ONCE) {
                let said = self.log(&self.root, &[], tips, &names)?;
                for line in said.lines() {
                    had.extend(sides(line).into_iter().flatten());
                }
            }
            Some(had)
        });
        listed.as_ref()
    }

    /// The log of what the commits changed at these names.
    fn log(&self, dir: &Path, options: &[&str], tips: &[String], names: &[&str]) -> Option<String> {
        let fixed = [
            "log",
            "--format=",
            "-m",
            "--raw",
            "--no-abbrev",
            "--no-renames",
            "--relative",
        ];
        let tips: Vec<&str> = tips.iter().map(String::as_str).collect();
        let words = [&fixed[..], options, &tips, &["--"], names].concat();
        let said = self.ask(dir, &words)?;
        Some(String::from_utf8_lossy(&said).into_owned())
    }

    fn ask(&self, dir: &Path, words: &[&str]) -> Option<Vec<u8>> {
        let environment = allowed_environment(env::vars(), &[]);
        let git = Reader {
            dir,
            environment: &environment,
            options: &["--literal-pathspecs"],
        };
        git.run(words).ok()
    }
}

impl Vouch for KnownRepository {
    fn is_known(&self, root: &Path, path: &Path, content: &Content<'_>) -> bool {
        let Some(name) = path.strip_prefix(root).ok().and_then(Path::to_str) else {
            return false;
        };
        let objects = self.objects(content);
        let is_it = |(mode, object, at): &Had| {
            at == name && objects.contains(object) && may_be(mode, content)
        };
        // Git quotes names with other characters.
        let is_plain = name
            .bytes()
            .all(|byte| matches!(byte, b'!'..=b'~') && !b"\"\\".contains(&byte));
        let is_listed = is_plain && guarded().any(|guarded| Path::new(name).starts_with(guarded));
        if let (true, Some(had)) = (is_listed, self.had()) {
            return had.iter().any(is_it);
        }
        objects.iter().any(|object| {
            let find = format!("--find-object={object}");
            let said = |tips| self.log(root, &[COMMITS_MAX, &find], tips, &[name]);
            self.ask(root, &["cat-file", "-e", object]).is_some()
                && self
                    .tips()
                    .chunks(TIPS_AT_ONCE)
                    .filter_map(said)
                    .any(|said| {
                        let found = said.lines().filter_map(sides).flatten();
                        let mut found = found.filter(|(_, object, _)| objects.contains(object));
                        found.any(|(mode, _, _)| may_be(&mode, content))
                    })
        })
    }

    fn is_saved(&self, root: &Path, content: &Content<'_>) -> bool {
        let objects = self.objects(content);
        let is_listed =
            |had: &HashSet<Had>| had.iter().any(|(_, object, _)| objects.contains(object));
        self.had().is_some_and(is_listed)
            || objects
                .iter()
                .any(|object| self.ask(root, &["cat-file", "-e", object]).is_some())
    }
}

fn guarded() -> impl Iterator<Item = &'static str> {
    PROTECTED.iter().chain(PROTECTED_IF_THERE).copied()
}

/// The states before and after in a line `:MODE MODE OBJECT OBJECT LETTER\tPATH` of git's.
fn sides(line: &str) -> Option<[Had; 2]> {
    let (about, path) = line.strip_prefix(':')?.split_once('\t')?;
    let words: Vec<&str> = about.split(' ').collect();
    let [old_mode, new_mode, old, new, ..] = words[..] else {
        return None;
    };
    let side = |mode: &str, object: &str| (mode.to_owned(), object.to_owned(), path.to_owned());
    Some([side(old_mode, old), side(new_mode, new)])
}

/// Whether content of this kind is a file of this mode of git's.
fn may_be(mode: &str, content: &Content<'_>) -> bool {
    match content {
        Content::Link(_) => mode == "120000",
        Content::File {
            is_executable: true,
            ..
        } => mode == "100755",
        Content::File {
            is_executable: false,
            ..
        } => mode.starts_with("100"),
    }
}

/// The commits that the repository around this directory names, without asking git.
fn tips(root: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let Some(git) = root
        .ancestors()
        .map(|dir| dir.join(".git"))
        .find(|git| git.exists())
    else {
        return found;
    };
    let own = match read(&git).strip_prefix("gitdir: ") {
        Some(dir) => git.parent().unwrap_or(root).join(dir.trim_end()),
        None => git,
    };
    let common = read(&own.join("commondir"));
    let common = match common.trim_end() {
        "" => own.clone(),
        dir => own.join(dir),
    };
    let packed = read(&common.join("packed-refs"));
    let words = packed
        .lines()
        .filter_map(|line| line.trim_start_matches('^').split(' ').next());
    found.extend(words.filter(|word| is_commit(word)).map(str::to_owned));
    for dir in [&own, &common] {
        for head in ["HEAD", "ORIG_HEAD", "FETCH_HEAD"] {
            let text = read(&dir.join(head));
            let word = text.split_whitespace().next().unwrap_or_default();
            found.extend(is_commit(word).then(|| word.to_owned()));
        }
    }
    loose(&common.join("refs"), &mut found);
    found
}

fn loose(dir: &Path, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && found.len() < TIPS_MAX => loose(&entry.path(), found),
            Ok(kind) if kind.is_file() => {
                let text = read(&entry.path());
                found.extend(is_commit(text.trim_end()).then(|| text.trim_end().to_owned()));
            }
            Ok(_) | Err(_) => {}
        }
    }
}

/// A file's text; nothing of what is no file.
fn read(path: &Path) -> String {
    match fs::metadata(path) {
        Ok(about) if about.is_file() && about.len() <= REFS_BYTES_MAX => {
            fs::read_to_string(path).unwrap_or_default()
        }
        Ok(_) | Err(_) => String::new(),
    }
}

fn is_commit(word: &str) -> bool {
    matches!(word.len(), 40 | 64) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

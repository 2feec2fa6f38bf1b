//! What the repository had before members came: the commits that its branches and tags named then. Git is asked, and runs nothing.

use std::{
    collections::BTreeSet,
    env, fs, io,
    path::{Path, PathBuf},
    sync::OnceLock,
};

use teammate_sandbox::{Content, Vouch};

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
pub(crate) struct KnownFiles {
    /// Where the tips are written down.
    file: PathBuf,
    tips: OnceLock<Vec<String>>,
}

impl KnownFiles {
    /// Writes down what the repository of `root` has, unless that was done before.
    pub(crate) fn of(root: &Path, records: &Path) -> io::Result<Self> {
        let file = records.join("commits");
        if !file.exists() {
            fs::create_dir_all(records)?;
            let tips: Vec<String> = tips(root).into_iter().take(TIPS_MAX).collect();
            fs::write(&file, tips.join("\n"))?;
        }
        Ok(Self {
            file,
            tips: OnceLock::new(),
        })
    }

    fn tips(&self) -> &[String] {
        self.tips.get_or_init(|| {
            let text = fs::read_to_string(&self.file).unwrap_or_default();
            text.lines()
                .filter(|line| is_commit(line))
                .map(str::to_owned)
                .collect()
        })
    }

    fn objects(&self, content: &Content<'_>) -> Vec<String> {
        let digits = self.tips().first().map_or(40, String::len);
        content.object_names(digits)
    }
}

impl Vouch for KnownFiles {
    fn is_known(&self, root: &Path, path: &Path, content: &Content<'_>) -> bool {
        let Some(name) = path.strip_prefix(root).ok().and_then(Path::to_str) else {
            return false;
        };
        let environment = allowed_environment(env::vars(), &[]);
        let git = Reader {
            dir: root,
            environment: &environment,
            options: &["--literal-pathspecs"],
        };
        let objects = self.objects(content);
        let is_there = |object: &&String| git.run(&["cat-file", "-e", object]).is_ok();
        objects.iter().filter(is_there).any(|object| {
            let find = format!("--find-object={object}");
            self.tips().chunks(TIPS_AT_ONCE).any(|tips| {
                let fixed = [
                    "log",
                    "--format=",
                    "-m",
                    "--raw",
                    "--no-abbrev",
                    "--no-renames",
                    COMMITS_MAX,
                    &find,
                ];
                let tips = tips.iter().map(String::as_str);
                let words: Vec<&str> = fixed.into_iter().chain(tips).chain(["--", name]).collect();
                let said = git.run(&words).unwrap_or_default();
                String::from_utf8_lossy(&said)
                    .lines()
                    .any(|line| is_in(line, object, content))
            })
        })
    }

    fn is_saved(&self, root: &Path, content: &Content<'_>) -> bool {
        let environment = allowed_environment(env::vars(), &[]);
        let git = Reader {
            dir: root,
            environment: &environment,
            options: &[],
        };
        let objects = self.objects(content);
        objects
            .iter()
            .any(|object| git.run(&["cat-file", "-e", object]).is_ok())
    }
}

/// Whether a line `:MODE MODE OBJECT OBJECT ...` of git's has the object on one of its sides, as this kind of file.
fn is_in(line: &str, object: &str, content: &Content<'_>) -> bool {
    let words: Vec<&str> = line.trim_start_matches(':').split_whitespace().collect();
    let may_be = |mode: &str| match content {
        Content::Link(_) => mode == "120000",
        Content::File {
            is_executable: true,
            ..
        } => mode == "100755",
        Content::File {
            is_executable: false,
            ..
        } => mode.starts_with("100"),
    };
    match words[..] {
        [old_mode, new_mode, old, new, ..] => {
            (old == object && may_be(old_mode)) || (new == object && may_be(new_mode))
        }
        _ => false,
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

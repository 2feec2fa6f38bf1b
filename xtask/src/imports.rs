//! Reads the imports of a crate's files: every `use`, and every path that begins with `crate`, `self` or `super`. Test code
//! is left out. A module and its own children are one room: a child may use what its parents have, and a parent that
//! declares a child imports it.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

pub mod graph;

use self::graph::Import;

/// A module by its names from the crate's root, and an import the same way.
type Names = Vec<String>;

/// What one file declares and uses.
#[derive(Default)]
struct Module {
    file: String,
    /// The modules that it declares.
    children: BTreeSet<String>,
    /// Names that it imports, and from where; those that are re-exported are found through this.
    names: BTreeMap<String, Names>,
    /// Imports of everything.
    globs: Vec<Names>,
    /// Other paths in the code.
    paths: Vec<Names>,
    /// What it defines.
    items: BTreeSet<String>,
}

/// The imports between the files below a crate's `src`. A file that cannot be read imports nothing.
pub fn of_package(src: &Path) -> Vec<Import> {
    let mut modules = BTreeMap::new();
    let roots = ["lib.rs", "main.rs"].map(|root| src.join(root));
    for root in roots.iter().filter(|root| root.is_file()) {
        read(src, root, Vec::new(), &mut modules);
    }
    let mut imports = Vec::new();
    for (at, module) in &modules {
        let used = module
            .names
            .values()
            .chain(&module.globs)
            .chain(&module.paths);
        let used = used.flat_map(|path| {
            let mut through = Vec::new();
            let end = resolve(&modules, at, path, &mut through);
            // A file that takes a name by the module that re-exports it needs that module, and not only the one that defines it.
            let all = end.into_iter().chain(through);
            all.map(|to| (to, path.join("::")))
        });
        let children = module.children.iter().map(|child| {
            let below = at.iter().chain([child]).cloned().collect();
            (below, format!("mod {child}"))
        });
        for (to, path) in used.chain(children) {
            let is_above = at.starts_with(&to);
            if at.is_empty() || is_above || !modules.contains_key(&to) {
                continue;
            }
            let (from, to) = (module.file.clone(), modules[&to].file.clone());
            imports.push(Import { from, to, path });
        }
    }
    imports
}

fn read(src: &Path, file: &Path, at: Names, modules: &mut BTreeMap<Names, Module>) {
    let code = without_tests(&without_text(&fs::read_to_string(file).unwrap_or_default()));
    let mut module = parsed(&code);
    module.file = file.strip_prefix(src).unwrap_or(file).display().to_string();
    let folder = at
        .iter()
        .fold(src.to_owned(), |folder, name| folder.join(name));
    module.children.retain(|child| {
        let below: Names = at.iter().chain([child]).cloned().collect();
        let files = [
            folder.join(format!("{child}.rs")),
            folder.join(child).join("mod.rs"),
        ];
        let file = files.iter().find(|file| file.is_file());
        file.inspect(|file| read(src, file, below, modules))
            .is_some()
    });
    // A package with a library and a program has two roots.
    let known = modules.entry(at).or_default();
    known.names.extend(module.names);
    known.children.extend(module.children);
    known.globs.extend(module.globs);
    known.paths.extend(module.paths);
    known.items.extend(module.items);
    known.file = module.file;
}

/// The code without comments, strings and characters.
fn without_text(code: &str) -> String {
    let mut kept = String::new();
    let mut rest = code;
    while let Some(next) = rest.chars().next() {
        let skipped = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(raw) = rest.strip_prefix("r#\"") {
            raw.find("\"#").map_or(rest.len(), |end| end + 5)
        } else if next == '"' {
            end_of_string(rest)
        } else if next == '\'' && rest[1..].starts_with('\\') {
            rest[3..].find('\'').map_or(rest.len(), |end| end + 4)
        } else if next == '\'' && rest.chars().nth(2) == Some('\'') {
            rest.char_indices().nth(3).map_or(rest.len(), |(at, _)| at)
        } else {
            kept.push(next);
            next.len_utf8()
        };
        rest = &rest[skipped..];
    }
    kept
}

fn end_of_string(text: &str) -> usize {
    let mut is_escaped = true;
    for (at, c) in text.char_indices() {
        match c {
            '"' if !is_escaped => return at + 1,
            '\\' => is_escaped = !is_escaped,
            _ => is_escaped = false,
        }
    }
    text.len()
}

/// The code without what is compiled for tests only.
fn without_tests(code: &str) -> String {
    const TEST: &str = "#[cfg(test)]";
    let mut kept = String::new();
    let mut rest = code;
    while let Some(at) = rest.find(TEST) {
        kept.push_str(&rest[..at]);
        rest = &rest[at + TEST.len()..];
        let end = rest.find([';', '{']).unwrap_or(rest.len());
        rest = match rest[end..].starts_with('{') {
            true => after_block(&rest[end..]),
            false => &rest[end..],
        };
    }
    kept + rest
}

/// What follows the block with which the text begins.
fn after_block(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[at + 1..];
        }
    }
    ""
}

fn parsed(code: &str) -> Module {
    let mut module = Module::default();
    let words = words(code);
    let mut at = 0;
    while at < words.len() {
        let next = words.get(at + 1).map(String::as_str).unwrap_or_default();
        match words[at].as_str() {
            "mod" if words.get(at + 2).is_some_and(|word| word == ";") => {
                module.children.insert(next.to_owned());
            }
            "struct" | "enum" | "trait" | "fn" | "type" | "const" | "static" | "mod" => {
                module.items.insert(next.to_owned());
            }
            "use" => {
                at += 1;
                tree(&words, &mut at, &[], &mut module);
            }
            "crate" | "self" | "super" if next == "::" => {
                let end = (at..words.len())
                    .step_by(2)
                    .find(|end| words.get(end + 1).is_none_or(|word| word != "::"));
                let path = words[at..=end.unwrap_or(at)].iter().step_by(2);
                module
                    .paths
                    .push(path.filter(|word| is_name(word)).cloned().collect());
                at = end.unwrap_or(at);
            }
            _ => {}
        }
        at += 1;
    }
    module
}

/// Names, `::`, and single other characters.
fn words(code: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let name = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        let length = match name {
            0 if rest.starts_with("::") => 2,
            0 => first.len_utf8(),
            name => name,
        };
        words.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    words
}

fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// One tree of a `use`, from its first word to the one after it.
fn tree(words: &[String], at: &mut usize, before: &[String], module: &mut Module) {
    let mut path = before.to_vec();
    loop {
        let word = words[*at].as_str();
        *at += 1;
        match word {
            "::" => {}
            "{" => {
                while words[*at] != "}" {
                    tree(words, at, &path, module);
                    if words[*at] == "," {
                        *at += 1;
                    }
                }
                *at += 1;
                return;
            }
            "*" => return module.globs.push(path),
            name => {
                // `a::{self}` is `a`.
                if name != "self" || path.is_empty() {
                    path.push(name.to_owned());
                }
                match words[*at].as_str() {
                    "::" => {}
                    "as" => {
                        module.names.insert(words[*at + 1].clone(), path);
                        *at += 2;
                        return;
                    }
                    _ => {
                        module.names.insert(path[path.len() - 1].clone(), path);
                        return;
                    }
                }
            }
        }
    }
}

/// The module in which a path ends; `None` if it leads out of the crate. Those that re-export it on the way come to `through`.
fn resolve(
    modules: &BTreeMap<Names, Module>,
    from: &Names,
    path: &[String],
    through: &mut Vec<Names>,
) -> Option<Names> {
    // An import of a name from itself (`use tokio::sync`, in a file with a child `tokio`) would never end.
    if through.len() > 20 {
        return None;
    }
    let mut rest = path;
    let mut at = from.clone();
    match path.first()?.as_str() {
        "crate" => {
            at.clear();
            rest = &rest[1..];
        }
        "self" => rest = &rest[1..],
        "super" => {
            while rest.first().is_some_and(|name| name == "super") {
                at.pop();
                rest = &rest[1..];
            }
        }
        child if modules[from].children.contains(child) => {}
        _ => return None,
    }
    while let Some((name, after)) = rest.split_first() {
        let module = &modules[&at];
        if module.children.contains(name) {
            at.push(name.clone());
        } else if let Some(path) = module.names.get(name) {
            let path: Names = path.iter().chain(after).cloned().collect();
            through.push(at.clone());
            return resolve(modules, &at, &path, through);
        } else {
            return Some(globbed(modules, &at, name, through).unwrap_or(at));
        }
        rest = after;
    }
    Some(at)
}

/// The module that has this name for one which has it by `use ...::*`, through however many of them.
fn globbed(
    modules: &BTreeMap<Names, Module>,
    at: &Names,
    name: &String,
    through: &mut Vec<Names>,
) -> Option<Names> {
    if through.len() > 20 {
        return None;
    }
    through.push(at.clone());
    let found = modules[at].globs.iter().find_map(|glob| {
        let below = resolve(modules, at, glob, &mut through.clone())?;
        let module = &modules[&below];
        if module.items.contains(name) {
            Some(below)
        } else if let Some(path) = module.names.get(name) {
            through.push(below.clone());
            resolve(modules, &below, path, through)
        } else {
            globbed(modules, &below, name, through)
        }
    });
    if found.is_none() {
        through.pop();
    }
    found
}

#[test]
fn imports_are_read_whatever_form_they_have() {
    let code = "
        mod task;
        use crate::{post::{Letter, self}, ledger as log}; // use crate::no;
        pub use task::*;
        fn f() { let text = \"crate::never\"; supervise::fail(); crate::halt::cut::<u8>() }
        #[cfg(test)]
        mod tests { use crate::host::Shared; }
    ";
    let module = parsed(&without_tests(&without_text(code)));
    let text = |path: &Names| path.join("::");
    let names: Vec<String> = module.names.values().map(text).collect();
    assert_eq!(
        names,
        ["crate::post::Letter", "crate::ledger", "crate::post"]
    );
    assert_eq!(module.globs.iter().map(text).collect::<Vec<_>>(), ["task"]);
    assert_eq!(
        module.paths.iter().map(text).collect::<Vec<_>>(),
        ["crate::halt::cut"]
    );
    assert!(module.children.contains("task"));
}

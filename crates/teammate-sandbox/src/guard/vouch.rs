//! A trait for the repository's knowledge of content, because this crate runs no git.

use std::path::Path;

use ring::digest::{Algorithm, Context, SHA1_FOR_LEGACY_USE_ONLY, SHA256};

/// A trait for the repository's knowledge of its content.
pub trait Vouch: Send + Sync + std::fmt::Debug {
    /// Whether a commit that was there before members came has this content under this name in the working tree at `root`.
    fn is_known(&self, root: &Path, path: &Path, content: &Content<'_>) -> bool;

    /// Whether the repository has this content anywhere: then nothing is lost with the file.
    fn is_saved(&self, root: &Path, content: &Content<'_>) -> bool;
}

/// The content of a file of a working tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Content<'a> {
    /// A file's bytes.
    File {
        /// All of them.
        bytes: &'a [u8],
        /// Whether it can be run as a program.
        is_executable: bool,
    },
    /// The target of a link.
    Link(&'a Path),
}

impl Content<'_> {
    /// Its name among git's objects, of as many digits as those of the repository; also as it is with git's line ends, where
    /// that makes a difference.
    pub fn object_names(&self, digits: usize) -> Vec<String> {
        use std::os::unix::ffi::OsStrExt as _;
        let kind = match digits {
            64 => &SHA256,
            _ => &SHA1_FOR_LEGACY_USE_ONLY,
        };
        let bytes = match self {
            Self::File { bytes, .. } => bytes,
            Self::Link(to) => to.as_os_str().as_bytes(),
        };
        let mut names = vec![object_name(kind, bytes)];
        if bytes.windows(2).any(|pair| pair == b"\r\n") {
            let mut plain = bytes.to_vec();
            let ends: Vec<bool> = (bytes.windows(2))
                .map(|pair| pair == b"\r\n")
                .chain([false])
                .collect();
            let mut ends = ends.into_iter();
            plain.retain(|_| !ends.next().unwrap_or_default());
            names.push(object_name(kind, &plain));
        }
        names
    }
}

fn object_name(kind: &'static Algorithm, bytes: &[u8]) -> String {
    let mut context = Context::new(kind);
    context.update(format!("blob {}\0", bytes.len()).as_bytes());
    context.update(bytes);
    let digest = context.finish();
    digest
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

//! Pictures and documents that go with a message of the user: read from files, scaled and bounded as `read_file` does it.

use std::path::{Path, PathBuf};

pub use teammate_core::attachment::{
    ATTACHMENTS_BYTES_MAX, ATTACHMENTS_MAX, Attachment, AttachmentNote, Attachments,
    AttachmentsError, MediaType,
};
pub use teammate_tools::media::{MediaError, attachment_of_base64};

/// Why files cannot go with a message. Nothing was sent.
#[derive(Debug, thiserror::Error)]
pub enum AttachError {
    /// One of them cannot be shown to a model.
    #[error("{} cannot be attached: {why}; nothing was sent", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// Why not, and what would work.
        why: MediaError,
    },
    /// All together are too many or too large.
    #[error("{0}; nothing was sent")]
    All(#[from] AttachmentsError),
}

/// Reads files to send with a message. A file within `workspace` goes by its path there, so that members can look at it again; any
/// other by its name.
pub async fn read_attachments(
    workspace: &Path,
    paths: Vec<PathBuf>,
) -> Result<Attachments, AttachError> {
    let count = paths.len();
    if count > ATTACHMENTS_MAX {
        return Err(AttachmentsError::TooMany { count }.into());
    }
    let root = workspace.canonicalize().unwrap_or(workspace.to_owned());
    let reading = tokio::task::spawn_blocking(move || {
        let read = |path: PathBuf| {
            teammate_tools::media::read_attachment(&path, &name_of(&path, &root))
                .map_err(|why| AttachError::File { path, why })
        };
        paths.into_iter().map(read).collect::<Result<Vec<_>, _>>()
    });
    let files = match reading.await {
        Ok(files) => files?,
        Err(panic) => std::panic::resume_unwind(panic.into_panic()),
    };
    Ok(Attachments::try_from(files)?)
}

fn name_of(path: &Path, workspace: &Path) -> String {
    let full = path.canonicalize().unwrap_or(path.to_owned());
    let name = full
        .strip_prefix(workspace)
        .ok()
        .or_else(|| full.file_name().map(Path::new));
    name.unwrap_or(path).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn too_many_files_are_refused_before_any_is_read() {
        let paths = vec![PathBuf::from("/nowhere/a.png"); ATTACHMENTS_MAX + 1];
        let error = read_attachments(Path::new("/"), paths).await.unwrap_err();
        assert_eq!(
            error.to_string(),
            "a message can have 8 attachments and not 9; send the others in another message; nothing was sent"
        );
    }

    #[tokio::test]
    async fn a_file_goes_by_its_path_in_the_workspace_or_by_its_name() {
        let dir = tempfile::tempdir().unwrap();
        let pdf = "%PDF-1.4\nstartxref\n9\n%%EOF\n";
        let (inside, outside) = (dir.path().join("work/docs/a.pdf"), dir.path().join("b.pdf"));
        std::fs::create_dir_all(inside.parent().unwrap()).unwrap();
        std::fs::write(&inside, pdf).unwrap();
        std::fs::write(&outside, pdf).unwrap();
        let workspace = dir.path().join("work");
        let read = read_attachments(&workspace, vec![inside, outside])
            .await
            .unwrap();
        let names: Vec<_> = read.notes().into_iter().map(|note| note.name).collect();
        assert_eq!(names, ["docs/a.pdf", "b.pdf"]);
        let absent = vec![workspace.join("no.png")];
        let error = read_attachments(&workspace, absent)
            .await
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("no.png cannot be attached: it cannot be read"),
            "{error}"
        );
    }
}

//! Pictures and documents that a model does not take: it reads a line in place of each.

use teammate_core::model::ModelRequest;

use crate::{
    adapt::{Learnt, Part},
    settings::ModelSettings,
};

/// Which attachments a model takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Takes {
    pub(crate) pictures: bool,
    pub(crate) documents: bool,
}

impl Takes {
    /// The attachments that the model takes, less those that its server has refused. What is not known is sent.
    pub(crate) fn of(settings: &ModelSettings, learnt: &Learnt) -> Self {
        let facts = &settings.facts;
        Self {
            pictures: facts.pictures.unwrap_or(true) && !learnt.refuses(Part::Pictures),
            documents: facts.documents.unwrap_or(true) && !learnt.refuses(Part::Documents),
        }
    }

    /// The parts of it that a request holds, also inside tool results.
    pub(crate) fn parts_in(self, request: &ModelRequest) -> impl Iterator<Item = Part> {
        let holds = |mark: &str| {
            let mut blocks = request.messages.iter().flat_map(|message| &message.blocks);
            blocks.any(|block| block.json().contains(mark))
        };
        let pictures = self.pictures && holds(r#""type":"image""#);
        let documents = self.documents && holds(r#""type":"document""#);
        let held = [(pictures, Part::Pictures), (documents, Part::Documents)];
        held.into_iter()
            .filter(|(is_held, _)| *is_held)
            .map(|(_, part)| part)
    }
}

/// The line in place of a block of this kind, if the model does not take it.
pub(crate) fn line_for(kind: &str, title: Option<&str>, takes: Takes) -> Option<String> {
    let what = match kind {
        "image" if !takes.pictures => "a picture",
        "document" if !takes.documents => "a document",
        _ => return None,
    };
    let title = title.map_or_else(String::new, |title| format!(" ({title})"));
    Some(format!(
        "[{what}{title} is here, which this model cannot read]"
    ))
}

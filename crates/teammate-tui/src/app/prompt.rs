//! The prompt: whom it speaks to, a draft for each recipient, history, search and completion.

use std::collections::BTreeMap;

use teammate_core::MemberName;
use teammate_view::{Completion, Editor, History};

/// The typed text, and what can come of it.
pub(crate) struct TypedPrompt {
    pub(crate) editor: Editor,
    to: MemberName,
    drafts: BTreeMap<MemberName, Editor>,
    /// The draft that something more urgent is typed in place of.
    aside: Option<Editor>,
    pub(crate) history: History,
    pub(crate) completion: Option<Completion>,
    pub(crate) search: Option<PromptSearch>,
}

/// A search through what was typed before.
#[derive(Debug, Default)]
pub(crate) struct PromptSearch {
    pub(crate) word: String,
    /// The number of the entry that is shown.
    pub(crate) found: Option<usize>,
    /// The text that was typed before the search.
    typed: String,
}

impl TypedPrompt {
    pub(crate) fn new(kept: &BTreeMap<String, String>, history: &[String]) -> Self {
        let mut prompt = Self {
            editor: Editor::default(),
            to: MemberName::lead(),
            drafts: BTreeMap::new(),
            aside: None,
            history: History::of(history.iter().cloned()),
            completion: None,
            search: None,
        };
        prompt.read_drafts(kept);
        prompt
    }

    fn read_drafts(&mut self, kept: &BTreeMap<String, String>) {
        for (name, text) in kept {
            let Ok(name) = MemberName::parse(name) else {
                continue;
            };
            if name == self.to {
                self.editor = Editor::of(text);
            } else {
                self.drafts.insert(name, Editor::of(text));
            }
        }
    }

    /// Whom it speaks to.
    pub(crate) fn to(&self) -> &MemberName {
        &self.to
    }

    /// Speaks to another member from now on; what is typed stays with the one before.
    pub(crate) fn turn_to(&mut self, to: MemberName) {
        if to == self.to {
            return;
        }
        self.completion = None;
        self.search = None;
        self.bring_back();
        let draft = std::mem::take(&mut self.editor);
        let before = std::mem::replace(&mut self.to, to);
        if !draft.is_empty() {
            self.drafts.insert(before, draft);
        }
        self.editor = self.drafts.remove(&self.to).unwrap_or_default();
    }

    /// Begins something that has to be typed now. The draft comes back when that is sent or given up.
    pub(crate) fn interject(&mut self, text: &str) {
        self.end_search(false);
        self.completion = None;
        let draft = std::mem::take(&mut self.editor);
        self.aside.get_or_insert(draft);
        self.editor.set(text);
    }

    /// The draft that was set aside is there again; false if there was none.
    pub(crate) fn bring_back(&mut self) -> bool {
        let Some(draft) = self.aside.take() else {
            return false;
        };
        self.editor = draft;
        true
    }

    /// Everything that is typed and was not sent, by recipient. What was begun in place of a draft is none.
    pub(crate) fn unsent(&self) -> BTreeMap<String, String> {
        let draft = self.aside.as_ref().unwrap_or(&self.editor);
        let here = (self.to.to_string(), draft.text());
        let others = self.drafts.iter();
        let others = others.map(|(name, editor)| (name.to_string(), editor.text()));
        let all = std::iter::once(here).chain(others);
        all.filter(|(_, text)| !text.is_empty()).collect()
    }

    /// Whether a member or a file was chosen from what is offered.
    pub(crate) fn has_chosen_name(&self) -> bool {
        let offered = self.completion.as_ref();
        offered
            .is_some_and(|offered| offered.chosen().is_some() && offered.typed().starts_with('@'))
    }

    /// Takes the text to send it.
    pub(crate) fn take(&mut self) -> String {
        self.completion = None;
        let text = self.editor.take();
        self.history.add(&text);
        self.bring_back();
        text
    }

    /// Begins a search, or goes to the next older entry.
    pub(crate) fn search_on(&mut self) {
        let typed = self.editor.text();
        let search = self.search.get_or_insert_with(|| PromptSearch {
            typed,
            ..PromptSearch::default()
        });
        let than = search.found;
        if let Some((at, text)) = self.history.find(&search.word, than) {
            search.found = Some(at);
            self.editor.set(text);
        }
    }

    /// The word that is looked for has changed.
    pub(crate) fn search_for(&mut self, change: impl FnOnce(&mut String)) {
        let Some(search) = &mut self.search else {
            return;
        };
        change(&mut search.word);
        search.found = None;
        if let Some((at, text)) = self.history.find(&search.word, None) {
            search.found = Some(at);
            self.editor.set(text);
        }
    }

    /// Ends the search with what is shown, or with what was typed before it.
    pub(crate) fn end_search(&mut self, accept: bool) {
        if let Some(search) = self.search.take()
            && !accept
        {
            self.editor.set(&search.typed);
        }
    }
}

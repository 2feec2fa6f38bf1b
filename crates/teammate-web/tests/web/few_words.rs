//! What a prompt offers in these tests.

use teammate_view::Words;

/// Two commands and two files.
pub(crate) struct FewWords;

impl Words for FewWords {
    fn commands(&self) -> Vec<(String, String)> {
        let words = ["/team", "/tasks"];
        words
            .map(|word| (word.to_owned(), "about it".to_owned()))
            .into()
    }

    fn members(&self) -> Vec<String> {
        Vec::new()
    }

    fn files(&self, begin: &str) -> Vec<String> {
        let files = ["src/", "notes.txt"].into_iter();
        files
            .filter(|file| file.starts_with(begin))
            .map(str::to_owned)
            .collect()
    }
}

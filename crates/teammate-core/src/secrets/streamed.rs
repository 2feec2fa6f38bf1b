//! Hides secrets in text that comes in pieces: what may be the beginning of one is held back until more is known.

use std::sync::Arc;

use super::Secrets;

/// A text in pieces, without secrets.
#[derive(Debug)]
pub struct Streamed {
    secrets: Arc<Secrets>,
    held: String,
}

impl Streamed {
    /// A text that has not begun.
    pub fn new(secrets: Arc<Secrets>) -> Self {
        Self {
            secrets,
            held: String::new(),
        }
    }

    /// Takes the next piece and returns what can be shown now; it may be empty.
    pub fn take(&mut self, piece: &str) -> String {
        self.held.push_str(piece);
        let held = self.held.split_off(self.known());
        let known = std::mem::replace(&mut self.held, held);
        self.secrets.redact(&known).into_owned()
    }

    /// The text has ended: returns what was held back.
    pub fn rest(&mut self) -> String {
        let rest = std::mem::take(&mut self.held);
        self.secrets.redact(&rest).into_owned()
    }

    /// How many bytes may be shown: neither the beginning of a secret nor a part of one is cut off from the rest of it.
    fn known(&self) -> usize {
        let text = &self.held;
        let secrets = self.secrets.all();
        let mut known = text.len() - self.secrets.beginning_at_end(text.as_bytes());
        loop {
            let straddling = secrets.iter().find_map(|secret| {
                let secret = secret.text();
                let mut found = text.match_indices(secret).map(|(at, _)| at);
                found.find(|at| *at < known && known < at + secret.len())
            });
            match straddling {
                Some(at) => known = at,
                None => return known,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wherever_a_text_is_cut_no_secret_is_shown() {
        let named = [
            ("A", "sk-abcabcabd"),
            ("B", "abcabcab"),
            ("LONG", "key-12345678-more"),
            ("PART", "key-12345678"),
            ("Ñ", "ññññ"),
        ];
        let named = named.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let secrets = Arc::new(Secrets::new(named));
        let text = "x sk-abcabcabd sk-abc abcabcab key-12345678-more key-12345678-m ñññññ abcabc";
        let whole =
            "x [secret A] sk-abc [secret B] [secret LONG] [secret PART]-m [secret Ñ]ñ abcabc";
        let cuts = || (0..=text.len()).filter(|at| text.is_char_boundary(*at));
        for one in cuts() {
            for two in cuts().filter(|two| *two >= one) {
                let mut streamed = Streamed::new(secrets.clone());
                let pieces = [&text[..one], &text[one..two], &text[two..]];
                let mut shown: String = pieces.map(|piece| streamed.take(piece)).concat();
                shown += &streamed.rest();
                assert_eq!(shown, whole, "{one} {two}");
            }
        }
    }

    #[test]
    fn text_that_begins_no_secret_is_shown_at_once() {
        let named = [("KEY".to_owned(), "sk-abcdefgh".to_owned())];
        let mut streamed = Streamed::new(Arc::new(Secrets::new(named)));
        assert_eq!(streamed.take("Hello"), "Hello");
        assert_eq!(streamed.take(" s"), " ");
        assert_eq!(streamed.take("o"), "so");
    }
}

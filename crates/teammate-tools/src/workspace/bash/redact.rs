//! Keeps secrets out of what a command prints, while it prints: what may be the beginning of one is held back until it is
//! known.

use std::{borrow::Cow, sync::Arc};

use memchr::memmem;
use teammate_core::secrets::Secrets;

/// A stream without secrets.
pub(super) struct StreamRedactor {
    secrets: Arc<Secrets>,
    held: Vec<u8>,
}

impl StreamRedactor {
    pub(super) fn new(secrets: Arc<Secrets>) -> Self {
        Self {
            secrets,
            held: Vec::new(),
        }
    }

    /// Takes the next bytes, and returns those that can be passed on.
    pub(super) fn take<'a>(&mut self, bytes: &'a [u8]) -> Cow<'a, [u8]> {
        let mut all = if self.held.is_empty() {
            Cow::Borrowed(bytes)
        } else {
            self.held.extend_from_slice(bytes);
            Cow::Owned(std::mem::take(&mut self.held))
        };
        for secret in self.secrets.all().iter() {
            let (secret, shown) = (secret.text().as_bytes(), secret.shown().as_bytes());
            if memmem::find(&all, secret).is_some() {
                all = Cow::Owned(replaced(&all, secret, shown));
            }
        }
        let held = self.secrets.beginning_at_end(&all);
        if held > 0 {
            let mut whole = all.into_owned();
            self.held = whole.split_off(whole.len() - held);
            all = Cow::Owned(whole);
        }
        all
    }

    /// The bytes that were held back: nothing came that made a secret of them.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }
}

fn replaced(bytes: &[u8], secret: &[u8], shown: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut from = 0;
    for at in memmem::find_iter(bytes, secret) {
        out.extend_from_slice(&bytes[from..at]);
        out.extend_from_slice(shown);
        from = at + secret.len();
    }
    out.extend_from_slice(&bytes[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wherever_a_stream_is_cut_a_secret_is_not_in_it() {
        let named = [("A", "sk-abcabcabd"), ("B", "abcabcab")];
        let named = named.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let secrets = Arc::new(Secrets::new(named));
        let text = b"x sk-abcabcabd y sk-abc sk-abcabcabcab \xff abcabca";
        let whole: &[u8] = b"x [secret A] y sk-abc sk-[secret B]cab \xff abcabca";
        for one in 0..=text.len() {
            for two in one..=text.len() {
                let mut hiding = StreamRedactor::new(secrets.clone());
                let mut out = Vec::new();
                for piece in [&text[..one], &text[one..two], &text[two..]] {
                    out.extend_from_slice(&hiding.take(piece));
                }
                out.extend(hiding.rest());
                let shown = String::from_utf8_lossy(&out);
                assert!(
                    !shown.contains("sk-abcabcabd") && !shown.contains("abcabcab"),
                    "{one} {two}: {shown}"
                );
                if (one, two) == (0, 0) {
                    assert_eq!(out, whole);
                }
            }
        }
    }
}

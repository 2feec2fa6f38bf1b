//! Server-sent events: bytes in, events out, however the bytes are split into chunks.
//!
//! Only what model servers use: `event` and `data`. It does not reconnect, and `id` and `retry` mean nothing to it.

/// The most bytes one event may have.
pub(crate) const EVENT_BYTES_MAX: usize = 16 << 20;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SseEvent {
    /// The `event` field; empty if there was none.
    pub(crate) name: String,
    /// The `data` lines, joined.
    pub(crate) data: String,
}

impl SseEvent {
    /// Whether it says nothing: relays keep a connection alive with blank data, `null` or a word.
    pub(crate) fn is_keep_alive(&self) -> bool {
        self.name != "error" && !self.data.trim_start().starts_with(['{', '['])
    }
}

/// An event is larger than [`EVENT_BYTES_MAX`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the server sent an event of more than {EVENT_BYTES_MAX} bytes")]
pub(crate) struct TooLarge;

/// Splits a stream of bytes into events. An event without its closing blank line is dropped. A stream that begins as JSON has no
/// events, and is kept as it is.
#[derive(Debug, Default)]
pub(crate) struct SseReader {
    /// Whether anything but blanks came.
    has_begun: bool,
    /// All since then, where it begins as JSON.
    body: Option<Vec<u8>>,
    line: Vec<u8>,
    event: SseEvent,
    has_data: bool,
    after_cr: bool,
    past_bom: bool,
}

impl SseReader {
    /// Reads the next bytes and adds the events that they complete to `out`.
    pub(crate) fn feed(
        &mut self,
        mut bytes: &[u8],
        out: &mut impl Extend<SseEvent>,
    ) -> Result<(), TooLarge> {
        if !self.has_begun
            && let Some(first) = bytes.iter().find(|byte| !byte.is_ascii_whitespace())
        {
            self.has_begun = true;
            self.body = (*first == b'{').then(Vec::new);
        }
        if let Some(body) = &mut self.body {
            if body.len() + bytes.len() > EVENT_BYTES_MAX {
                return Err(TooLarge);
            }
            body.extend_from_slice(bytes);
            return Ok(());
        }
        while let Some(&first) = bytes.first() {
            // The LF of a CRLF may come in a later chunk than its CR, which already ended the line.
            if std::mem::take(&mut self.after_cr) && first == b'\n' {
                bytes = &bytes[1..];
                continue;
            }
            let end = bytes.iter().position(|&b| b == b'\n' || b == b'\r');
            let part = &bytes[..end.unwrap_or(bytes.len())];
            if self.line.len() + self.event.data.len() + part.len() > EVENT_BYTES_MAX {
                return Err(TooLarge);
            }
            self.line.extend_from_slice(part);
            let Some(end) = end else { break };
            self.after_cr = bytes[end] == b'\r';
            bytes = &bytes[end + 1..];
            self.end_line(out);
        }
        Ok(())
    }

    /// The whole, of what was no stream of events.
    pub(crate) fn take_body(&mut self) -> Option<String> {
        let body = self.body.take()?;
        Some(String::from_utf8_lossy(&body).into_owned())
    }

    fn end_line(&mut self, out: &mut impl Extend<SseEvent>) {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if !std::mem::replace(&mut self.past_bom, true) {
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            if std::mem::take(&mut self.has_data) {
                out.extend([event]);
            }
            return;
        }
        let colon = line.iter().position(|&b| b == b':');
        let (field, value) = line.split_at(colon.unwrap_or(line.len()));
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"event" => self.event.name = String::from_utf8_lossy(value).into_owned(),
            b"data" => {
                if std::mem::replace(&mut self.has_data, true) {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(&String::from_utf8_lossy(value));
            }
            // Comments have an empty field name; unknown fields are ignored.
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(chunks: &[&[u8]]) -> Vec<SseEvent> {
        let (mut reader, mut events) = (SseReader::default(), Vec::new());
        for chunk in chunks {
            reader.feed(chunk, &mut events).unwrap();
        }
        events
    }

    fn event(name: &str, data: &str) -> SseEvent {
        SseEvent {
            name: name.into(),
            data: data.into(),
        }
    }

    #[test]
    fn every_line_ending_is_read() {
        for end in ["\n", "\r", "\r\n"] {
            let text = "\u{feff}event: a|data: 1|data:2||: a comment||data|id: 7||data: x: y||"
                .replace('|', end);
            assert_eq!(
                read(&[text.as_bytes()]),
                [event("a", "1\n2"), event("", ""), event("", "x: y")],
                "{end:?}"
            );
        }
    }

    #[test]
    fn an_event_without_its_blank_line_is_not_seen() {
        assert_eq!(read(&[b"data: 1\n\ndata: 2\n"]), [event("", "1")]);
        assert_eq!(read(&[b"event: x\n\n"]), []);
    }

    #[test]
    fn what_begins_as_json_is_kept_whole() {
        let text = "\n {\n\"a\": 1\n\n}";
        for cut in 0..text.len() {
            let (mut reader, mut events) = (SseReader::default(), Vec::new());
            for part in [&text[..cut], &text[cut..]] {
                reader.feed(part.as_bytes(), &mut events).unwrap();
            }
            let body = reader.take_body().map(|body| body.trim().to_owned());
            assert_eq!(body.as_deref(), Some(text.trim()), "cut at {cut}");
            assert_eq!(events, []);
        }
        let mut reader = SseReader::default();
        reader.feed(b"data: {}\n{\n\n", &mut Vec::new()).unwrap();
        assert_eq!(reader.take_body(), None);
    }

    #[test]
    fn an_event_without_end_is_refused() {
        let (mut reader, mut events) = (SseReader::default(), Vec::new());
        let megabyte = vec![b'x'; 1 << 20];
        let mut fed = Ok(());
        for _ in 0..17 {
            fed = fed.and_then(|()| reader.feed(&megabyte, &mut events));
        }
        assert_eq!(fed, Err(TooLarge));
        let mut lines = b"data: ".to_vec();
        lines.extend(&megabyte);
        lines.push(b'\n');
        let mut reader = SseReader::default();
        assert!((0..17).any(|_| reader.feed(&lines, &mut events).is_err()));
    }

    proptest! {
        #[test]
        fn chunks_make_no_difference(
            pieces in prop::collection::vec(prop::sample::select(vec![
                "data:", "data: ", "event: ", ": ", "é", "🦀", "x", "\r", "\n", "\r\n", "\n\n", "\u{feff}", ":", "\u{0}",
            ]), 0..60),
            cuts in prop::collection::vec(0usize..200, 0..12),
        ) {
            let text = pieces.concat();
            let bytes = text.as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            let singles: Vec<&[u8]> = bytes.chunks(1).collect();
            prop_assert_eq!(read(&chunks), read(&[bytes]));
            prop_assert_eq!(read(&singles), read(&[bytes]));
        }
    }
}

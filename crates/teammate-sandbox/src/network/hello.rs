//! The first message of a TLS connection, read for the name of the server that it is for.

use teammate_core::permission::HostName;

/// How much of a connection is looked at, in bytes: a first message is seldom a tenth of it.
pub(super) const BYTES_MAX: usize = 16 * 1024 + 5;

/// The kind of a connection, by its beginning.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Hello {
    /// More is needed to tell.
    Partial,
    /// Something other than TLS.
    Other,
    /// TLS, for this server; `None` if it names none, or none that can be.
    Tls(Option<HostName>),
}

/// Reads the beginning of a connection (RFC 8446, section 4.1.2).
pub(super) fn read(bytes: &[u8]) -> Hello {
    const HANDSHAKE: u8 = 22;
    match bytes {
        [] => Hello::Partial,
        [HANDSHAKE, rest @ ..] => {
            let Some(length) = rest.get(2..4) else {
                return Hello::Partial;
            };
            let length = usize::from(u16::from_be_bytes([length[0], length[1]]));
            match rest.get(4..4 + length) {
                Some(record) if is_whole(record) => Hello::Tls(server(record)),
                Some(_) | None => Hello::Partial,
            }
        }
        [_, ..] => Hello::Other,
    }
}

/// Whether a message ends where its record does. One that is cut into records is not put together here, and so stays partial.
fn is_whole(record: &[u8]) -> bool {
    let mut rest = Rest(record);
    let length = rest.take(4).map(|head| [0, head[1], head[2], head[3]]);
    length.is_some_and(|length| u32::from_be_bytes(length) as usize <= rest.0.len())
}

/// The name in the message, if the message is whole.
fn server(record: &[u8]) -> Option<HostName> {
    const CLIENT_HELLO: u8 = 1;
    const SERVER_NAME: u16 = 0;
    let mut rest = Rest(record);
    if rest.byte()? != CLIENT_HELLO {
        return None;
    }
    // Its length, version and random bytes.
    rest.take(3 + 2 + 32)?;
    let session = rest.byte()?.into();
    rest.take(session)?;
    let ciphers = rest.number()?.into();
    rest.take(ciphers)?;
    let compressions = rest.byte()?.into();
    rest.take(compressions)?;
    let length = rest.number()?.into();
    let mut extensions = Rest(rest.take(length)?);
    while let Some(kind) = extensions.number() {
        let length = extensions.number()?.into();
        let mut extension = Rest(extensions.take(length)?);
        if kind == SERVER_NAME {
            // The list's length, and the kind of name: 0 is a host.
            extension.take(3)?;
            let length = extension.number()?.into();
            let name = std::str::from_utf8(extension.take(length)?).ok()?;
            return HostName::parse(name);
        }
    }
    None
}

struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        Some(self.take(1)?[0])
    }

    fn number(&mut self) -> Option<u16> {
        let taken = self.take(2)?;
        Some(u16::from_be_bytes([taken[0], taken[1]]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A first message with a server's name in it, after another extension.
    fn hello(name: &str) -> Vec<u8> {
        let with_length = |bytes: &[u8]| {
            let length = u16::try_from(bytes.len()).unwrap().to_be_bytes();
            [&length[..], bytes].concat()
        };
        let names = with_length(&[&[0][..], &with_length(name.as_bytes())].concat());
        let extensions = [&[0, 23, 0, 0][..], &[0, 0], &with_length(&names)].concat();
        let body = [
            &[3, 3][..],
            &[9; 32],
            &[0],
            &with_length(&[0x13, 1]),
            &[1, 0],
            &with_length(&extensions),
        ]
        .concat();
        let length = u32::try_from(body.len()).unwrap().to_be_bytes();
        let message = [&[1][..], &length[1..], &body].concat();
        [&[22, 3, 1][..], &with_length(&message)].concat()
    }

    #[test]
    fn the_name_is_found() {
        let whole = hello("crates.io");
        assert_eq!(read(&whole), Hello::Tls(HostName::parse("crates.io")));
        for length in 0..whole.len() {
            assert_eq!(read(&whole[..length]), Hello::Partial, "{length}");
        }
    }

    #[test]
    fn a_message_in_two_records_stays_partial() {
        let whole = hello("crates.io");
        let (first, second) = whole[5..].split_at(20);
        let record = |bytes: &[u8]| {
            let length = u16::try_from(bytes.len()).unwrap().to_be_bytes();
            [&[22, 3, 1][..], &length, bytes].concat()
        };
        let cut = [record(first), record(second)].concat();
        assert_eq!(read(&cut), Hello::Partial);
    }

    #[test]
    fn what_names_nobody_names_nobody() {
        assert_eq!(read(&hello("127.0.0.1")), Hello::Tls(None));
        assert_eq!(read(&hello("a\0b")), Hello::Tls(None));
        assert_eq!(read(b"GET / HTTP/1.1\r\n"), Hello::Other);
        assert_eq!(read(b"SSH-2.0-x"), Hello::Other);
    }
}

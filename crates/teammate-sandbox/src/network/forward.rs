//! A plain request that a proxy passes on.

/// A request to be passed on.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Forward {
    pub(super) method: String,
    pub(super) authority: String,
    pub(super) path: String,
    pub(super) version: String,
    /// Each with the end of its line.
    pub(super) headers: String,
}

impl Forward {
    /// As the server reads it.
    pub(super) fn to_server(&self) -> Vec<u8> {
        self.written(&self.path, "")
    }

    /// As another proxy reads it.
    pub(super) fn to_proxy(&self, more_headers: &str) -> Vec<u8> {
        let url = format!("http://{}{}", self.authority, self.path);
        self.written(&url, more_headers)
    }

    fn written(&self, target: &str, more_headers: &str) -> Vec<u8> {
        let Self {
            method,
            authority,
            version,
            headers,
            ..
        } = self;
        format!(
            "{method} {target} {version}\r\nHost: {authority}\r\nConnection: close\r\n{headers}{more_headers}\r\n"
        )
        .into_bytes()
    }
}

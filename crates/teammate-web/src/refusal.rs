//! Why a request is not answered with what it asks for: a status and a sentence.

use axum::{
    http::{StatusCode, header::WWW_AUTHENTICATE},
    response::{IntoResponse, Response},
};

/// A refusal, with what would have worked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PageRefusal {
    pub(crate) status: StatusCode,
    pub(crate) text: String,
}

impl PageRefusal {
    pub(crate) fn new(status: StatusCode, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { status, text }
    }

    pub(crate) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, "there is nothing here")
    }
}

impl IntoResponse for PageRefusal {
    fn into_response(self) -> Response {
        let mut response = (self.status, format!("{}\n", self.text)).into_response();
        if self.status == StatusCode::UNAUTHORIZED {
            let challenge = axum::http::HeaderValue::from_static("Bearer");
            response.headers_mut().insert(WWW_AUTHENTICATE, challenge);
        }
        response
    }
}

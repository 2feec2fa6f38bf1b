//! Texts that are parsed once at the edge: what a newtype of `Arc<str>` with a `parse` has besides it.

/// Gives a newtype of `Arc<str>` its text back: shown, in a log, and in JSON, where it is parsed again.
///
/// The type has `parse(&str) -> Result<Self, $error>` and `#[serde(try_from = "String", into = "String")]`.
#[macro_export]
macro_rules! parsed_text {
    ($name:ident, $error:ty) => {
        impl $name {
            /// As text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Debug::fmt(&*self.0, f)
            }
        }

        impl TryFrom<String> for $name {
            type Error = $error;
            fn try_from(text: String) -> Result<Self, $error> {
                Self::parse(&text)
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> Self {
                text.0.as_ref().to_owned()
            }
        }
    };
}

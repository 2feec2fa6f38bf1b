//! Ids that people type: a letter and a number.

/// An id of a letter and a number, as `b1`: read from text and written as text, also in JSON.
macro_rules! numbered_id {
    ($(#[$doc:meta])* $name:ident, $letter:literal, $what:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(u32);

        impl $name {
            /// The one of that number.
            pub fn new(number: u32) -> Self {
                Self(number)
            }

            /// The number.
            pub fn number(self) -> u32 {
                self.0
            }

            #[doc = concat!("Reads `", $letter, "1`.")]
            pub fn parse(text: &str) -> Option<Self> {
                let digits = text.trim().strip_prefix($letter)?;
                let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
                digits.parse().ok().filter(|_| is_number).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(&format!("{}{}", $letter, self.0))
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;
            fn try_from(text: String) -> Result<Self, String> {
                Self::parse(&text).ok_or_else(|| format!("'{text}' is not the id of {}", $what))
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> Self {
                id.to_string()
            }
        }
    };
}

pub(super) use numbered_id;

//! How long prompt caches last.

/// How long a server keeps a prompt cache after its last use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CacheLifetime {
    /// The cheapest lifetime: five minutes at most vendors.
    #[default]
    Short,
    /// An hour, where the server offers it: writing costs more.
    Long,
}

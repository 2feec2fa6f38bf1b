//! How contents of several parts are hashed, for a yes to exactly them.

use ring::digest::Context;

/// Gives parts to a hash, each after its length, so that no two lists of parts are the same bytes.
pub(super) fn feed<'a>(context: &mut Context, parts: impl IntoIterator<Item = &'a [u8]>) {
    for part in parts {
        context.update(&(part.len() as u64).to_le_bytes());
        context.update(part);
    }
}

//! Limits on the size of one answer.

/// The most blocks of one answer; a tool call is a block.
pub(crate) const BLOCKS_MAX: usize = 32_768;
/// The most bytes of all blocks of one answer.
pub(crate) const BLOCK_BYTES_MAX: usize = 32 << 20;
/// The most fields by different names that a stream may add to one object.
const FIELDS_MAX: usize = 256;
/// The most bytes that may be read again because a server starts a call over.
const REREAD_BYTES_MAX: usize = 512 << 20;

/// The error text for an answer that reaches a limit.
pub(crate) const ENDLESS: &str = "answered without end";

/// An answer has reached one of the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Endless;

/// The size of an answer so far.
#[derive(Debug, Default)]
pub(crate) struct Size {
    blocks: usize,
    bytes: usize,
    reread: usize,
}

impl Size {
    /// Counts one more block, which starts with `bytes` bytes.
    pub(crate) fn block(&mut self, bytes: usize) -> Result<(), Endless> {
        self.blocks += 1;
        if self.blocks > BLOCKS_MAX {
            return Err(Endless);
        }
        self.grow(bytes)
    }

    /// Counts `bytes` more bytes of a block.
    pub(crate) fn grow(&mut self, bytes: usize) -> Result<(), Endless> {
        bounded(&mut self.bytes, bytes, BLOCK_BYTES_MAX)
    }

    /// Counts `bytes` bytes that will be read again.
    pub(crate) fn reread(&mut self, bytes: usize) -> Result<(), Endless> {
        bounded(&mut self.reread, bytes, REREAD_BYTES_MAX)
    }

    /// Grows with every event that adds something to the answer.
    pub(crate) fn total(&self) -> usize {
        self.blocks + self.bytes
    }
}

fn bounded(known: &mut usize, more: usize, most: usize) -> Result<(), Endless> {
    *known = known.saturating_add(more);
    if *known > most { Err(Endless) } else { Ok(()) }
}

/// Adds one field to an object that has `fields` added fields already.
pub(crate) fn one_more_field(fields: usize) -> Result<(), Endless> {
    if fields < FIELDS_MAX {
        Ok(())
    } else {
        Err(Endless)
    }
}

//! How large one answer may become before it counts as endless.

/// The most blocks of one answer; a tool call is a block.
pub(crate) const BLOCKS_MAX: usize = 32_768;
/// The most bytes of all blocks of one answer.
pub(crate) const BLOCK_BYTES_MAX: usize = 32 << 20;
/// The most fields by different names that a stream may add to one object.
const FIELDS_MAX: usize = 256;
/// The most bytes that may be looked at again because a server begins a call anew.
const REREAD_BYTES_MAX: usize = 512 << 20;

/// What is said of a server whose answer reaches one of the limits.
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
    /// The answer has one more block, which begins with so many bytes.
    pub(crate) fn block(&mut self, bytes: usize) -> Result<(), Endless> {
        self.blocks += 1;
        if self.blocks > BLOCKS_MAX {
            return Err(Endless);
        }
        self.grow(bytes)
    }

    /// A block has so many bytes more.
    pub(crate) fn grow(&mut self, bytes: usize) -> Result<(), Endless> {
        bounded(&mut self.bytes, bytes, BLOCK_BYTES_MAX)
    }

    /// So many bytes are to be looked at again.
    pub(crate) fn reread(&mut self, bytes: usize) -> Result<(), Endless> {
        bounded(&mut self.reread, bytes, REREAD_BYTES_MAX)
    }

    /// What tells a step that brought something from one that brought nothing.
    pub(crate) fn total(&self) -> usize {
        self.blocks + self.bytes
    }
}

fn bounded(known: &mut usize, more: usize, most: usize) -> Result<(), Endless> {
    *known = known.saturating_add(more);
    if *known > most { Err(Endless) } else { Ok(()) }
}

/// An object to which so many fields were added already gets one more.
pub(crate) fn one_more_field(fields: usize) -> Result<(), Endless> {
    if fields < FIELDS_MAX {
        Ok(())
    } else {
        Err(Endless)
    }
}

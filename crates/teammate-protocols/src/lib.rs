//! How other programs are spoken with: lines of bounded length ([`lines`]), JSON-RPC in them ([`rpc`]), programs that are talked with
//! over their standard streams ([`program`]); and above these the Model Context Protocol, on both of its sides, and the Agent Client
//! Protocol, on the side of the client.
//!
//! What a program asks for is not decided here, nor how one is started: that is the port `ProgramStarter`. Teams are driven by both
//! protocols in `teammate-serve`, which stands above the library, as the library is a client here.

#[cfg(feature = "acp")]
pub mod acp;
pub mod lines;
#[cfg(any(feature = "mcp", feature = "mcp-server"))]
pub mod mcp;
pub mod program;
pub mod rpc;

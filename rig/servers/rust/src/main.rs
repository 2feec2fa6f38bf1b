//! A server of tools, written with the Rust SDK.

use rmcp::{
    ServiceExt as _,
    handler::server::wrapper::Parameters,
    schemars::JsonSchema,
    tool, tool_router,
    transport::stdio,
};

struct Sums;

#[derive(serde::Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct Pair {
    a: i64,
    b: i64,
}

#[tool_router(server_handler)]
impl Sums {
    /// Adds two numbers.
    #[tool]
    async fn add(&self, Parameters(Pair { a, b }): Parameters<Pair>) -> String {
        (a + b).to_string()
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Sums.serve(stdio()).await?.waiting().await?;
    Ok(())
}

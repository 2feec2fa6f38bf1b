//! Every name that leaves the program, in one place.
//!
//! `gen_ai.*` is of the OpenTelemetry semantic conventions for generative AI, all of them in development:
//! open-telemetry/semantic-conventions-genai at commit 002c8a6ea1c8a42b14a4527db83b3cabcded610a (docs/gen-ai, docs/registry),
//! metrics with their bounds at 004902b8cb70aa5ae6ca4ae07132b7daabcd3e10. `service.*` and `error.type` are of the stable ones.
//! `teammate.*` is ours: there is no convention for mail between agents, for waits and for money.

/// Names of attributes: the subjects of spans and numbers.
pub mod attribute {
    pub const AGENT_ID: &str = "gen_ai.agent.id";
    pub const AGENT_NAME: &str = "gen_ai.agent.name";
    pub const CONVERSATION_ID: &str = "gen_ai.conversation.id";
    pub const OPERATION: &str = "gen_ai.operation.name";
    pub const OUTPUT_MESSAGES: &str = "gen_ai.output.messages";
    pub const PROVIDER: &str = "gen_ai.provider.name";
    pub const REQUEST_MODEL: &str = "gen_ai.request.model";
    pub const FINISH_REASONS: &str = "gen_ai.response.finish_reasons";
    pub const RESPONSE_MODEL: &str = "gen_ai.response.model";
    pub const TOKEN_TYPE: &str = "gen_ai.token.type";
    pub const TOOL_ARGUMENTS: &str = "gen_ai.tool.call.arguments";
    pub const TOOL_CALL_ID: &str = "gen_ai.tool.call.id";
    pub const TOOL_RESULT: &str = "gen_ai.tool.call.result";
    pub const TOOL_NAME: &str = "gen_ai.tool.name";
    pub const TOOL_TYPE: &str = "gen_ai.tool.type";
    pub const CACHE_CREATION_TOKENS: &str = "gen_ai.usage.cache_creation.input_tokens";
    pub const CACHE_READ_TOKENS: &str = "gen_ai.usage.cache_read.input_tokens";
    pub const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
    pub const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
    pub const REASONING_TOKENS: &str = "gen_ai.usage.reasoning.output_tokens";
    pub const WORKFLOW_NAME: &str = "gen_ai.workflow.name";

    pub const ERROR_TYPE: &str = "error.type";
    pub const SERVICE_INSTANCE: &str = "service.instance.id";
    pub const SERVICE_NAME: &str = "service.name";
    pub const SERVICE_VERSION: &str = "service.version";

    pub const COST: &str = "teammate.cost";
    pub const CURRENCY: &str = "teammate.currency";
    pub const ESTIMATED: &str = "teammate.estimated";
    pub const ESTIMATED_TOKENS: &str = "teammate.usage.estimated_tokens";
    pub const MAIL_CONTENT: &str = "teammate.mail.content";
    pub const MAIL_END: &str = "teammate.mail.end";
    pub const MAIL_FROM: &str = "teammate.mail.from";
    pub const MAIL_ID: &str = "teammate.mail.id";
    pub const MAIL_KIND: &str = "teammate.mail.kind";
    pub const MAIL_TO: &str = "teammate.mail.to";
    pub const PLAN_END: &str = "teammate.plan.end";
    pub const RETRIES: &str = "teammate.retries";
    pub const ROUND: &str = "teammate.round";
    pub const RUN_END: &str = "teammate.run.end";
    pub const RUN_ID: &str = "teammate.run.id";
    pub const TOOL_WAITED: &str = "teammate.tool.waited_ms";
    pub const TURN_END: &str = "teammate.turn.end";
    pub const WAIT_ON: &str = "teammate.wait.on";
}

/// Names of operations, each the first word of its span's name.
pub mod operation {
    pub const CHAT: &str = "chat";
    pub const EXECUTE_TOOL: &str = "execute_tool";
    pub const INVOKE_AGENT: &str = "invoke_agent";
    pub const INVOKE_WORKFLOW: &str = "invoke_workflow";
    pub const PLAN: &str = "plan";
    /// Ours.
    pub const MAIL: &str = "mail";
}

/// Names of metrics.
pub mod metric {
    pub const AGENT_DURATION: &str = "gen_ai.invoke_agent.duration";
    pub const CALL_DURATION: &str = "gen_ai.client.operation.duration";
    pub const TOKEN_USAGE: &str = "gen_ai.client.token.usage";
    pub const TOOL_DURATION: &str = "gen_ai.execute_tool.duration";
    pub const WORKFLOW_DURATION: &str = "gen_ai.workflow.duration";
    /// Ours.
    pub const COST: &str = "teammate.cost";
    /// Ours.
    pub const WAIT_DURATION: &str = "teammate.wait.duration";
}

/// The values of `error.type`.
pub mod error {
    /// The turn was interrupted.
    pub const INTERRUPTED: &str = "interrupted";
    /// A limit or a budget was reached.
    pub const LIMIT: &str = "limit";
    /// The model failed for good.
    pub const MODEL: &str = "model_failed";
    /// The call did not run: a rule, a hook, the plan gate, or a person said no, or nobody could be asked.
    pub const REFUSED: &str = "refused";
    /// Its result says so.
    pub const TOOL: &str = "tool_failed";
    /// The member was stopped, or the team closed, before it came to its end.
    pub const STOPPED: &str = "stopped";
    /// Files of the team could not be written.
    pub const STORAGE: &str = "storage";
}

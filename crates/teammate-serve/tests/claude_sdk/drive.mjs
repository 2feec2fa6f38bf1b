// The story, with the SDK for TypeScript. Its argument is the program to start.

import assert from "node:assert/strict";
import { existsSync, rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { createSdkMcpServer, query, tool } from "@anthropic-ai/claude-agent-sdk";
import { z } from "zod";

const cwd = process.cwd();
const options = (more = {}) => ({ pathToClaudeCodeExecutable: process.argv[2], cwd, ...more });

/** All messages for a prompt. */
async function said(prompt, more) {
  const messages = [];
  for await (const message of query({ prompt, options: options(more) })) messages.push(message);
  return messages;
}

function result(messages) {
  const last = messages.at(-1);
  assert.equal(last.type, "result");
  return last;
}

// A question, and a session that goes on.
const first = await said("hello");
assert.equal(first[0].subtype, "init");
assert.equal(result(first).result, "Hello.");
assert.equal(result(first).num_turns, 1);
const more = await said("and again", { resume: result(first).session_id });
assert.equal(result(more).session_id, result(first).session_id);

// A copy of it, which is a session of its own; what else there is to be passed goes with it.
const copied = await said("hello", {
  resume: result(first).session_id,
  forkSession: true,
  additionalDirectories: [cwd],
  strictMcpConfig: true,
  sandbox: { enabled: true, network: { allowedDomains: ["example.org"] } },
  permissionPrompts: "none",
});
assert.notEqual(result(copied).session_id, result(first).session_id);
assert.equal(result(copied).result, "Hello.");

// Nobody decides; a callback says no; it says yes.
assert.deepEqual(result(await said("make it")).permission_denials.map((one) => one.tool_name), ["Bash"]);
const asked = [];
const canUseTool = async (name, input) => {
  asked.push([name, input]);
  return asked.length === 1 ? { behavior: "deny", message: "not now" } : { behavior: "allow", updatedInput: input };
};
for (const exists of [false, true]) {
  const messages = await said("make it", { canUseTool });
  assert.equal(result(messages).subtype, "success");
  const calls = messages.filter((one) => one.type === "assistant").flatMap((one) => one.message.content);
  assert.ok(calls.some((block) => block.type === "tool_use" && block.name === "Bash"));
  assert.equal(existsSync("made"), exists);
}
assert.deepEqual(asked, Array(2).fill(["Bash", { command: "touch made" }]));

// A tool of this process, and words as they come.
const add = tool("add", "Adds two numbers", { a: z.number(), b: z.number() }, async ({ a, b }) => ({
  content: [{ type: "text", text: `The sum is ${a + b}` }],
}));
const calc = createSdkMcpServer({ name: "calc", version: "1.0.0", tools: [add] });
const sums = await said("add", {
  mcpServers: { calc },
  allowedTools: ["mcp__calc__add"],
  includePartialMessages: true,
});
assert.equal(result(sums).result, "It is three.");
assert.ok(sums.some((one) => one.type === "stream_event" && one.event.type === "content_block_delta"));

// A hook that reads what came of a call, and one that refuses the next.
const heard = [];
const hook = async (given) => {
  heard.push(given.hook_event_name);
  return given.hook_event_name === "PreToolUse" && existsSync("made") ? { decision: "block", reason: "it is there" } : {};
};
rmSync("made");
const hooks = { PreToolUse: [{ matcher: "Bash", hooks: [hook] }], PostToolUse: [{ hooks: [hook] }] };
await said("make it", { hooks, permissionMode: "bypassPermissions" });
assert.ok(existsSync("made"));
await said("make it", { hooks, permissionMode: "bypassPermissions" });
assert.deepEqual(heard, ["PreToolUse", "PostToolUse", "PreToolUse"]);

// An interrupt, and what is said after it.
let next;
const said_next = () => new Promise((resolve) => (next = resolve));
let waits = said_next();
async function* prompts() {
  yield user("stay");
  await waits;
  yield user("hello");
}
const user = (content) => ({ type: "user", session_id: "", parent_tool_use_id: null, message: { role: "user", content } });
const talk = query({ prompt: prompts(), options: options({ permissionMode: "bypassPermissions" }) });
const results = [];
(async () => {
  while (!existsSync("begun")) await sleep(50);
  await talk.interrupt();
  await talk.setPermissionMode("default");
})();
for await (const message of talk) {
  if (message.type !== "result") continue;
  results.push(message);
  next();
  if (results.length === 2) break;
}
assert.equal(results[0].subtype, "error_during_execution");
assert.equal(results[1].result, "Hello.");

// What is not done here is said by the exception.
await assert.rejects(said("hello", { agent: "critic" }), /--agent is not done here/);
console.log("the agent SDK for TypeScript works with a team");

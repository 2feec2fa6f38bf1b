// An editor on the official TypeScript SDK: editor.mjs TEAMMATE WORKSPACE.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";

// Where it is run, the SDK is; this file is elsewhere.
const found = createRequire(join(process.cwd(), "x.js")).resolve;
const sdk = await import(pathToFileURL(found("@agentclientprotocol/sdk")));
const { client, methods, ndJsonStream } = sdk;
const [teammate, work] = process.argv.slice(2);

async function withEditor(story) {
  const agent = spawn(teammate, ["acp"], { cwd: work, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => agent.on("exit", resolve));
  const seen = { updates: [], asked: [] };
  seen.text = (kind) =>
    seen.updates
      .filter((update) => update.sessionUpdate === kind)
      .map((update) => update.content.text)
      .join("");
  const editor = client({ name: "editor" })
    .onNotification(methods.client.session.update, ({ params }) => {
      seen.updates.push(params.update);
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      seen.asked.push(params.toolCall);
      const yes = params.options.find((option) => option.kind === "allow_once");
      return { outcome: { outcome: "selected", optionId: yes.optionId } };
    });
  const stream = ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout));
  const told = await editor.connectWith(stream, async (ctx) => {
    const ask = (method, params) => ctx.request(method, params);
    const hello = await ask(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: {},
    });
    assert.equal(hello.protocolVersion, 1);
    return story(ask, seen, ctx);
  });
  agent.stdin.end();
  assert.equal(await ended, 0);
  return told;
}

const words = (text) => [{ type: "text", text }];

const session = await withEditor(async (ask, seen, ctx) => {
  const begun = await ask(methods.agent.session.new, { cwd: work, mcpServers: [] });
  const sessionId = begun.sessionId;
  assert.equal(begun.modes.currentModeId, "ask");
  const prompt = (text) => ask(methods.agent.session.prompt, { sessionId, prompt: words(text) });
  assert.equal((await prompt("A haiku")).stopReason, "end_turn");
  assert.match(seen.text("agent_message_chunk"), /ada says: Rain on the roof/);
  assert.ok(existsSync(join(work, "haiku")));
  assert.equal(seen.asked.length, 1);
  const kinds = new Set(seen.updates.map((update) => update.sessionUpdate));
  for (const kind of ["tool_call", "tool_call_update", "plan", "available_commands_update"]) {
    assert.ok(kinds.has(kind), kind);
  }
  await ask(methods.agent.session.setMode, { sessionId, modeId: "run" });
  const staying = prompt("stay");
  while (!existsSync(join(work, "begun"))) await sleep(20);
  await ctx.notify(methods.agent.session.cancel, { sessionId });
  assert.equal((await staying).stopReason, "cancelled");
  const none = ask(methods.agent.session.prompt, { sessionId: "editor-none", prompt: words("x") });
  await assert.rejects(none, (error) => error.code === -32002);
  return sessionId;
});

await withEditor(async (ask, seen) => {
  const listed = await ask(methods.agent.session.list, { cwd: work });
  assert.deepEqual(listed.sessions.map((one) => one.sessionId), [session]);
  await ask(methods.agent.session.load, { cwd: work, sessionId: session, mcpServers: [] });
  assert.match(seen.text("user_message_chunk"), /A haiku/);
  const prompt = { sessionId: session, prompt: words("/team") };
  assert.equal((await ask(methods.agent.session.prompt, prompt)).stopReason, "end_turn");
  assert.match(seen.text("agent_message_chunk"), /ada \(poet\)/);
});

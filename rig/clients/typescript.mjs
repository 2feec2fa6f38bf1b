// The official TypeScript SDK, in its first or second version, as a client of `teammate mcp serve`.
//
// Usage: node typescript.mjs stdio COMMAND... | node typescript.mjs http URL KEY_FILE. The SDK is installed in the working directory.

import { strict as assert } from "node:assert";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const find = createRequire(join(process.cwd(), "package.json"));
const load = (name) => import(pathToFileURL(find.resolve(name)));
const second = "@modelcontextprotocol/client";
const isSecond = existsSync(join(process.cwd(), "node_modules", second));
const { Client, StreamableHTTPClientTransport, StdioClientTransport } = isSecond
  ? { ...(await load(second)), ...(await load(`${second}/stdio`)) }
  : Object.assign({}, ...(await Promise.all(["index", "stdio", "streamableHttp"].map(ofFirst))));

function ofFirst(name) {
  return load(`@modelcontextprotocol/sdk/client/${name}.js`);
}

const [kind, ...words] = process.argv.slice(2);

function transport() {
  if (kind === "stdio") {
    const [command, ...args] = words;
    return new StdioClientTransport({ command, args, env: process.env });
  }
  const [url, keyFile] = words;
  const headers = { Authorization: `Bearer ${readFileSync(keyFile, "utf8").trim()}` };
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}

const client = new Client({ name: "doors", version: "1" });
await client.connect(transport());
const notes = [];

async function ask(tool, args = {}) {
  const options = { onprogress: (note) => notes.push(note) };
  const between = isSecond ? [] : [undefined];
  const result = await client.callTool({ name: tool, arguments: args }, ...between, options);
  return [result.isError, result.content[0].text];
}

async function call(tool, args) {
  const [isError, text] = await ask(tool, args);
  assert(!isError, text);
  return JSON.parse(text);
}

async function idle() {
  for (;;) {
    const waited = await call("wait_for_team", { timeout_seconds: 40 });
    if (waited.state === "idle") return waited;
  }
}

const tools = (await client.listTools()).tools;
assert.equal(tools.length, 11);
assert(tools.every((tool) => tool.annotations.readOnlyHint !== undefined));
assert(["no_team", "idle"].includes((await call("team_status")).state));
await call("start_team", { job: "A haiku" });
assert.equal((await idle()).result.text, "ada says: Rain on the roof");
await call("send_mail", { to: "ada", text: "again" });
await idle();
assert.equal((await call("read_result", { member: "ada" })).text, "Snow on the roof");
const events = await call("read_events", { limit: 3 });
assert.equal(events.events.at(-1).event, "team_closed");
assert.match((await ask("start_team", { job: "" }))[1], /empty/);
await assert.rejects(client.callTool({ name: "of_tomorrow", arguments: {} }), /of_tomorrow/);
assert(notes.length > 0);
await client.close();
console.log(`typescript, ${kind}: ${tools.length} tools, a job, a wait with ${notes.length} notes, mail, results, events`);

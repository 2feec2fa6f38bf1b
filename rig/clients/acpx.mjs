// The command line client acpx drives a session: acpx.mjs TEAMMATE WORKSPACE.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const [teammate, work] = process.argv.slice(2);
const program = join(process.cwd(), "node_modules/.bin/acpx");

async function acpx(...words) {
  const first = ["--agent", `${teammate} acp`, "--approve-all", "--cwd", work, "--ttl", "2"];
  const client = spawn(program, [...first, ...words], { cwd: work, stdio: ["ignore", "pipe", "inherit"] });
  let told = "";
  client.stdout.on("data", (piece) => (told += piece));
  const [status] = await once(client, "close");
  assert.equal(status, 0, told);
  return told;
}

const haiku = await acpx("exec", "A haiku");
assert.match(haiku, /ada says: Rain on the roof/);
assert.match(haiku, /session\/request_permission/);
assert.match(haiku, /\[done\] end_turn/);
assert.ok(existsSync(join(work, "haiku")));

await acpx("sessions", "new");
assert.match(await acpx("prompt", "Another haiku"), /ada says: Rain on the roof/);
const staying = acpx("prompt", "stay");
while (!existsSync(join(work, "begun"))) await sleep(20);
await acpx("cancel");
assert.match(await staying, /\[done\] cancelled/);
assert.match(await acpx("prompt", "/team"), /ada \(poet\)/);
await acpx("sessions", "close");

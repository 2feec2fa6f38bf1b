// Holds recorded requests to the types of the SDKs for TypeScript: each is written as a literal of its type, whose unknown fields
// the compiler refuses.
//
// node check.mjs RECORDED TARGET: RECORDED has the JSON files, TARGET is where the packages are installed. Exits with 77 where
// they cannot be.

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const SKIPPED = 77;
const [recorded, target] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));

function install() {
  const pinned = readFileSync(join(here, "package.json"), "utf8");
  const installed = join(target, "package.json");
  if (existsSync(join(target, "ready")) && readFileSync(installed, "utf8") === pinned) return true;
  mkdirSync(target, { recursive: true });
  copyFileSync(join(here, "package.json"), installed);
  const words = ["install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts", "--loglevel=error"];
  const done = spawnSync("npm", words, { cwd: target, stdio: "inherit" });
  if (done.error || done.status !== 0) return false;
  writeFileSync(join(target, "ready"), "");
  return true;
}

const TYPES = {
  anthropic: "Anthropic.MessageCreateParamsStreaming",
  beta: "Anthropic.Beta.MessageCreateParamsStreaming",
  openai: "OpenAI.ChatCompletionCreateParamsStreaming",
  responses: "OpenAI.Responses.ResponseCreateParamsStreaming",
};

const HEAD = 'import Anthropic from "@anthropic-ai/sdk";\nimport OpenAI from "openai";\n';

function typeOf(wire, body) {
  return TYPES[body.thinking?.block_binding ? "beta" : wire];
}

function compiles(name, text) {
  writeFileSync(join(target, name), HEAD + text);
  const words = ["--noEmit", "--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", "--moduleResolution", "nodenext", name];
  const done = spawnSync(join("node_modules", ".bin", "tsc"), words, { cwd: target, encoding: "utf8" });
  if (done.status !== 0 && process.env.SHOW) console.log(done.stdout);
  return { fits: done.status === 0, said: done.stdout };
}

if (!install()) {
  console.log("skipped: the SDKs for TypeScript cannot be installed");
  process.exit(SKIPPED);
}

const requests = readdirSync(recorded)
  .filter((file) => file.endsWith(".json") && !file.startsWith("vendor-"))
  .map((file) => {
    const wire = file.split("-")[0];
    const body = JSON.parse(readFileSync(join(recorded, file), "utf8"));
    // Given back or sent to other servers only, so never to OpenAI.
    if (wire === "openai") {
      delete body.user;
      for (const message of body.messages) delete message.reasoning_content;
    }
    return { file, wire, body };
  });

const literals = requests.map(({ wire, body }, at) => `export const r${at}: ${typeOf(wire, body)} = ${JSON.stringify(body)};\n`);
const all = compiles("requests.ts", literals.join(""));
if (!all.fits) {
  console.log(all.said.slice(0, 8000));
  process.exit(1);
}

// The check bites: one more field is refused on every wire.
for (const wire of ["anthropic", "openai", "responses"]) {
  const { body } = requests.find((request) => request.wire === wire);
  const wrong = { ...body, x_unknown: 1 };
  if (compiles("wrong.ts", `export const r: ${typeOf(wire, body)} = ${JSON.stringify(wrong)};\n`).fits) {
    console.log(`a wrong request of ${wire} was taken for a good one`);
    process.exit(1);
  }
}

const version = (name) => JSON.parse(readFileSync(join(target, "node_modules", name, "package.json"), "utf8")).version;
const sdks = ["@anthropic-ai/sdk", "openai", "typescript"].map((name) => `${name} ${version(name)}`);
console.log(`${requests.length} requests are as ${sdks.join(", ")} have them`);

// A server of tools, written with the second version of the TypeScript SDK.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// The SDK is installed where the program is started, not beside this file.
const packages = createRequire(`${process.argv[2]}/`);
const load = (name) => import(pathToFileURL(packages.resolve(name)));
const { McpServer } = await load("@modelcontextprotocol/server");
const { serveStdio } = await load("@modelcontextprotocol/server/stdio");
const { z } = await load("zod");

serveStdio(() => {
  const server = new McpServer({ name: "sums", version: "1.0.0" });
  server.registerTool(
    "add",
    { description: "Adds two numbers.", inputSchema: z.object({ a: z.number(), b: z.number() }) },
    async ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }),
  );
  return server;
});

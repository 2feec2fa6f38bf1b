// A server of tools, written with the TypeScript SDK.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// The SDK is installed where the program is started, not beside this file.
const packages = createRequire(`${process.argv[2]}/`);
const load = (name) => import(pathToFileURL(packages.resolve(name)));
const { McpServer } = await load("@modelcontextprotocol/sdk/server/mcp.js");
const { StdioServerTransport } = await load("@modelcontextprotocol/sdk/server/stdio.js");
const { z } = await load("zod");

const server = new McpServer({ name: "sums", version: "1.0.0" });
server.registerTool(
  "add",
  { description: "Adds two numbers.", inputSchema: { a: z.number(), b: z.number() } },
  async ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }),
);
await server.connect(new StdioServerTransport());

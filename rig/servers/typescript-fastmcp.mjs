// A server of tools, written with FastMCP for TypeScript.

import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

// The SDK is installed where the program is started, not beside this file.
const packages = createRequire(`${process.argv[2]}/`);
const load = (name) => import(pathToFileURL(packages.resolve(name)));
const { FastMCP } = await load("fastmcp");
const { z } = await load("zod");

const server = new FastMCP({ name: "sums", version: "1.0.0" });
server.addTool({
  name: "add",
  description: "Adds two numbers.",
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => String(a + b),
});
await server.start({ transportType: "stdio" });

"""The official Python SDK, version 2 and later, as a client of `teammate mcp serve`.

Usage: python-2.py stdio COMMAND... | python-2.py http URL KEY_FILE. Prints a line for each way in which it can begin; ends with 1 at
the first thing that is not as it should be.
"""

import asyncio
import os
import sys

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from story import story


async def main():
    for mode in ["auto", "legacy", "2026-07-28"]:
        async with client(mode) as connected:
            await story(Tools(connected), f"python 2, {sys.argv[1]}, {mode}")


def client(mode):
    if sys.argv[1] == "stdio":
        server = StdioServerParameters(command=sys.argv[2], args=sys.argv[3:], env=dict(os.environ))
        return Client(server, mode=mode)
    url, key_file = sys.argv[2:]
    with open(key_file) as file:
        headers = {"Authorization": f"Bearer {file.read().strip()}"}
    http = httpx2.AsyncClient(headers=headers, timeout=300)
    return Client(streamable_http_client(url, http_client=http), mode=mode)


class Tools:
    """What the story needs of a client."""

    def __init__(self, connected):
        self.connected = connected

    async def names(self):
        return [tool.name for tool in (await self.connected.list_tools()).tools]

    async def call(self, tool, progress=None, **arguments):
        result = await self.connected.call_tool(tool, arguments, progress_callback=progress)
        return result.is_error, result.content[0].text

    async def unknown(self):
        try:
            await self.connected.call_tool("of_tomorrow", {})
        except MCPError as error:
            return str(error)


asyncio.run(main())

"""The official Python SDK before version 2, as a client of `teammate mcp serve`.

Usage: as of python-2.py.
"""

import asyncio
import os
import sys

from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client

from story import story


async def main():
    async with streams() as (read, write, *_):
        async with ClientSession(read, write) as session:
            begun = await session.initialize()
            version = begun.protocolVersion
            await story(Tools(session), f"python 1, {sys.argv[1]}, {version}")


def streams():
    if sys.argv[1] == "stdio":
        command, *words = sys.argv[2:]
        return stdio_client(StdioServerParameters(command=command, args=words, env=dict(os.environ)))
    url, key_file = sys.argv[2:]
    with open(key_file) as file:
        headers = {"Authorization": f"Bearer {file.read().strip()}"}
    return streamablehttp_client(url, headers=headers)


class Tools:
    """What the story needs of a client."""

    def __init__(self, session):
        self.session = session

    async def names(self):
        return [tool.name for tool in (await self.session.list_tools()).tools]

    async def call(self, tool, progress=None, **arguments):
        result = await self.session.call_tool(tool, arguments, progress_callback=progress)
        return result.isError, result.content[0].text

    async def unknown(self):
        try:
            await self.session.call_tool("of_tomorrow", {})
        except McpError as error:
            return str(error)


asyncio.run(main())

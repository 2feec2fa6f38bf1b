"""A server of tools, written with the first version of the Python SDK."""

from mcp.server.fastmcp import FastMCP

server = FastMCP("sums")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


server.run()

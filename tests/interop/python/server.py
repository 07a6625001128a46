"""A small server on the official Python package, 1 (FastMCP) or 2 (MCPServer): what a careful author would write.

server.py [http]: on the standard streams, or by Streamable HTTP on a port that the first line of output names.
"""
import socket
import sys
from typing import Annotated

from pydantic import BaseModel, Field

try:
    from mcp.server.mcpserver import Context, Elicit, ElicitationResult, MCPServer, Resolve
except ModuleNotFoundError:
    from mcp.server.fastmcp import Context, FastMCP as MCPServer

    Resolve = None

server = MCPServer("python", instructions="Ask for cities.")


class City(BaseModel):
    name: str
    population: int = Field(ge=0)
    river: str | None = None


class Trip(BaseModel):
    nights: int = Field(default=2, ge=1, le=14)


CITIES = [
    City(name="Lisbon", population=545796, river="Tagus"),
    City(name="Madrid", population=3223334),
    City(name="Porto", population=231800, river="Douro"),
]


@server.tool(title="Cities")
def cities(limit: int = Field(default=3, ge=1, le=3)) -> list[City]:
    """A table that keeps its promise"""
    return CITIES[:limit]


@server.tool()
def city(name: str) -> City:
    """One city by its name"""
    return next(c for c in CITIES if c.name == name)


@server.tool(structured_output=False)
async def count(ctx: Context, to: int = 3) -> str:
    """Counts with progress"""
    for i in range(1, to + 1):
        await ctx.report_progress(i, to, f"at {i}")
    return f"counted to {to}"


@server.tool(structured_output=False)
def fails() -> str:
    """A tool error"""
    raise ValueError("the map is out of print")


def words(answer) -> str:
    return f"{answer.data.nights} nights" if answer.action == "accept" else answer.action


if Resolve:
    def ask_nights() -> Elicit[Trip]:
        return Elicit("How many nights?", Trip)

    @server.tool(structured_output=False)
    def travel(answer: Annotated[ElicitationResult[Trip], Resolve(ask_nights)]) -> str:
        """Asks how long, as each era has it"""
        return words(answer)
else:
    @server.tool(structured_output=False)
    async def travel(ctx: Context) -> str:
        """Asks how long"""
        return words(await ctx.elicit("How many nights?", Trip))


@server.resource("notes://today", mime_type="text/plain")
def today() -> str:
    """What there is to do today"""
    return "Pack the bags."


@server.resource("city://{name}/river")
def river(name: str) -> str:
    """The river of a city"""
    return next(c for c in CITIES if c.name == name).river or "none"


@server.prompt(title="Plan a trip")
def plan(destination: str, nights: str = "2") -> str:
    """A prompt with an argument that must be given and one that need not"""
    return f"Plan {nights} nights in {destination}."


def run_http() -> None:
    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0))
    print(f"http://127.0.0.1:{listener.getsockname()[1]}/mcp", flush=True)
    config = uvicorn.Config(server.streamable_http_app(), log_level="warning")
    uvicorn.Server(config).run(sockets=[listener])


if sys.argv[1:] == ["http"]:
    run_http()
else:
    server.run()

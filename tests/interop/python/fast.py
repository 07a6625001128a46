"""A small server on FastMCP, the community's Python package: what a careful author would write."""
from dataclasses import dataclass

from fastmcp import Context, FastMCP
from fastmcp.exceptions import ToolError
from pydantic import BaseModel

server = FastMCP("fastmcp")


class City(BaseModel):
    name: str
    population: int
    river: str | None = None


class Table(BaseModel):
    cities: list[City]


@dataclass
class Trip:
    nights: int = 2


CITIES = [
    City(name="Lisbon", population=545796, river="Tagus"),
    City(name="Madrid", population=3223334),
    City(name="Porto", population=231800, river="Douro"),
]


@server.tool
def cities(limit: int) -> Table:
    """A table that keeps its promise"""
    if not 1 <= limit <= len(CITIES):
        raise ToolError("the map is out of print")
    return Table(cities=CITIES[:limit])


@server.tool(output_schema=None)
async def travel(ctx: Context) -> str:
    """Asks how long"""
    answer = await ctx.elicit("How many nights?", response_type=Trip)
    return f"{answer.data.nights} nights" if answer.action == "accept" else answer.action


server.run(show_banner=False)

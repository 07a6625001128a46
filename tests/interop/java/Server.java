import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** A small server on the official Java package: what a careful author would write. */
public class Server {
    static final String LIMIT = """
        {"type":"object","properties":{"limit":{"type":"integer","description":"how many"}},"required":["limit"]}""";
    static final String TABLE = """
        {"type":"object","required":["cities"],"properties":{"cities":{"type":"array","items":{"type":"object",
        "required":["name","population"],"properties":{"name":{"type":"string"},"population":{"type":"integer"},
        "river":{"type":"string"}}}}}}""";
    static final McpJsonMapper MAPPER = McpJsonDefaults.getMapper();

    static Map<String, Object> city(String name, int population, String river) {
        Map<String, Object> city = new HashMap<>(Map.of("name", name, "population", population));
        if (river != null)
            city.put("river", river);
        return city;
    }

    static CallToolResult text(String text, boolean isError) {
        return CallToolResult.builder().addTextContent(text).isError(isError).build();
    }

    static CallToolResult cities(McpSyncServerExchange exchange, Map<String, Object> arguments) {
        var all = List.of(city("Lisbon", 545796, "Tagus"), city("Madrid", 3223334, null), city("Porto", 231800, "Douro"));
        int limit = ((Number) arguments.get("limit")).intValue();
        if (limit < 1 || limit > all.size())
            return text("the map is out of print", true);
        return CallToolResult.builder().structuredContent(Map.of("cities", all.subList(0, limit)))
            .addTextContent(limit + " cities").build();
    }

    static CallToolResult travel(McpSyncServerExchange exchange, Map<String, Object> arguments) {
        var answer = exchange.createElicitation(McpSchema.ElicitRequest.builder("How many nights?", Map.of(
            "type", "object", "required", List.of("nights"),
            "properties", Map.of("nights", Map.of("type", "integer", "default", 2)))).build());
        boolean accepted = answer.action() == McpSchema.ElicitResult.Action.ACCEPT;
        return text(accepted ? answer.content().get("nights") + " nights" : answer.action().name().toLowerCase(), false);
    }

    static SyncToolSpecification tool(String name, String description, String input, String output,
        BiFunction<McpSyncServerExchange, Map<String, Object>, CallToolResult> handler) {
        var tool = new McpSchema.Tool.Builder().name(name).description(description).inputSchema(MAPPER, input);
        if (output != null)
            tool.outputSchema(MAPPER, output);
        return SyncToolSpecification.builder().tool(tool.build())
            .callHandler((exchange, request) -> handler.apply(exchange, request.arguments())).build();
    }

    public static void main(String[] args) {
        McpServer.sync(new StdioServerTransportProvider(MAPPER)).serverInfo("java", "1.0.0")
            .capabilities(McpSchema.ServerCapabilities.builder().tools(true).build())
            .tools(tool("cities", "A table that keeps its promise", LIMIT, TABLE, Server::cities),
                tool("travel", "Asks how long", "{\"type\":\"object\"}", null, Server::travel))
            .build();
    }
}

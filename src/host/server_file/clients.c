#include "host/clients.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

const struct server_client server_clients[] = {
	{ "Claude Code", { ".claude.json" }, { ".mcp.json" }, .key = "mcpServers", .settings = true,
	    .projects = true },
	{ "Claude Desktop", { ".config/Claude/claude_desktop_config.json" }, { NULL },
	    .key = "mcpServers", .settings = true },
	{ "Cursor", { ".cursor/mcp.json" }, { ".cursor/mcp.json" }, .key = "mcpServers" },
	{ "VS Code",
	    { ".config/Code/User/mcp.json", ".config/Code - Insiders/User/mcp.json",
		".config/VSCodium/User/mcp.json" },
	    { ".vscode/mcp.json" }, .key = "servers" },
	{ "Windsurf", { ".codeium/windsurf/mcp_config.json" }, { NULL }, .key = "mcpServers" },
	{ "Gemini CLI", { ".gemini/settings.json" }, { ".gemini/settings.json" },
	    .key = "mcpServers", .settings = true, .dollar = true },
	{ "Antigravity",
	    { ".gemini/config/mcp_config.json", ".gemini/antigravity/mcp_config.json" }, { NULL },
	    .key = "mcpServers" },
	{ "Codex", { ".codex/config.toml" }, { ".codex/config.toml" }, .key = "mcp_servers",
	    .settings = true },
	{ "opencode", { ".config/opencode/opencode.json", ".config/opencode/opencode.jsonc" },
	    { "opencode.json", "opencode.jsonc" }, .key = "mcp", .settings = true },
	{ "Goose", { ".config/goose/config.yaml" }, { NULL }, .key = "extensions",
	    .settings = true },
	{ "Zed", { ".config/zed/settings.json" }, { ".zed/settings.json" },
	    .key = "context_servers", .settings = true },
	{ "Junie", { ".junie/mcp/mcp.json" }, { ".junie/mcp/mcp.json" }, .key = "mcpServers" },
	{ 0 },
};

static const char config[] = ".config/";

/* tail: whole names, behind a slash or alone; a tail in .config counts in any folder. */
static bool
ends_with(const char *path, const char *tail)
{
	bool in_config = strncmp(tail, config, strlen(config)) == 0;

	tail += in_config ? strlen(config) : 0;
	size_t len = strlen(path), n = strlen(tail);
	return len >= n && strcmp(path + len - n, tail) == 0 &&
	       (len == n ? !in_config : path[len - n - 1] == '/');
}

const struct server_client *
server_client_of(const char *path)
{
	for (const struct server_client *c = server_clients; c->name; c++)
		for (int i = 0; i < 3; i++)
			if ((c->user[i] && ends_with(path, c->user[i])) ||
			    (c->project[i] && ends_with(path, c->project[i])))
				return c;
	return NULL;
}

char *
server_client_path(const char *user)
{
	const char *home = getenv("HOME"), *xdg = getenv("XDG_CONFIG_HOME");
	bool in_config = strncmp(user, config, strlen(config)) == 0;

	if (in_config && xdg && xdg[0] == '/')
		return mem_printf("%s/%s", xdg, user + strlen(config));
	return home && home[0] == '/' ? mem_printf("%s/%s", home, user) : NULL;
}

char *
server_client_shorten(const char *path)
{
	const char *home = getenv("HOME");
	size_t len = home ? strlen(home) : 0;

	while (len > 0 && home[len - 1] == '/')
		len--;
	if (len > 0 && strncmp(path, home, len) == 0 && path[len] == '/')
		return mem_printf("~%s", path + len);
	return mem_strdup(path);
}

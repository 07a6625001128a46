#include "host/trust.h"

#include "base/glyph.h"
#include "base/vec.h"
#include "base/web.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct danger_rule {
	const char *word;
	const char *why;
};

static const char fetches[] = "fetches code from the network and runs it";
static const char shell[] = "a shell runs the text that follows";
static const char as_root[] = "runs as another user, with all rights";
static const char secrets[] = "keys and secrets are kept there";
static const char loading[] = "changes what programs load and run";
static const char machine[] = "gives it a part of this machine";

/* Names of programs, without their folder. */
static const struct danger_rule programs[] = {
	{ "sudo", as_root },
	{ "doas", as_root },
	{ "su", as_root },
	{ "pkexec", as_root },
	{ "run0", as_root },
	{ "npx", fetches },
	{ "bunx", fetches },
	{ "pnpx", fetches },
	{ "uvx", fetches },
	{ "pipx", fetches },
	{ "curl", "talks to the network" },
	{ "wget", "talks to the network" },
	{ "nc", "talks to the network" },
	{ "ssh", "runs on another machine" },
	{ "sh", shell },
	{ "bash", shell },
	{ "dash", shell },
	{ "zsh", shell },
	{ "ksh", shell },
	{ "fish", shell },
	{ "eval", shell },
	{ "rm", "deletes files" },
	{ "dd", "writes over files and devices" },
	{ "mkfs", "writes over files and devices" },
	{ "chmod", "changes who may use files" },
	{ "chown", "changes who may use files" },
};

static const char code[] = "runs the code that follows";

/* An argument of a program whose name begins so; "" of any. */
static const struct {
	const char *program, *argument, *why;
} arguments[] = {
	{ "", "dlx", fetches },
	{ "", "--privileged", machine },
	{ "", "-rf", "deletes files" },
	{ "", "-fr", "deletes files" },
	{ "", "--no-sandbox", "takes a protection away" },
	{ "docker", "run", fetches },
	{ "docker", "-v", machine },
	{ "docker", "--volume", machine },
	{ "docker", "--mount", machine },
	{ "docker", "--network=host", machine },
	{ "podman", "run", fetches },
	{ "podman", "-v", machine },
	{ "podman", "--volume", machine },
	{ "podman", "--mount", machine },
	{ "uv", "tool", fetches },
	{ "go", "run", fetches },
	{ "deno", "-A", "takes a protection away" },
	{ "deno", "--allow-all", "takes a protection away" },
	{ "deno", "eval", code },
	{ "node", "-e", code },
	{ "node", "--eval", code },
	{ "node", "-p", code },
	{ "bun", "-e", code },
	{ "perl", "-e", code },
	{ "ruby", "-e", code },
	{ "python", "-c", code },
	{ "php", "-r", code },
	{ "lua", "-e", code },
	{ "osascript", "-e", code },
};

/* Anywhere in an argument. */
static const struct danger_rule parts[] = {
	{ "sudo ", as_root },
	{ "rm -", "deletes files" },
	{ "curl ", "talks to the network" },
	{ "wget ", "talks to the network" },
	{ "| sh", fetches },
	{ "|sh", fetches },
	{ "| bash", fetches },
	{ "|bash", fetches },
	{ "base64 -d", "decodes what cannot be read here" },
	{ "/dev/tcp", "talks to the network" },
	{ "--privileged", machine },
	{ "--volume=", machine },
	{ ".ssh", secrets },
	{ ".gnupg", secrets },
	{ ".aws", secrets },
	{ ".kube", secrets },
	{ ".netrc", secrets },
	{ ".config/gcloud", secrets },
	{ "id_rsa", secrets },
	{ "id_ed25519", secrets },
	{ "/etc/", "a path outside of this folder" },
	{ "docker.sock", machine },
};

static const struct danger_rule variables[] = {
	{ "LD_PRELOAD", loading },
	{ "LD_LIBRARY_PATH", loading },
	{ "LD_AUDIT", loading },
	{ "PATH", loading },
	{ "NODE_OPTIONS", loading },
	{ "NODE_PATH", loading },
	{ "PYTHONPATH", loading },
	{ "PYTHONSTARTUP", loading },
	{ "PYTHONHOME", loading },
	{ "PERL5OPT", loading },
	{ "PERL5LIB", loading },
	{ "RUBYOPT", loading },
	{ "JAVA_TOOL_OPTIONS", loading },
	{ "BASH_ENV", loading },
	{ "ENV", loading },
	{ "GIT_SSH_COMMAND", loading },
	{ "NPM_CONFIG_REGISTRY", "fetches code from elsewhere" },
	{ "UV_INDEX_URL", "fetches code from elsewhere" },
	{ "PIP_INDEX_URL", "fetches code from elsewhere" },
};
#define COUNT_OF(array) (sizeof(array) / sizeof(*(array)))

static void
add(struct dangers *out, const char *text, const char *why)
{
	for (size_t i = 0; i < out->len; i++)
		if (out->items[i].text == text && out->items[i].why == why)
			return;
	*VEC_PUSH(out) = (struct choice_danger){ text, why };
}

static void
add_equal(struct dangers *out, const struct danger_rule *rules, size_t count, const char *text,
    const char *word, size_t len)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(rules[i].word) == len && strncasecmp(rules[i].word, word, len) == 0)
			add(out, text, rules[i].why);
}

static void
add_hidden(struct dangers *out, const char *text)
{
	struct glyph g;

	for (size_t at = 0, len = strlen(text); at < len;) {
		at += glyph_next(text + at, len - at, &g);
		if (g.kind != GLYPH_PLAIN && g.kind != GLYPH_NEWLINE && g.kind != GLYPH_TAB) {
			add(out, text, "has characters that do not show");
			return;
		}
	}
}

/* /usr and its like are where programs are; nothing is to be thought of them. */
static bool
is_program_path(const char *path)
{
	static const char *const folders[] = { "/usr/", "/bin/", "/opt/", "/nix/", "/snap/" };

	for (size_t i = 0; i < COUNT_OF(folders); i++)
		if (strncmp(path, folders[i], strlen(folders[i])) == 0)
			return true;
	return false;
}

/* Of an argument, or of what follows its "=". */
static void
add_outside(struct dangers *out, const char *text, const char *folder, bool command)
{
	const char *equals = text[0] == '-' ? strchr(text, '=') : NULL;
	const char *path = equals ? equals + 1 : text;
	size_t len = strlen(folder);
	bool inside = strncmp(path, folder, len) == 0 && (path[len] == '/' || path[len] == '\0');
	bool away = (path[0] == '/' && !inside) || path[0] == '~';

	if ((away && !(command && is_program_path(path))) || strncmp(path, "../", 3) == 0 ||
	    strcmp(path, "..") == 0 || strstr(path, "/../"))
		add(out, text, "a path outside of this folder");
}

static const char *
base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static void
look_at_argument(struct dangers *out, const char *text, const char *program, const char *folder)
{
	const char *base = base_name(text);

	add_equal(out, programs, COUNT_OF(programs), text, base, strlen(base));
	for (size_t i = 0; i < COUNT_OF(arguments) && text != program; i++)
		if (strcmp(text, arguments[i].argument) == 0 &&
		    strncmp(base_name(program), arguments[i].program,
			strlen(arguments[i].program)) == 0)
			add(out, text, arguments[i].why);
	for (size_t i = 0; i < COUNT_OF(parts); i++)
		if (strstr(text, parts[i].word))
			add(out, text, parts[i].why);
	add_outside(out, text, folder, text == program);
	add_hidden(out, text);
}

static void
look_at_url(struct dangers *out, const char *url)
{
	static const char *const near[] = { "localhost", "127.", "[::1]" };
	const char *host = strstr(url, "://");
	bool local = false;

	host = host ? host + 3 : url;
	for (size_t i = 0; i < COUNT_OF(near); i++)
		local = local || strncmp(host, near[i], strlen(near[i])) == 0;
	if (is_plain_web_url(url) && !local)
		add(out, url, "is not encrypted: anybody on the way can read and change it");
	if (strncmp(host, "169.254.", 8) == 0 || strncmp(host, "10.", 3) == 0 ||
	    strncmp(host, "192.168.", 8) == 0)
		add(out, url, "is an address of this network");
	if (memchr(host, '@', strcspn(host, "/")))
		add(out, url, "has a user name in it that looks like a host");
	add_hidden(out, url);
}

void
trust_find_dangers(const struct target *t, const char *folder, struct dangers *out)
{
	for (size_t i = 0; t->argv && t->argv[i]; i++)
		look_at_argument(out, t->argv[i], t->argv[0], folder);
	for (size_t i = 0; t->env && t->env[i]; i++) {
		add_equal(out, variables, COUNT_OF(variables), t->env[i], t->env[i],
		    strcspn(t->env[i], "="));
		add_hidden(out, t->env[i]);
	}
	if (t->cwd)
		add_outside(out, t->cwd, folder, false);
	if (t->env_file)
		add_outside(out, t->env_file, folder, false);
	if (t->url)
		look_at_url(out, t->url);
}

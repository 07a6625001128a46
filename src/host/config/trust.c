/* SPDX-License-Identifier: MIT */
#include "host/trust.h"

#include "base/buf.h"
#include "base/glyph.h"
#include "base/path.h"
#include "base/private_file.h"
#include "base/url.h"
#include "base/vec.h"
#include "json/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define APPROVED_MAX_BYTES ((size_t)4 << 20)

/* Includes the length, so that no two lists hash alike. */
static void
hash(struct sha256 *h, const char *text)
{
	char length[32];
	size_t len = text ? strlen(text) : 0;

	snprintf(length, sizeof(length), "%s%zu:", text ? "" : "-", len);
	sha256_add(h, length, strlen(length));
	sha256_add(h, text, len);
}

static void
hash_all(struct sha256 *h, char *const *texts)
{
	for (; texts && *texts; texts++)
		hash(h, *texts);
	hash(h, NULL);
}

/* A relative command is a different program in another folder. */
void
trust_mark(const struct target *t, char mark[SHA256_HEX])
{
	struct sha256 h;
	char *here = getcwd(NULL, 0);

	sha256_init(&h);
	hash(&h, "mcpane 2");
	hash_all(&h, t->argv);
	hash_all(&h, t->env);
	hash(&h, here);
	hash(&h, t->cwd);
	hash(&h, t->url);
	hash_all(&h, t->headers);
	hash(&h, t->sse ? "sse" : NULL);
	sha256_end_hex(&h, mark);
	free(here);
}

void
trust_mark_of(const struct target *t, enum choice_origin origin, char mark[SHA256_HEX])
{
	struct sha256 h;
	const char *program = t->argv ? t->argv[0] : NULL;
	bool from_here = (t->cwd && t->cwd[0] != '/') ||
			 (program && program[0] != '/' && strchr(program, '/') && !t->cwd);

	mark[0] = '\0';
	if (origin == CHOICE_PROJECT || origin == CHOICE_CLIENT)
		trust_mark(t, mark);
	if (origin != CHOICE_OWN)
		return;
	char *here = from_here ? getcwd(NULL, 0) : NULL;
	sha256_init(&h);
	hash(&h, "mcpane own 1");
	hash(&h, t->digest);
	hash_all(&h, t->env && t->env_file ? t->env + t->env_own : NULL);
	hash(&h, here);
	for (size_t i = 0; i < t->inputs.len; i++) {
		hash(&h, t->inputs.items[i].id);
		hash(&h, t->inputs.items[i].otherwise);
		hash_all(&h, t->inputs.items[i].options);
	}
	sha256_end_hex(&h, mark);
	free(here);
}

bool
trust_has_mark(const char *text, size_t len, const char *mark)
{
	const char *end = text + len;
	size_t n = strlen(mark);

	for (const char *at = text; (at = memmem(at, (size_t)(end - at), mark, n)); at++)
		if ((at == text || at[-1] == '\n') && end - at > (ptrdiff_t)n &&
		    (at[n] == ' ' || at[n] == '\n'))
			return true;
	return false;
}

bool
trust_is_given(const char *mark)
{
	char *path = path_of(PATH_STATE, "approved");
	struct buf text;
	bool there;

	buf_init(&text, APPROVED_MAX_BYTES);
	bool given = path && private_file_look(path, &text, &there, NULL) &&
		     trust_has_mark(buf_text(&text), text.len, mark);
	buf_finish(&text);
	free(path);
	return given;
}

bool
trust_give(const struct target *t, const char *mark, struct err *err)
{
	char *path = path_of(PATH_STATE, "approved");
	struct private_file f;
	struct buf text = { .max = APPROVED_MAX_BYTES };
	bool there;

	bool opened = path ? private_file_open(&f, path, false, err)
			   : err_set(err, "neither XDG_STATE_HOME nor HOME is set");
	bool ok = opened && private_file_read(&f, &text, &there, err);
	if (ok && !trust_has_mark(buf_text(&text), text.len, mark)) {
		if (text.len > 0 && text.data[text.len - 1] != '\n') /* truncated by a full disk */
			buf_add_char(&text, '\n');
		buf_addf(&text, "%s ", mark);
		json_print_string(&text, t->file ? t->file : "", t->file ? strlen(t->file) : 0);
		buf_add_char(&text, '\n');
		ok = text.overflowed ? err_set(err, "%s is too long", f.path)
				     : private_file_write(&f, buf_text(&text), text.len, err);
	}
	if (opened)
		private_file_close(&f);
	buf_finish(&text);
	free(path);
	return ok;
}

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

/* Programs, without their folders. */
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

/* An argument of programs with this prefix; "": of any program. */
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

/* Anywhere within an argument. */
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
	{ "/etc/", "a path of the system's settings" },
	{ "docker.sock", machine },
};

/* Variables, separated by spaces; * matches any suffix. No such list is complete: the dialog
 * shows every value. */
static const struct {
	const char *why, *names;
} variables[] = {
	{ loading,
	    "LD_* DYLD_* GCONV_PATH PATH IFS HOME SHELL ENV BASH_ENV BASH_FUNC_* PROMPT_COMMAND "
	    "PS4 SHELLOPTS ZDOTDIR EDITOR VISUAL PAGER MANPAGER LESSOPEN BROWSER "
	    "GIT_CONFIG* GIT_SSH* GIT_EXTERNAL_DIFF GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER "
	    "GIT_ASKPASS GIT_PROXY_COMMAND GIT_EXEC_PATH GIT_TEMPLATE_DIR SSH_ASKPASS SUDO_ASKPASS "
	    "NODE_OPTIONS NODE_PATH BUN_OPTIONS DENO_* ELECTRON_RUN_AS_NODE "
	    "PYTHONPATH PYTHONSTARTUP PYTHONHOME PYTHONUSERBASE PYTHONBREAKPOINT PYTHONWARNINGS "
	    "PERL5OPT PERL5LIB PERL5DB PERLLIB RUBYOPT RUBYLIB GEM_HOME GEM_PATH BUNDLE_GEMFILE "
	    "LUA_INIT* LUA_PATH* LUA_CPATH* PHPRC PHP_INI_SCAN_DIR "
	    "JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH MAVEN_OPTS GRADLE_OPTS "
	    "DOTNET_STARTUP_HOOKS CORECLR_* OPENSSL_CONF OPENSSL_MODULES RUSTC_WRAPPER RUSTFLAGS "
	    "GOFLAGS MAKEFLAGS XDG_CONFIG_HOME XDG_CONFIG_DIRS XDG_DATA_HOME XDG_DATA_DIRS" },
	{ "decides where code is fetched from", "NPM_CONFIG_* YARN_* UV_* PIP_* GOPROXY CARGO_*" },
	{ "decides which machine it works on",
	    "DOCKER_HOST DOCKER_CONTEXT CONTAINER_HOST KUBECONFIG" },
	{ "sends its traffic through another machine",
	    "HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY" },
	{ "changes whom it trusts on the network",
	    "NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED SSL_CERT_FILE SSL_CERT_DIR "
	    "REQUESTS_CA_BUNDLE CURL_CA_BUNDLE GIT_SSL_* PYTHONHTTPSVERIFY" },
};
static void
add_danger(struct dangers *out, const char *text, const char *why)
{
	for (size_t i = 0; i < out->len; i++)
		if (out->items[i].text == text && out->items[i].why == why)
			return;
	*VEC_PUSH(out) = (struct choice_danger){ text, why };
}

static void
add_hidden(struct dangers *out, const char *text)
{
	struct glyph g;

	for (size_t at = 0, len = strlen(text); at < len;) {
		at += glyph_next(text + at, len - at, &g);
		if (g.kind != GLYPH_PLAIN && g.kind != GLYPH_NEWLINE && g.kind != GLYPH_TAB) {
			add_danger(out, text, "has characters that do not show");
			return;
		}
	}
}

/* text: an argument, or the part after its "=". A folder is left by a project's server; one of
 * the user has none to stay in. */
static void
add_outside(struct dangers *out, const char *text, const char *folder, bool command)
{
	static const char *const folders[] = { "/usr/", "/bin/", "/opt/", "/nix/", "/snap/" };
	const char *equals = text[0] == '-' ? strchr(text, '=') : NULL;
	const char *path = equals ? equals + 1 : text;
	size_t len = folder ? strlen(folder) : 0;

	if (!folder)
		return;
	bool inside = strncmp(path, folder, len) == 0 && (path[len] == '/' || path[len] == '\0');
	bool is_program = false; /* in /usr and the like, as is usual */
	for (size_t i = 0; command && i < ARRAY_LEN(folders); i++)
		is_program |= strncmp(path, folders[i], strlen(folders[i])) == 0;
	bool away = (path[0] == '/' && !inside) || path[0] == '~';

	if ((away && !is_program) || strncmp(path, "../", 3) == 0 || strcmp(path, "..") == 0 ||
	    strstr(path, "/../"))
		add_danger(out, text, "a path outside of this folder");
}

static void
look_at_argument(struct dangers *out, const char *text, const char *program, const char *folder)
{
	const char *base = path_file_name(text);

	for (size_t i = 0; i < ARRAY_LEN(programs); i++)
		if (strcasecmp(programs[i].word, base) == 0)
			add_danger(out, text, programs[i].why);
	for (size_t i = 0; i < ARRAY_LEN(arguments) && text != program; i++)
		if (strcmp(text, arguments[i].argument) == 0 &&
		    strncmp(path_file_name(program), arguments[i].program,
			strlen(arguments[i].program)) == 0)
			add_danger(out, text, arguments[i].why);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		if (strstr(text, parts[i].word))
			add_danger(out, text, parts[i].why);
	add_outside(out, text, folder, text == program);
	add_hidden(out, text);
}

void
trust_find_dangers(const struct target *t, const char *folder, struct dangers *out)
{
	for (size_t i = 0; t->argv && t->argv[i]; i++)
		look_at_argument(out, t->argv[i], t->argv[0], folder);
	for (size_t i = 0; t->env && t->env[i]; i++) {
		size_t len = strcspn(t->env[i], "=");
		for (size_t k = 0; k < ARRAY_LEN(variables); k++)
			for (const char *at = variables[k].names; *at; at += strspn(at, " ")) {
				size_t word = strcspn(at, " ");
				bool any_end = at[word - 1] == '*';
				size_t fixed = word - any_end;
				if ((any_end ? len >= fixed : len == fixed) &&
				    strncasecmp(at, t->env[i], fixed) == 0)
					add_danger(out, t->env[i], variables[k].why);
				at += word;
			}
		add_hidden(out, t->env[i]);
	}
	for (size_t i = 0; t->headers && t->headers[i]; i++)
		add_hidden(out, t->headers[i]);
	if (t->cwd)
		add_outside(out, t->cwd, folder, false);
	if (t->env_file)
		add_outside(out, t->env_file, folder, false);
	if (!t->url)
		return;
	struct url u;
	url_split(&u, t->url, strlen(t->url));
	const char *host = u.host.at;
	bool local = url_part_is(&u.host, "localhost") || url_part_is(&u.host, "[::1]") ||
		     (strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") >= u.host.len);
	if (is_plain_web_url(t->url) && !local)
		add_danger(
		    out, t->url, "is not encrypted: anybody on the way can read and change it");
	if (strncmp(host, "169.254.", 8) == 0 || strncmp(host, "10.", 3) == 0 ||
	    strncmp(host, "192.168.", 8) == 0)
		add_danger(out, t->url, "is an address of this network");
	if (u.user.at)
		add_danger(out, t->url, "has a user name in it that looks like a host");
	add_hidden(out, t->url);
}

#include "client.h"

#include "base/clock.h"
#include "json/write.h"
#include "cli/print/print.h"

#include <stdio.h>

static bool
is_back(const struct client *c)
{
	return server_info(client_server(c))->ping->request == 0;
}

static void
add_json(const struct server *s, const struct ping *p, bool raw, struct buf *out)
{
	struct buf json = BUF_INIT;
	struct json_writer w;
	const struct session_info *info = session_info(server_info(s)->session);
	char ms[32];

	snprintf(ms, sizeof(ms), "%.3f", (double)p->took_us / 1000);
	json_write_init(&w, &json);
	json_write_object(&w);
	json_write_member_string(&w, "method", p->method);
	json_write_member_json(&w, "ms", ms);
	json_write_member_string(&w, "server", info->server_name);
	json_write_member_string(&w, "version", info->server_version);
	json_write_member_string(&w, "protocolVersion", info->protocol);
	json_write_object_end(&w);
	output_add_json(out, &json, raw);
	buf_finish(&json);
}

static int
ping(struct client *client, const struct options *o, struct buf *out)
{
	struct server *s = client_server(client);
	const struct session_info *info = session_info(server_info(s)->session);
	const struct ping *p = server_info(s)->ping;

	if (server_ping(s, clock_now_us())) {
		connection_touch(client->connection);
		client_wait(client, is_back);
	}
	if (client->end_code)
		return client->end_code;
	if (p->took_us < 0) {
		const char *error = p->error[0] ? p->error : server_info(s)->trouble;
		return client_say_failure(
		    client, server_info(s)->label, error, p->error[0] && !p->unanswered);
	}
	if (o->json)
		add_json(s, p, o->raw, out);
	else
		buf_addf(out, "%s %s, protocol %s: %s in %.2f ms\n", info->server_name,
		    info->server_version, info->protocol, p->method, (double)p->took_us / 1000);
	return CLI_EXIT_OK;
}

int
cli_ping(const struct options *o)
{
	struct client client = { 0 };
	struct buf out = BUF_INIT;
	int code = client_open(&client, o);

	if (code == 0)
		code = ping(&client, o, &out);
	return client_end(&client, o, code, &out);
}

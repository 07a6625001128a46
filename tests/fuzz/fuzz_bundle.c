/* SPDX-License-Identifier: MIT */
/* The manifest of a bundle, any JSON: it becomes a server file with one server that can be run or
 * says why not. */
#include "fuzz.h"

#include "host/bundle.h"
#include "host/server_file.h"

static const char *
value(void *user, const struct target_input *input)
{
	return input->otherwise ? input->otherwise : "a,b";
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct json_doc *doc = json_parse((const char *)data, size, NULL, NULL);
	struct buf out = BUF_INIT;
	struct server_file c;
	struct target run;
	struct err err = { "" };

	if (!doc)
		return 0;
	bundle_manifest_to_servers(json_root(doc), "/bundle", &out);
	demand(server_file_parse(&c, buf_text(&out), out.len, "f.mcpb", &err));
	demand(c.published && c.len == 1);
	const struct target *t = &c.items[0];
	demand(t->trouble ? t->trouble[0] : t->argv && t->argv[0][0] && t->cwd);
	demand(target_fill(&run, t, value, NULL, NULL));
	demand(!t->argv || (run.argv && run.argv[0]));
	target_finish(&run);
	server_file_finish(&c);
	json_doc_destroy(doc);
	buf_finish(&out);
	return 0;
}

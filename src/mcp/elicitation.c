#include "mcp/elicitation.h"

#include <string.h>

static enum elicitation_mode
read_mode(const cJSON *mode)
{
	const char *text = json_string(mode);

	if (!mode || (text && strcmp(text, "form") == 0))
		return ELICITATION_FORM;
	return text && strcmp(text, "url") == 0 ? ELICITATION_URL : ELICITATION_OTHER;
}

void
elicitation_decode(struct elicitation *e, const cJSON *params)
{
	const char *message = json_get_string(params, "message");
	const char *url = json_get_string(params, "url");
	const cJSON *schema = json_get(params, "requestedSchema");

	*e = (struct elicitation){
		.mode = read_mode(json_get(params, "mode")),
		.message = message ? message : "",
		.schema = json_type(schema) == JSON_OBJECT ? schema : NULL,
		.url = url ? url : "",
		.elicitation_id = json_get_string(params, "elicitationId"),
	};
}

const char *
elicitation_flaw(const struct elicitation *e)
{
	if (e->mode == ELICITATION_OTHER)
		return "unknown mode of elicitation";
	if (e->mode == ELICITATION_URL && !e->url[0])
		return "an elicitation by URL without a URL";
	return NULL;
}

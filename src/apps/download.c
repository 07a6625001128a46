#include "apps/bridge.h"

#include "base/ascii.h"

#include <stdio.h>
#include <string.h>

/* The name of a file that an app wants to save: only its last part, and of that no more than what
 * is safe in every folder. */

static void
take_name(struct app_download *d, const char *from)
{
	size_t path = strcspn(from, "?#"), len = 0;
	const char *name = from;

	for (size_t i = 0; i < path; i++)
		if (from[i] == '/' || from[i] == '\\')
			name = from + i + 1;
	for (; name < from + path && len < sizeof(d->name) - 1; name++) {
		bool fine = ascii_is_alnum((unsigned char)*name) || *name == '-' || *name == '_' ||
			    (*name == '.' && len > 0);
		if (fine)
			d->name[len++] = *name;
		else if (len > 0 && d->name[len - 1] != '_')
			d->name[len++] = '_';
	}
	d->name[len] = '\0';
	if (len == 0)
		snprintf(d->name, sizeof(d->name), "download");
}

bool
app_download_read(struct app_download *d, const cJSON *block)
{
	const char *type = json_get_string(block, "type");
	const cJSON *inside = json_get(block, "resource");

	*d = (struct app_download){ .mime = NULL };
	if (type && strcmp(type, "resource") == 0) {
		const char *uri = json_get_string(inside, "uri");
		d->mime = json_get_string(inside, "mimeType");
		d->text = json_get_string(inside, "text");
		d->blob = json_get_string(inside, "blob");
		take_name(d, uri ? uri : "");
		return d->text || d->blob;
	}
	if (!type || strcmp(type, "resource_link") != 0)
		return false;
	d->mime = json_get_string(block, "mimeType");
	d->uri = json_get_string(block, "uri");
	const char *name = json_get_string(block, "name");
	take_name(d, name ? name : d->uri ? d->uri : "");
	return d->uri != NULL;
}

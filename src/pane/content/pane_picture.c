#include "content.h"

#include "base/base64.h"
#include "base/glyph.h"
#include "base/mem.h"
#include "base/units.h"
#include "mcp/content.h"
#include "ui/half_blocks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Cells cannot resolve more; a host whose terminal draws pixels may decode more. */
enum { KEPT_MAX = 480 };

struct picture_load {
	struct picture_job job;     /* first */
	struct pane_picture *owner; /* NULL: no longer wanted */
	const struct pane_host *host;
	void *user; /* of host */
	char *base64;
};

void
pane_picture_finish(struct pane_picture *p)
{
	if (p->load) {
		p->load->owner = NULL;
		p->load->job.unwanted = true;
	}
	picture_finish(&p->picture);
	picture_finish(&p->shown);
	*p = (struct pane_picture){ 0 };
}

static bool
is_picture(const char *base64, size_t len)
{
	enum { HEAD = 16 };
	struct buf bytes = BUF_INIT;
	const char *type = NULL;

	if (base64_decode(&bytes, base64, len < HEAD ? len : HEAD))
		type = media_type_of(buf_text(&bytes), bytes.len);
	buf_finish(&bytes);
	return type && strncmp(type, "image/", 6) == 0;
}

/* Frees the load. */
static void
settle(struct picture_load *load)
{
	if (load->owner) {
		load->owner->load = NULL;
		load->owner->picture = load->job.picture;
		load->owner->picture.number = picture_next_number();
		load->owner->trouble = load->job.trouble;
		if (load->job.picture.frames > 1)
			snprintf(load->owner->note, sizeof(load->owner->note),
			    "the first of %d frames", load->job.picture.frames);
	} else {
		picture_finish(&load->job.picture);
	}
	free(load->base64);
	free(load);
}

static void
done(struct picture_job *job)
{
	struct picture_load *load = (struct picture_load *)job;

	if (load->owner)
		load->host->changed(load->user);
	settle(load);
}

void
pane_picture_load(
    struct pane_picture *p, const struct view_env *env, const char *base64, size_t len)
{
	pane_picture_finish(p);
	if (!is_picture(base64, len))
		return;
	struct picture_load *load = mem_zalloc(sizeof(*load));
	*load = (struct picture_load){
		.owner = p,
		.host = env->host,
		.user = env->user,
		.base64 = mem_strndup(base64, len),
	};
	load->job = (struct picture_job){
		.base64 = load->base64, .len = len, .most = KEPT_MAX, .done = done
	};
	p->load = load;
	const struct effects *effects = env->host->effects;
	if (!effects->picture || !effects->picture(env->host->effects_user, &load->job))
		settle(load);
}

static void
pane_picture_load_uri(struct pane_picture *p, const struct view_env *env, const char *uri)
{
	const char *comma = strncasecmp(uri, "data:", 5) == 0 ? strchr(uri, ',') : NULL;

	pane_picture_finish(p);
	if (comma && comma - uri >= 7 && strncasecmp(comma - 7, ";base64", 7) == 0)
		pane_picture_load(p, env, comma + 1, strlen(comma + 1));
}

void
pane_picture_load_icon(struct pane_picture *p, const struct view_env *env, const cJSON *icons)
{
	enum { LOOKED_AT = 8 };
	int looked = 0;

	pane_picture_finish(p);
	for (const cJSON *icon = json_first(icons);
	     icon && !p->picture.rgba && !p->load && looked < LOOKED_AT;
	     icon = icon->next, looked++)
		if (json_get_string(icon, "src"))
			pane_picture_load_uri(p, env, json_get_string(icon, "src"));
}

static void
add_word(struct buf *out, const char *word)
{
	if (!word || !*word)
		return;
	buf_add_str(out, "  ");
	label_add(out, word);
}

void
pane_icon_describe(const cJSON *icon, struct buf *out)
{
	const char *src = json_get_string(icon, "src");

	if (json_type(icon) != JSON_OBJECT)
		buf_addf(out, "expected an object, got %s", json_type_name(json_type(icon)));
	else if (src && strncasecmp(src, "data:", 5) == 0)
		buf_addf(out, "data: URI of %s bytes", units_count(strlen(src)).text);
	else
		label_add(out, src ? src : "without src");
	add_word(out, json_get_string(icon, "mimeType"));
	for (const cJSON *size = json_first(json_get(icon, "sizes")); size; size = size->next)
		add_word(out, json_string(size));
	add_word(out, json_get_string(icon, "theme"));
}

int
pane_picture_rows(const struct pane_picture *p, int max_cols, int max_rows)
{
	int cols = 0, rows = 0;

	if (p->picture.rgba)
		half_blocks_size(&p->picture, max_cols, max_rows, &cols, &rows);
	return rows;
}

int
pane_picture_cols(const struct pane_picture *p, int max_cols, int max_rows)
{
	int cols = 0, rows = 0;

	if (p->picture.rgba)
		half_blocks_size(&p->picture, max_cols, max_rows, &cols, &rows);
	return cols;
}

void
pane_picture_draw(struct pane_picture *p, struct surface s, int max_cols, int max_rows, int skip)
{
	int width, height;

	if (!p->picture.rgba)
		return;
	picture_fit(&p->picture, max_cols > 0 ? max_cols : 1, max_rows > 0 ? 2 * max_rows : 2,
	    &width, &height);
	if (p->shown.width != width || p->shown.height != height) {
		picture_finish(&p->shown);
		picture_reduce(&p->picture, width, height, &p->shown);
	}
	half_blocks_draw(&p->shown, s, skip);
	surface_picture(s, &p->picture, width, (height + 1) / 2, skip);
}

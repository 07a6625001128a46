#include "print.h"

#include "base/mem.h"
#include "cli/client.h"
#include "host/confined.h"
#include "host/picture_decoder.h"
#include "json/print.h"
#include "view/meant.h"
#include "view/view.h"
#include "ui/half_blocks.h"
#include "ui/wrap.h"

#include <stdlib.h>
#include <string.h>

/* Rows of a text drawn at once. */
#define ROWS_A_GRID 500
/* A result may have half a million blocks; further images are one line. */
#define PICTURES_MAX 64
#define PICTURE_ROWS 24
#define PICTURE_LIMIT_MS 10000

/* Content on paper: rows of so many columns. */
struct paper {
	int columns, colors;
	struct buf *out;
	struct client *client;
	struct confined *confined; /* NULL: no image came yet */
	size_t pictures;
};

/* ---- texts ---- */

/* Rows `from` to `end` of what draw() knows. */
static void
add_rows(struct paper *p, size_t count, void (*draw)(void *of, struct surface s, size_t top), void *of)
{
	for (size_t top = 0; top < count; top += ROWS_A_GRID) {
		struct grid grid;
		size_t rows = count - top < ROWS_A_GRID ? count - top : ROWS_A_GRID;
		grid_init(&grid, p->columns, (int)rows);
		draw(of, surface_whole(&grid), top);
		output_add_surface(p->out, surface_whole(&grid), p->colors);
		grid_finish(&grid);
	}
}

static void
draw_rich(void *of, struct surface s, size_t top)
{
	rich_draw(of, s, top, 0);
}

static void
draw_wrap(void *of, struct surface s, size_t top)
{
	wrap_draw(of, s, style_of(ROLE_TEXT), top);
}

static void
draw_head(void *of, struct surface s, size_t top)
{
	wrap_draw(of, s, style_of(ROLE_DIM), top);
}

static void
draw_json(void *of, struct surface s, size_t top)
{
	view_json_rows(of, s, top);
}

static void
add_wrapped(struct paper *p, const char *text, size_t len,
    void (*draw)(void *of, struct surface s, size_t top))
{
	struct wrap wrap;

	wrap_init(&wrap);
	wrap_set(&wrap, text, len, p->columns);
	wrap_work(&wrap, SIZE_MAX, SIZE_MAX);
	add_rows(p, wrap.known, draw, &wrap);
	wrap_finish(&wrap);
}

/* False: it is shown as it came, because of the reason that is said. */
static bool
add_laid_out(struct paper *p, const struct meant_look *look, const char *text, size_t len)
{
	struct rich rich;
	struct err err = { "" };

	if (look->may_hide && len <= MEANT_MAX && look->may_hide(text, len))
		return false;
	if (!look->lay_out(text, len, p->columns, NULL, &rich, &err)) {
		say("%s", err.text);
		return false;
	}
	add_rows(p, rich.rows.len, draw_rich, &rich);
	rich_finish(&rich);
	return true;
}

static void
add_text(struct paper *p, const struct content_block *b)
{
	enum meant_kind kind = meant_kind_of(b->mime, b->text, b->text_len);
	struct buf json = BUF_INIT;

	if (kind != MEANT_PLAIN && add_laid_out(p, &meant_looks[kind], b->text, b->text_len))
		return;
	if (kind == MEANT_PLAIN && meant_format_json(b->text, b->text_len, &json))
		add_wrapped(p, buf_text(&json), json.len, draw_json);
	else
		add_wrapped(p, b->text, b->text_len, draw_wrap);
	buf_finish(&json);
}

/* ---- images ---- */

struct waited {
	struct picture_job job; /* first */
	bool done;
};

static void
on_done(struct picture_job *job)
{
	((struct waited *)job)->done = true;
}

static void
decode(struct paper *p, struct waited *w)
{
	struct client *client = p->client;

	if (!p->confined)
		p->confined = confined_create(client->loop, "/proc/self/exe", PICTURE_LIMIT_MS);
	w->done = !decoder_submit(p->confined, &w->job);
	while (!w->done && !client->end_code && !loop_trouble(client->loop))
		loop_turn(client->loop, -1);
	if (w->done)
		return;
	confined_destroy(p->confined); /* a signal came: it ends the job */
	p->confined = NULL;
}

static void
draw_picture(void *of, struct surface s, size_t top)
{
	half_blocks_draw(of, s, (int)top);
}

static void
add_picture(struct paper *p, const struct content_block *b)
{
	struct waited w = { .job = { .base64 = b->data,
				.len = b->data_len,
				.most = p->columns < 480 ? p->columns : 480,
				.done = on_done } };
	struct picture shown = { 0 };
	int width, height, cols, rows;

	decode(p, &w);
	if (w.job.trouble.text[0])
		add_wrapped(p, w.job.trouble.text, strlen(w.job.trouble.text), draw_head);
	if (!w.job.picture.rgba)
		return;
	picture_fit(&w.job.picture, p->columns, 2 * PICTURE_ROWS, &width, &height);
	picture_reduce(&w.job.picture, width, height, &shown);
	half_blocks_size(&shown, p->columns, PICTURE_ROWS, &cols, &rows);
	add_rows(p, (size_t)rows, draw_picture, &shown);
	picture_finish(&w.job.picture);
	picture_finish(&shown);
}

/* ---- the whole ---- */

static void
add_block(struct paper *p, const struct call *c, const struct content_block *b)
{
	struct buf text = BUF_INIT;
	bool is_image = b->data && (b->kind == CONTENT_IMAGE ||
				       (b->mime && strncmp(b->mime, "image/", 6) == 0));

	if (b->kind == CONTENT_UNKNOWN) {
		json_print_pretty(&text, b->block, 2);
		add_wrapped(p, buf_text(&text), text.len, draw_json);
	} else if (result_add_head(c, b, &text)) {
		add_wrapped(p, buf_text(&text), text.len, draw_head);
	}
	buf_finish(&text);
	if (b->text)
		add_text(p, b);
	else if (is_image && p->pictures++ < PICTURES_MAX)
		add_picture(p, b);
}

void
result_draw_content(struct client *client, const struct call *c, int columns, int colors, struct buf *out)
{
	struct paper p = { .columns = columns, .colors = colors, .out = out, .client = client };
	const struct result *r = &c->result;
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < r->len && !client->end_code; i++)
		add_block(&p, c, &r->blocks[i]);
	confined_destroy(p.confined);
	if (r->content == JSON_ARRAY || r->content == JSON_ABSENT)
		return;
	result_add_content(c, &text); /* malformed, but shown */
	add_wrapped(&p, buf_text(&text), text.len, draw_wrap);
	buf_finish(&text);
}

#include "authorization.h"

#include "base/secret.h"
#include "pane/pane_text.h"

#include <string.h>

#define PREVIEW_ROWS 10 /* too narrow below this */

/* ---- the state and the keys ---- */

/* keys: pairs of a key and its effect. */
static const struct state_words {
	const char *mark, *word;
	const char *const *keys; /* pairs, NULL-terminated */
	enum role role;
} states[] = {
	[AUTH_NOT_NEEDED] = { "○", "not needed", NULL, ROLE_DIM },
	[AUTH_WORKING] = { "◐", "in progress", NULL, ROLE_ACCENT },
	[AUTH_NEEDED] = { "●", "needed",
	    (const char *const[]){ "O",
		"agree: registers a client if needed and shows the URL for the browser", NULL },
	    ROLE_WARNING },
	[AUTH_NEEDS_CLIENT] = { "●", "a client ID is needed",
	    (const char *const[]){ ":client-id ID [@FILE]",
		"enter the ID and secret of a client that you registered", "R", "start over",
		NULL },
	    ROLE_WARNING },
	[AUTH_READY] = { "●", "ready for the browser",
	    (const char *const[]){ "O", "open this in the browser", "Y", "copy the URL", "P",
		"paste the redirect URL from a browser on another machine", NULL },
	    ROLE_WARNING },
	[AUTH_WAITING] = { "◐", "waiting for the browser",
	    (const char *const[]){ "P", "paste the URL that it was redirected to", "Y",
		"copy this URL", "O", "open it again", "R",
		"start over with a new registration, if the page says that the client is unknown",
		NULL },
	    ROLE_ACCENT },
	[AUTH_AUTHORIZED] = { "✓", "authorized",
	    (const char *const[]){ "Esc", "back to the server", NULL }, ROLE_OK },
	[AUTH_FAILED] = { "✗", "failed",
	    (const char *const[]){ "R", "start over", "Enter",
		"show the request and response of the selected step", "y",
		"copy all steps, for a bug report", NULL },
	    ROLE_ERROR },
};

static int
count_keys(const struct state_words *words)
{
	int n = 0;

	while (words->keys && words->keys[2 * n])
		n++;
	return n;
}

static int
draw_keys(const struct state_words *words, struct surface s, int y)
{
	int count = count_keys(words), key = 0;

	for (int i = 0; i < count; i++) {
		int width = (int)strlen(words->keys[2 * i]);
		key = width > key ? width : key;
	}
	for (int i = 0; i < count && y < s.height; i++) {
		surface_text(s, 0, y, -1, (struct style){ ROLE_BAR_KEY, ROLE_NONE, ATTR_BOLD },
		    words->keys[2 * i]);
		y += pane_draw_text(surface_sub(s, key + 2, 0, s.width - key - 2, s.height), y,
		    ROLE_TEXT, words->keys[2 * i + 1]);
	}
	return y;
}

/* The absolute time of day, because panes have no clock. */
static void
add_end(struct buf *out, const struct auth_flow *flow)
{
	int64_t end = auth_flow_info(flow).expires_s;

	if (auth_flow_info(flow).state == AUTH_AUTHORIZED && end > 0)
		buf_addf(out, " until %02d:%02d UTC", (int)(end / 3600 % 24), (int)(end / 60 % 60));
}

/* Masks the values of secret parameters, or all of a string that is not a URL. */
static void
mask(char *text)
{
	char *at = text + strcspn(text, "?#");

	if (*at == '\0' && strncmp(text, "http", 4) != 0)
		memset(text, '*', strlen(text));
	while (*at) {
		char *name = at + 1, *value = name + strcspn(name, "=&#");
		at = value + strcspn(value, "&#");
		if (*value == '=' && secret_is_named(name, (size_t)(value - name)))
			memset(value + 1, '*', (size_t)(at - value) - 1);
	}
}

/* Enough to recognize the URL and see that it is complete; the code stays hidden. */
static int
draw_field(struct authorization *p, struct surface s, int y)
{
	struct edit shown = p->edit;

	if (!p->pasting || y >= s.height)
		return y;
	shown.text = (struct buf)BUF_INIT;
	buf_add_str(&shown.text, edit_text(&p->edit));
	if (shown.text.len > 0)
		mask(shown.text.data);
	edit_draw(&shown, surface_sub(s, 0, y, s.width, 1), style_of(ROLE_FIELD_FOCUS), true,
	    "the URL that the browser was redirected to");
	p->edit.left = shown.left;
	buf_finish(&shown.text);
	return y + 1;
}

/* If the URL is cut, a note says so: its destination may be at the end. */
static int
draw_url(const char *url, int below, struct surface s, int y)
{
	int room = s.height - y - below;
	struct wrap wrap;

	wrap_init(&wrap);
	wrap_set(&wrap, url, strlen(url), s.width);
	wrap_work(&wrap, SIZE_MAX, SIZE_MAX);
	int rows = (int)wrap_rows(&wrap);
	wrap_finish(&wrap);
	if (rows <= room || room < 1)
		return pane_draw_text(s, y, ROLE_ACCENT, url);
	pane_draw_text(surface_sub(s, 0, 0, s.width, y + room), y, ROLE_ACCENT, url);
	return room + pane_draw_text(s, y + room, ROLE_WARNING,
			  "… longer than the screen: Enter on the last step shows all of it");
}

static int
draw_head(struct authorization *p, const struct auth_flow *flow, struct surface s)
{
	const struct state_words *words = &states[auth_flow_info(flow).state];
	const char *url = auth_flow_info(flow).browser_url;
	struct buf line = BUF_INIT;

	buf_addf(&line, "%s %s", words->mark, words->word);
	add_end(&line, flow);
	int y = pane_draw_text(s, 0, words->role, buf_text(&line));
	buf_finish(&line);
	y += pane_draw_text(s, y, ROLE_TEXT, auth_flow_info(flow).sentence);
	if (url)
		y += draw_url(url, count_keys(words) + 3, s, y);
	return draw_field(p, s, draw_keys(words, s, y));
}

/* ---- the steps ---- */

static enum role
step_role(const struct auth_step *step)
{
	return step->open ? ROLE_ACCENT : step->failed ? ROLE_ERROR : ROLE_OK;
}

static void
draw_step(const struct auth_step *step, struct surface s, int y)
{
	const char *mark = step->open ? "◐" : step->failed ? "✗" : "✓";
	int x = 2;

	surface_text(s, 0, y, 1, style_of(step_role(step)), mark);
	x += surface_text(s, x, y, -1, style_of(ROLE_TITLE), step->title) + 2;
	if (x < 33)
		x = 33;
	if (step->status)
		x += surface_textf(s, x, y, -1, style_of(ROLE_NUMBER), "%d", step->status) + 2;
	x += surface_text(
	    s, x, y, -1, style_of(step->failed ? ROLE_ERROR : ROLE_TEXT), step->outcome);
	if (step->url && (step->open || step->failed))
		surface_text(
		    s, x + (step->outcome[0] ? 2 : 0), y, -1, style_of(ROLE_DIM), step->url);
}

static void
draw_steps(struct authorization *p, const struct view_env *env, const struct auth_flow *flow,
    struct surface s)
{
	const struct auth_steps *steps = auth_flow_info(flow).steps;

	list_set_height(&p->list, s.height);
	for (int y = 0; y < s.height && p->list.top + (size_t)y < steps->len; y++) {
		draw_step(&steps->items[p->list.top + (size_t)y], s, y);
		surface_spot(s, -1, y);
		if (p->list.top + (size_t)y == p->list.selected)
			surface_select_row(s, y, env->focused && !p->pasting);
	}
}

/* ---- one step whole ---- */

static void
add_lines(struct buf *out, const char *text)
{
	if (text[0])
		buf_addf(out, "%s%s", text, text[strlen(text) - 1] == '\n' ? "" : "\n");
}

void
authorization_add_step(struct buf *out, const struct auth_step *step)
{
	buf_addf(out, "%s\n\n", step->outcome[0] ? step->outcome : "in progress");
	if (step->method) {
		buf_addf(out, "── request ──\n%s %s\n", step->method, step->url);
		add_lines(out, step->request);
		buf_add_char(out, '\n');
	}
	if (step->status) {
		buf_addf(out, "── response ──\n%d, after %lld ms\n", step->status,
		    (long long)step->took_ms);
		add_lines(out, step->headers);
		buf_add_char(out, '\n');
		add_lines(out, step->answer);
	}
}

static void
draw_whole(struct authorization *p, const struct auth_flow *flow, struct surface s)
{
	const struct auth_step *step = &auth_flow_info(flow).steps->items[p->list.selected];

	if (p->text_of != step->id || p->text_at != auth_flow_info(flow).generation) {
		buf_clear(&p->text);
		authorization_add_step(&p->text, step);
		wrap_finish(&p->wrap);
		wrap_init(&p->wrap);
	}
	p->top = p->text_of == step->id ? p->top : 0;
	p->text_of = step->id;
	p->text_at = auth_flow_info(flow).generation;
	p->text_height = s.height;
	wrap_set(&p->wrap, buf_text(&p->text), p->text.len, s.width);
	wrap_work(&p->wrap, SIZE_MAX, SIZE_MAX);
	if (p->top + (size_t)s.height > wrap_rows(&p->wrap))
		p->top = wrap_rows(&p->wrap) > (size_t)s.height
			     ? wrap_rows(&p->wrap) - (size_t)s.height
			     : 0;
	wrap_draw(&p->wrap, s, style_of(ROLE_TEXT), p->top);
}

/* The steps and, if there is room, the selected step. */
static void
draw_below(struct authorization *p, const struct view_env *env, const struct auth_flow *flow,
    struct surface s)
{
	size_t count = auth_flow_info(flow).steps->len;
	int rows = count < (size_t)s.height ? (int)count : s.height;

	if (p->list.selected >= count || s.height - rows < PREVIEW_ROWS) {
		draw_steps(p, env, flow, s);
		return;
	}
	draw_steps(p, env, flow, surface_sub(s, 0, 0, s.width, rows));
	surface_repeat(s, 0, rows + 1, s.width, style_of(ROLE_BORDER), 0x2500);
	p->top = 0;
	draw_whole(p, flow, surface_sub(s, 0, rows + 2, s.width, s.height - rows - 2));
}

void
authorization_draw(void *state, const struct view_env *env, struct surface s)
{
	struct authorization *p = state;
	const struct auth_flow *flow = authorization_flow(env);

	if (!flow) {
		pane_draw_text(s, 0, ROLE_HINT,
		    env->ws->server ? "This server uses stdio, not HTTP: it gets its credentials "
				      "from the environment."
				    : "no server is connected");
		return;
	}
	if (p->open && p->list.selected < auth_flow_info(flow).steps->len) {
		draw_whole(p, flow, s);
		return;
	}
	p->head_rows = draw_head(p, flow, s) + 1;
	if (p->head_rows < s.height)
		draw_below(p, env, flow,
		    surface_sub(s, 0, p->head_rows, s.width, s.height - p->head_rows));
}

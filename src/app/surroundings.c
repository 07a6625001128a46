#include "tui.h"

#include "base/clock.h"

/* What apps are told of the screen around them: the colors of the theme. */

static uint32_t
color_or(int32_t color, uint32_t otherwise)
{
	return color == COLOR_DEFAULT ? otherwise : (uint32_t)color;
}

static struct app_colors
colors_of(const struct theme *t)
{
	const struct theme_entry *roles = t->roles;
	uint32_t ground = color_or(roles[ROLE_TEXT].bg, t->is_light ? 0xffffff : 0x101010);
	uint32_t ink = color_or(roles[ROLE_TEXT].fg, t->is_light ? 0x1c1c1c : 0xe4e4e4);

	return (struct app_colors){
		.background = ground,
		.raised = color_or(roles[ROLE_FIELD].bg, ground),
		.selected = color_or(roles[ROLE_SELECTION].bg, ground),
		.inverse = ink,
		.text = ink,
		.dim = color_or(roles[ROLE_DIM].fg, ink),
		.hint = color_or(roles[ROLE_HINT].fg, ink),
		.border = color_or(roles[ROLE_BORDER].fg, ink),
		.accent = color_or(roles[ROLE_ACCENT].fg, ink),
		.info = color_or(roles[ROLE_ACCENT].fg, ink),
		.danger = color_or(roles[ROLE_ERROR].fg, ink),
		.success = color_or(roles[ROLE_OK].fg, ink),
		.warning = color_or(roles[ROLE_WARNING].fg, ink),
	};
}

/* An app may ask for the other kind of colors: those are of the theme that is built in. */
void
tui_tell_apps(struct tui *t, const struct theme *theme)
{
	struct app_context *c;
	struct theme other;

	if (!t->apps)
		return;
	c = &apps_house(t->apps)->context;
	theme_builtin(&other, theme->is_light ? "dark" : "light");
	c->is_dark = !theme->is_light;
	c->has_colors = true;
	c->light = colors_of(theme->is_light ? theme : &other);
	c->dark = colors_of(theme->is_light ? &other : theme);
	servers_refresh_apps(t->servers, clock_now_us());
}

/* SPDX-License-Identifier: MIT */
#include "apps/context.h"

#include "base/vec.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

const char *const app_display_names[APP_DISPLAYS] = { "inline", "fullscreen", "pip" };

enum app_display
app_display_find(const char *name)
{
	enum app_display mode = APP_DISPLAY_INLINE;

	while (mode < APP_DISPLAYS && !(name && strcmp(name, app_display_names[mode]) == 0))
		mode++;
	return mode;
}

/* ---- the standard variables: all or none, so that they do not clash with those of an app ---- */

static const struct {
	const char *name;
	size_t color; /* in struct app_colors */
} COLORS[] = {
#define COLOR(name, member)                                          \
	{                                                            \
		"--color-" name, offsetof(struct app_colors, member) \
	}
	COLOR("background-primary", background),
	COLOR("background-secondary", raised),
	COLOR("background-tertiary", selected),
	COLOR("background-inverse", inverse),
	COLOR("background-ghost", background),
	COLOR("background-info", raised),
	COLOR("background-danger", raised),
	COLOR("background-success", raised),
	COLOR("background-warning", raised),
	COLOR("background-disabled", raised),
	COLOR("text-primary", text),
	COLOR("text-secondary", dim),
	COLOR("text-tertiary", hint),
	COLOR("text-inverse", background),
	COLOR("text-info", info),
	COLOR("text-danger", danger),
	COLOR("text-success", success),
	COLOR("text-warning", warning),
	COLOR("text-disabled", hint),
	COLOR("text-ghost", hint),
	COLOR("border-primary", border),
	COLOR("border-secondary", border),
	COLOR("border-tertiary", selected),
	COLOR("border-inverse", inverse),
	COLOR("border-ghost", background),
	COLOR("border-info", info),
	COLOR("border-danger", danger),
	COLOR("border-success", success),
	COLOR("border-warning", warning),
	COLOR("border-disabled", selected),
	COLOR("ring-primary", accent),
	COLOR("ring-secondary", border),
	COLOR("ring-inverse", inverse),
	COLOR("ring-info", info),
	COLOR("ring-danger", danger),
	COLOR("ring-success", success),
	COLOR("ring-warning", warning),
#undef COLOR
};

/* A cell is 16 pixels high, and all texts in cells have the same size. */
static const struct {
	const char *name, *value;
} OTHERS[] = {
	{ "--font-sans", "system-ui, sans-serif" },
	{ "--font-mono", "ui-monospace, monospace" },
	{ "--font-weight-normal", "400" },
	{ "--font-weight-medium", "500" },
	{ "--font-weight-semibold", "600" },
	{ "--font-weight-bold", "700" },
	{ "--font-text-xs-size", "12px" },
	{ "--font-text-sm-size", "13px" },
	{ "--font-text-md-size", "14px" },
	{ "--font-text-lg-size", "16px" },
	{ "--font-heading-xs-size", "14px" },
	{ "--font-heading-sm-size", "16px" },
	{ "--font-heading-md-size", "18px" },
	{ "--font-heading-lg-size", "20px" },
	{ "--font-heading-xl-size", "24px" },
	{ "--font-heading-2xl-size", "28px" },
	{ "--font-heading-3xl-size", "32px" },
	{ "--font-text-xs-line-height", "16px" },
	{ "--font-text-sm-line-height", "16px" },
	{ "--font-text-md-line-height", "16px" },
	{ "--font-text-lg-line-height", "16px" },
	{ "--font-heading-xs-line-height", "16px" },
	{ "--font-heading-sm-line-height", "16px" },
	{ "--font-heading-md-line-height", "32px" },
	{ "--font-heading-lg-line-height", "32px" },
	{ "--font-heading-xl-line-height", "32px" },
	{ "--font-heading-2xl-line-height", "32px" },
	{ "--font-heading-3xl-line-height", "48px" },
	{ "--border-radius-xs", "0px" },
	{ "--border-radius-sm", "2px" },
	{ "--border-radius-md", "4px" },
	{ "--border-radius-lg", "4px" },
	{ "--border-radius-xl", "8px" },
	{ "--border-radius-full", "9999px" },
	{ "--border-width-regular", "1px" },
	{ "--shadow-hairline", "none" },
	{ "--shadow-sm", "none" },
	{ "--shadow-md", "none" },
	{ "--shadow-lg", "none" },
};

static uint32_t
color_at(const struct app_colors *colors, size_t offset)
{
	uint32_t color;

	memcpy(&color, (const char *)colors + offset, sizeof(color));
	return color & 0xffffff;
}

void
app_context_write(const struct app_context *c, struct json_writer *w)
{
	const char *const texts[][2] = { { "locale", c->locale }, { "timeZone", c->time_zone },
		{ "userAgent", c->user_agent } };

	json_write_object(w);
	if (c->tool) {
		json_write_member_object(w, "toolInfo");
		if (c->call_id)
			json_write_member_json(w, "id", c->call_id);
		json_write_member_value(w, "tool", c->tool);
		json_write_object_end(w);
	}
	json_write_member_string(w, "theme", c->is_dark ? "dark" : "light");
	if (c->has_colors) {
		char value[48];
		json_write_member_object(w, "styles");
		json_write_member_object(w, "variables");
		for (size_t i = 0; i < ARRAY_LEN(COLORS); i++) {
			snprintf(value, sizeof(value), "light-dark(#%06x, #%06x)",
			    color_at(&c->light, COLORS[i].color),
			    color_at(&c->dark, COLORS[i].color));
			json_write_member_string(w, COLORS[i].name, value);
		}
		for (size_t i = 0; i < ARRAY_LEN(OTHERS); i++)
			json_write_member_string(w, OTHERS[i].name, OTHERS[i].value);
		json_write_object_end(w);
		json_write_object_end(w);
	}
	json_write_member_string(w, "displayMode", app_display_names[c->mode]);
	json_write_member_array(w, "availableDisplayModes");
	for (int mode = 0; mode < APP_DISPLAYS; mode++)
		if (c->modes & 1u << mode)
			json_write_string(w, app_display_names[mode]);
	json_write_array_end(w);
	json_write_member_object(w, "containerDimensions");
	json_write_member_int(w, "width", c->width);
	json_write_member_int(w, "height", c->height);
	json_write_object_end(w);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (texts[i][1])
			json_write_member_string(w, texts[i][0], texts[i][1]);
	json_write_member_string(w, "platform", "desktop");
	json_write_member_object(w, "deviceCapabilities");
	json_write_member_bool(w, "touch", false);
	json_write_member_bool(w, "hover", c->has_mouse);
	json_write_object_end(w);
	json_write_object_end(w);
}

#include "demo_priv.h"

#include <string.h>

/* Every kind of content block. */

/* 24 x 24 pixels: four coloured bars in a frame. */
const char demo_picture_png[] =
    "iVBORw0KGgoAAAANSUhEUgAAABgAAAAYBAMAAAASWSDLAAAAD1BMVEUWGyJYpv8/uVDSmSL4UUmUjt1jAAAA"
    "KElEQVR42mMQRAIMAgxwwEgix9iAEo6SAn6OiyM+jqAANTk4fYocVAB22hF/BlHiGQAAAABJRU5ErkJggg==";

/* 50 ms of 440 Hz, 8 bit, 8 kHz. */
static const char tone_wav[] =
    "UklGRrQBAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YZABAACAob/V4eHWwKSDYUQuISAqPll6"
    "mrfO293VwqeIaEs1JyQrPVZ0k7DH1dnTwqqNb1M8LSgtPFNvjanAz9XQwq2SdVlDMy0wPVFrh6K5ydDNwq+W"
    "e2BJOTIzPlBogpyyw8vKwbCZf2ZQQDc3P09lfZasvMbGv7CchGxWRjw7QU9ieZCmtsDCvbCeiHFcTEI/RE9h"
    "dougsLu+uq+fi3ZiUkdDRlBgc4eaqrW5t66gjnpnWE1ISlJfcIOVpK+1s6ygkH5sXVJNTVRfboCQn6qwsKqf"
    "kYFxY1hSUVZgbX2MmqWrrKeekoR1Z11XVllhbXqIlZ+mp6SdkoZ4bGJcWlxjbXmFkZqho6Gbkod7cGdhX2Bl"
    "bXiCjZacnp2ZkYh+dGxmY2RobneAiZGXmZmWkIiAd3BraGhrcHd/ho2SlZWSjoiBenRvbWxucnh+hImOkJCP"
    "jIeCfHdzcXFydXl9goaKi4yLiYWCfnp3dnV2eHp9gYOGh4eHhoSBf317enp6e31+gIGCg4ODgoGAf39+fn5/"
    "f39/";

static void
open_block(struct json_writer *w, const char *type)
{
	json_write_object(w);
	json_write_member_string(w, "type", type);
}

/* annotations: JSON or NULL. */
static void
close_block(struct json_writer *w, const char *annotations)
{
	if (annotations) {
		json_write_key(w, "annotations");
		json_write_raw(w, annotations, strlen(annotations));
	}
	json_write_object_end(w);
}

static void
write_text(struct json_writer *w, const char *text, const char *annotations)
{
	open_block(w, "text");
	json_write_member_string(w, "text", text);
	close_block(w, annotations);
}

static void
write_media(struct json_writer *w, const char *type, const char *mime, const char *data)
{
	open_block(w, type);
	json_write_member_string(w, "data", data);
	json_write_member_string(w, "mimeType", mime);
	close_block(w, JSON_TEXT({"audience":["user"]}));
}

static void
write_resources(struct json_writer *w)
{
	static const char link[] =
	    JSON_TEXT({"type":"resource_link","uri":"demo://reports/july",
	"name":"july","title":"Report of July","description":"Not embedded: read it if you need it",
	"mimeType":"text/markdown","size":18240,
	"annotations":{"audience":["user","assistant"],"priority":0.9,
		"lastModified":"2026-07-31T17:00:00Z"}});
	static const char text[] = JSON_TEXT({"type":"resource","resource":{
	"uri":"demo://notes/1","mimeType":"text/markdown",
	"text":"# Note\n\nA resource that came *inside* the result.\n\n- with a list\n- of two"},
	"annotations":{"priority":0.2}});
	static const char blob[] = JSON_TEXT({"type":"resource","resource":{
	"uri":"demo://files/hello.bin","mimeType":"application/octet-stream",
	"blob":"AAECA0hlbGxvLCB3b3JsZP8="}});

	json_write_raw(w, link, sizeof(link) - 1);
	json_write_raw(w, text, sizeof(text) - 1);
	json_write_raw(w, blob, sizeof(blob) - 1);
}

static const char unknown_block[] =
    JSON_TEXT({"type":"hologram","data":"none","depth":3,"note":"shown whole as JSON"});

static void
mixed_content(struct demo_call *call)
{
	struct json_writer *w = &call->w;

	demo_result(call);
	json_write_key(w, "content");
	json_write_array(w);
	write_text(w,
	    "Eight blocks follow: two of text, a picture, a tone, a link, two resources and "
	    "one of a type that does not exist yet.",
	    JSON_TEXT({"audience":["assistant"],"priority":1}));
	write_text(w,
	    "\033[1mcoloured\033[0m by \033[31mred\033[0m \033[32mgreen\033[0m "
	    "\033[38;5;214morange\033[0m \033[38;2;88;166;255mblue\033[0m escape sequences",
	    NULL);
	write_media(w, "image", "image/png", demo_picture_png);
	write_media(w, "audio", "audio/wav", tone_wav);
	write_resources(w);
	json_write_raw(w, unknown_block, sizeof(unknown_block) - 1);
	write_text(
	    w, "café 日本語 🚀 e\314\201: the last block\n\tand its second line, after a tab", NULL);
	json_write_array_end(w);
	demo_end(call);
}

const struct demo_tool demo_tool_mixed_content = {
	.name = "mixed_content",
	.title = "Every kind of content",
	.description =
	    "Text, picture, audio, link, embedded resources, something unknown. With "
	    "annotations (audience, priority, lastModified) and without structuredContent.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = DEMO_NO_INPUT,
	.run = mixed_content,
};

#include "demo_priv.h"

/* Text that attacks the terminal it is shown in. All of it has to come out as visible marks. */

#define CLEAR "\033[2J\033[H"
#define TITLE "\033]0;owned\007"
#define CLIPBOARD "\033]52;c;b3duZWQ=\007"
#define RED "\033[31;7m"
#define C1_CSI "\302\2332J"            /* U+009B */
#define RIGHT_TO_LEFT "\342\200\256"   /* U+202E, right-to-left override */
#define ISOLATE "\342\201\246"         /* U+2066, left-to-right isolate */
#define ZERO_WIDTH "\342\200\213"      /* U+200B */
#define BYTE_ORDER_MARK "\357\273\277" /* U+FEFF */
#define TAG_A "\363\240\201\201"       /* U+E0041, an invisible letter */
#define MARKS "\314\200\314\201\314\202\314\203\314\204\314\205\314\206\314\207"

static void
write_rows(struct json_writer *w)
{
	static const char *const cells[] = { CLEAR "cleared?", TITLE "title?",
		CLIPBOARD "clipboard?", RED "red?", C1_CSI "C1?", "user" RIGHT_TO_LEFT "gpj.exe",
		ISOLATE "isolated", "pass" ZERO_WIDTH "word", BYTE_ORDER_MARK "mark first",
		"hidden" TAG_A TAG_A "letters", "Z" MARKS MARKS "algo", "bell\a back\b\b\b space",
		"over\rwritten", "two\nlines\tand a tab", "half a \033[" };

	for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++) {
		json_write_object(w);
		json_write_member_int(w, "id", (int64_t)i + 1);
		json_write_member_string(w, "text" RIGHT_TO_LEFT, cells[i]);
		json_write_member_string(w, RED "key", "harmless");
		json_write_object_end(w);
	}
}

static void
hostile(struct demo_call *call)
{
	static const char flaws[] =
	    "{\"nul\":\"a\\u0000b\",\"half a pair\":\"\\ud83d\",\"twice\":1,\"twice\":2}";
	struct json_writer *w = &call->w;

	demo_result(call);
	demo_text(call, CLEAR TITLE CLIPBOARD
	    "Your screen is still here. " RED "Ignore all previous colours. " C1_CSI
	    "This is " RIGHT_TO_LEFT "desrever" ZERO_WIDTH ".\r\n\033[999;999HThe end");
	json_write_key(w, "structuredContent");
	json_write_object(w);
	json_write_key(w, "rows");
	json_write_array(w);
	write_rows(w);
	json_write_array_end(w);
	json_write_key(w, "flaws");
	json_write_raw(w, flaws, sizeof(flaws) - 1);
	json_write_object_end(w);
	demo_end(call);
}

static const char hostile_output[] =
    JSON_TEXT({"type":"object","properties":{
	"rows":{"type":"array","items":{"type":"object"}},"flaws":{"type":"object"}},
	"required":["rows"]});

const struct demo_tool demo_tool_hostile = {
	.name = "hostile",
	.title = "Hostile text",
	.description =
	    "Text that attacks the terminal: it must show as marks and do nothing. Here too: " RED
	    "red?" CLEAR " " RIGHT_TO_LEFT "backwards?" TITLE
	    ". Texts, keys and cells are full of it.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = DEMO_NO_INPUT,
	.output_schema = hostile_output,
	.run = hostile,
};

const struct demo_tool demo_tool_hostile_name = {
	.name = "hostile" RED RIGHT_TO_LEFT "eman" TITLE,
	.title = "Hostile " CLEAR "name",
	.description = "The same, but the name of the tool itself carries the tricks.",
	.annotations = DEMO_READ_ONLY,
	.input_schema = DEMO_NO_INPUT,
	.run = hostile,
};

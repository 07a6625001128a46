/* SPDX-License-Identifier: MIT */
/* bench_schema ROWS PEERS CORPUS...: the validator on the generated rows of folder ROWS and on
 * corpora, which are folders; PEERS is a file of lines "CASE FIGURE VALUE" of others
 * (tests/bench/schema.sh), set beside ours. Files that are absent are left out. */
#include "measure.h"

#include "base/mem.h"
#include "base/path.h"
#include "base/vec.h"
#include "schema/output.h"
#include "schema/schema.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SAMPLE_MS 25

struct set {
	struct json_doc **items;
	size_t len, cap;
};

struct task {
	const cJSON *schema_text;
	struct schema *schema;
	const struct set *docs;
	enum check_mode mode;
	size_t invalid;
};

static struct buf peers;

/* Return the figure of the other library, or 0 if it is unknown. */
static double
peer_figure(const char *what, const char *figure)
{
	char *key = mem_printf("\n%s %s ", what, figure);
	const char *at = strstr(buf_text(&peers), key);
	double value = at ? strtod(at + strlen(key), NULL) : 0;

	free(key);
	return value;
}

static bool
read_file(const char *folder, const char *name, struct buf *out)
{
	char *path = mem_printf("%s/%s", folder, name);
	struct err err;
	bool fine = path_read_file(path, out, &err);

	free(path);
	return fine;
}

static struct json_doc *
load(const char *folder, const char *name)
{
	struct buf text = BUF_INIT;
	struct json_doc *doc = NULL;

	if (read_file(folder, name, &text))
		doc = json_parse(buf_text(&text), text.len, NULL, NULL);
	buf_finish(&text);
	return doc;
}

static void
load_lines(const char *folder, const char *name, struct set *set)
{
	struct buf text = BUF_INIT;

	if (read_file(folder, name, &text)) {
		const char *at = buf_text(&text);
		while (*at) {
			size_t len = strcspn(at, "\n");
			struct json_doc *doc = json_parse(at, len, NULL, NULL);
			if (doc)
				*VEC_PUSH(set) = doc;
			at += len + (at[len] == '\n');
		}
	}
	buf_finish(&text);
}

static void
set_finish(struct set *set)
{
	for (size_t i = 0; i < set->len; i++)
		json_doc_destroy(set->items[i]);
	free(set->items);
	*set = (struct set){ 0 };
}

static void
check_all(struct task *t)
{
	const struct check_options options = { .mode = t->mode };

	t->invalid = 0;
	for (size_t i = 0; i < t->docs->len; i++) {
		const cJSON *root = json_root(t->docs->items[i]);
		if (t->mode == CHECK_FLAG) {
			t->invalid += schema_outcome(t->schema, root, NULL) == SCHEMA_INVALID;
			continue;
		}
		struct report *report = schema_check(t->schema, root, &options);
		t->invalid += report_facts(report)->outcome == SCHEMA_INVALID;
		report_destroy(report);
	}
}

static void
compile_once(struct task *t)
{
	schema_destroy(schema_compile(t->schema_text, NULL, NULL));
}

/* A schema that was never seen: compiled, then every document once. */
static void
check_first(struct task *t)
{
	struct task own = *t;

	own.schema = schema_compile(t->schema_text, NULL, NULL);
	check_all(&own);
	schema_destroy(own.schema);
}

/* Processor time, so that other load on the machine counts less. */
static double
used_ms(void)
{
	return (double)clock() * 1e3 / CLOCKS_PER_SEC;
}

/* The time of one call in ns: the fastest of a few runs, because the machine may be busy. */
static double
time_of(void (*work)(struct task *), struct task *t)
{
	struct samples samples = { 0 };
	size_t times = 1;

	for (;;) {
		double start = used_ms();
		for (size_t i = 0; i < times; i++)
			work(t);
		double took = used_ms() - start;
		if (took >= SAMPLE_MS || times >= 1u << 20)
			break;
		times = took < 1 ? times * 8 : (size_t)((double)times * 1.3 * SAMPLE_MS / took) + 1;
	}
	for (size_t run = 0; run < measure_runs(); run++) {
		double start = used_ms();
		for (size_t i = 0; i < times; i++)
			work(t);
		samples_add(&samples, (used_ms() - start) / (double)times);
	}
	return samples_min(&samples) * 1e6;
}

/* One cell of our figure, and the ratio to the peer's where there is one. */
static void
print_beside(double ours, double theirs, const char *unit)
{
	printf("  %9.*f %s", ours < 100 ? 1 : 0, ours, unit);
	if (theirs > 0)
		printf(" %5.2fx", ours / theirs);
	else
		printf("       ");
}

/* Each document 50 times before the next one, as Blaze measures. */
static void
check_each_often(struct task *t)
{
	for (size_t i = 0; i < t->docs->len; i++)
		for (int times = 0; times < 50; times++)
			schema_outcome(t->schema, json_root(t->docs->items[i]), NULL);
}

/* The ratios of our figure to that of others, in all corpora. */
static struct peer {
	const char *name, *figure;
	double logs, most;
	size_t count;
	char worst[64];
} PEERS[] = {
	{ .name = "jsonschema-rs", .figure = "rust_ns" },
	{ .name = "Blaze", .figure = "blaze_ns" },
	{ .name = "ajv", .figure = "warm_ns" },
};

static void
print_peer(struct peer *peer, const char *corpus, double ours)
{
	double theirs = peer_figure(corpus, peer->figure);
	double ratio = theirs > 0 ? ours / theirs : 0;

	if (ratio == 0) {
		printf("  %8s       ", "-");
		return;
	}
	printf("  %8.1f %5.2fx", theirs, ratio);
	peer->logs += log(ratio);
	peer->count++;
	if (ratio > peer->most) {
		peer->most = ratio;
		snprintf(peer->worst, sizeof(peer->worst), "%s", corpus);
	}
}

struct corpora {
	struct samples compile;
	double collecting;
	size_t count;
};

static void
measure_corpus(struct corpora *all, const char *name, struct task *t)
{
	double each = (double)t->docs->len;

	t->mode = CHECK_FLAG;
	double warm = time_of(check_all, t) / each;
	size_t invalid = t->invalid;
	double often = time_of(check_each_often, t) / each / 50;
	t->mode = CHECK_AS_NEEDED;
	double collecting = time_of(check_all, t) / each;
	double compile = time_of(compile_once, t) / 1e3;
	double first = time_of(check_first, t) / 1e3;
	printf("%-24s %8.1f", name, warm);
	print_peer(&PEERS[0], name, warm);
	print_peer(&PEERS[2], name, warm);
	printf("  %8.1f", often);
	print_peer(&PEERS[1], name, often);
	printf("  %8.1f  %7.1f", collecting, compile);
	print_beside(first, peer_figure(name, "first_us"), "us");
	printf("  %zu/%zu\n", invalid, t->docs->len);
	samples_add(&all->compile, compile);
	all->collecting += log(collecting / warm);
	all->count++;
}

static void
bench_corpus(struct corpora *all, const char *folder)
{
	struct json_doc *text = load(folder, "schema-noformat.json");
	struct set docs = { 0 };

	load_lines(folder, "instances.jsonl", &docs);
	struct task t = { .schema_text = json_root(text), .docs = &docs };
	t.schema = text ? schema_compile(json_root(text), NULL, NULL) : NULL;
	if (t.schema && docs.len > 0)
		measure_corpus(all, path_file_name(folder), &t);
	schema_destroy(t.schema);
	set_finish(&docs);
	json_doc_destroy(text);
}

static void
bench_corpora(char **folders, int count)
{
	struct corpora all = { 0 };

	measure_title("corpora: ns per document; like-...: made by shapes.py");
	printf("%-24s %8s  %15s  %15s  %8s  %15s  %8s  %7s  %19s  %s\n", "", "warm",
	    "jsonschema-rs", "ajv", "50 times", "Blaze", "+reasons", "compile", "first, us (ajv)",
	    "invalid");
	for (int i = 0; i < count; i++)
		bench_corpus(&all, folders[i]);
	if (all.count == 0)
		return;
	for (size_t i = 0; i < ARRAY_LEN(PEERS); i++)
		if (PEERS[i].count)
			printf("%.2fx %s (geometric mean of %zu), at most %.2fx (%s)\n",
			    exp(PEERS[i].logs / (double)PEERS[i].count), PEERS[i].name,
			    PEERS[i].count, PEERS[i].most, PEERS[i].worst);
	printf("compile: median %.1f us; every violation: %.2fx the outcome alone\n",
	    samples_median(&all.compile), exp(all.collecting / (double)all.count));
}

static void
bench_rows_of(const char *rows, const char *schema, const char *kind, const char *count)
{
	char *name = mem_printf("%s.%s.json", kind, count);
	char *schema_name = mem_printf("%s.schema.json", schema);
	char *key = mem_printf("%s.%s.%s", schema, kind, count);
	struct json_doc *text = load(rows, schema_name), *doc = load(rows, name);

	if (text && doc) {
		struct set docs = { .items = &doc, .len = 1 };
		struct task t = { .schema_text = json_root(text), .docs = &docs };
		double each = strtod(count, NULL);
		t.schema = schema_compile(json_root(text), NULL, NULL);
		t.mode = CHECK_FLAG;
		double warm = time_of(check_all, &t) / each;
		bool valid = t.invalid == 0;
		t.mode = CHECK_AS_NEEDED;
		double collecting = time_of(check_all, &t) / each;
		printf("%-24s", key);
		print_beside(time_of(compile_once, &t) / 1e3, peer_figure(key, "compile_us"), "us");
		print_beside(warm, peer_figure(key, "warm_ns"), "ns");
		print_beside(collecting, peer_figure(key, "all_ns"), "ns");
		if (valid)
			printf("  %5.2fx\n", collecting / warm);
		else
			printf("  (stops at the first)\n");
		schema_destroy(t.schema);
	}
	json_doc_destroy(text);
	json_doc_destroy(doc);
	free(name);
	free(schema_name);
	free(key);
}

static void
bench_rows(const char *rows)
{
	static const char *const CASES[][3] = {
		{ "plain", "plain", "200" },
		{ "plain", "plain", "10000" },
		{ "plain", "plain", "200000" },
		{ "rich", "rich", "200" },
		{ "rich", "rich", "10000" },
		{ "rich", "rich", "200000" },
		{ "plain", "bad", "10000" },
		{ "plain", "bad", "200000" },
		{ "unique", "plain", "200" },
		{ "unique", "plain", "10000" },
		{ "unique", "plain", "200000" },
	};

	measure_title("rows (schema.instance.count): ns per row; aims: plain 25, rich 330, "
		      "unique.plain.10000 100");
	for (size_t i = 0; i < ARRAY_LEN(CASES); i++)
		bench_rows_of(rows, CASES[i][0], CASES[i][1], CASES[i][2]);
}

/* The kind is the constant of a property. */
static void
add_constant_schema(struct buf *out, int kind)
{
	buf_addf(out,
	    "{\"type\":\"object\",\"properties\":{\"id\":{\"type\":\"integer\"},\"type\":{"
	    "\"const\":\"kind%d\"},\"v\":{\"type\":\"string\"}},\"required\":[\"id\",\"type\"]}",
	    kind);
}

static void
add_constant_row(struct buf *out, int kind, int row)
{
	buf_addf(out, "{\"id\":%d,\"type\":\"kind%d\",\"v\":\"x\"}", row, kind);
}

/* It is the name of the only property, as serde writes it. */
static void
add_name_schema(struct buf *out, int kind)
{
	buf_addf(out,
	    "{\"type\":\"object\",\"properties\":{\"kind%d\":{\"type\":\"object\",\"properties\":{"
	    "\"id\":{\"type\":\"integer\"},\"v\":{\"type\":\"string\"}},\"required\":[\"id\"]}},"
	    "\"required\":[\"kind%d\"],\"additionalProperties\":false}",
	    kind, kind);
}

static void
add_name_row(struct buf *out, int kind, int row)
{
	buf_addf(out, "{\"kind%d\":{\"id\":%d,\"v\":\"x\"}}", kind, row);
}

static const struct union_shape {
	const char *name;
	void (*add_schema)(struct buf *out, int kind);
	void (*add_row)(struct buf *out, int kind, int row);
} UNIONS[] = {
	{ "by constant", add_constant_schema, add_constant_row },
	{ "by name", add_name_schema, add_name_row },
};

enum union_way {
	WAY_UNION,  /* a oneOf of all kinds */
	WAY_DIRECT, /* a prefixItems that leads each row to its branch: no choice is left */
	WAY_ALIKE,  /* rows of one kind by its branch */
};

static void
add_union_schema(
    struct buf *out, const struct union_shape *shape, enum union_way way, int kinds, int count)
{
	static const char *const opens[] = { "},\"items\":{\"oneOf\":[", "},\"prefixItems\":[",
		"},\"items\":" };
	static const char *const closes[] = { "]}}", "]}", "}" };
	int refs = way == WAY_DIRECT ? count : way == WAY_UNION ? kinds : 1;

	buf_add_str(out, "{\"$defs\":{");
	for (int i = 0; i < kinds; i++) {
		buf_addf(out, "%s\"%d\":", i ? "," : "", i);
		shape->add_schema(out, i);
	}
	buf_add_str(out, opens[way]);
	for (int i = 0; i < refs; i++)
		buf_addf(out, "%s{\"$ref\":\"#/$defs/%d\"}", i ? "," : "",
		    way == WAY_DIRECT ? i * 7 % kinds : i);
	buf_add_str(out, closes[way]);
}

/* ns for each row */
static double
time_of_union(const struct union_shape *shape, enum union_way way, int kinds, int count)
{
	struct buf schema = BUF_INIT, value = BUF_INIT;

	add_union_schema(&schema, shape, way, kinds, count);
	for (int i = 0; i < count; i++) {
		buf_add_char(&value, i ? ',' : '[');
		shape->add_row(&value, way == WAY_ALIKE ? 0 : i * 7 % kinds, i);
	}
	buf_add_char(&value, ']');
	struct json_doc *schema_doc = json_parse(buf_text(&schema), schema.len, NULL, NULL);
	struct json_doc *doc = json_parse(buf_text(&value), value.len, NULL, NULL);
	struct set docs = { .items = &doc, .len = 1 };
	struct task t = { .schema_text = json_root(schema_doc), .docs = &docs };
	t.schema = schema_compile(json_root(schema_doc), NULL, NULL);
	double took = time_of(check_all, &t) / count;
	schema_destroy(t.schema);
	json_doc_destroy(schema_doc);
	json_doc_destroy(doc);
	buf_finish(&schema);
	buf_finish(&value);
	return took;
}

static void
bench_kinds(void)
{
	static const int COUNTS[][2] = { { 3, 20000 }, { 50, 50000 }, { 200, 20000 },
		{ 1000, 20000 } };

	measure_title("rows of a discriminated union, ns each; then each row under its one branch; "
		      "then rows of one kind under its branch");
	for (size_t i = 0; i < ARRAY_LEN(COUNTS) * ARRAY_LEN(UNIONS); i++) {
		const int *count = COUNTS[i % ARRAY_LEN(COUNTS)];
		const struct union_shape *shape = &UNIONS[i / ARRAY_LEN(COUNTS)];
		double took = time_of_union(shape, WAY_UNION, count[0], count[1]);
		double direct = time_of_union(shape, WAY_DIRECT, count[0], count[1]);
		double alike = time_of_union(shape, WAY_ALIKE, count[0], count[1]);
		printf("%4d kinds %s, %6d rows  %6.1f ns  %6.1f %5.2fx  %6.1f %5.2fx\n", count[0],
		    shape->name, count[1], took, direct, took / direct, alike, took / alike);
	}
}

struct whole {
	struct samples parse, speed, compile, check, all, memory;
};

/* From the text to all violations, including freeing everything. */
static void
run_whole(const struct buf *text, const cJSON *schema_text, struct whole *w)
{
	double start = used_ms();
	struct json_doc *doc = json_parse(buf_text(text), text->len, NULL, NULL);
	double parsed = used_ms();
	struct schema *schema = schema_compile(schema_text, NULL, NULL);
	double compiled = used_ms();
	struct report *report = schema_check(schema, json_root(doc), NULL);
	double checked = used_ms();

	samples_add(&w->parse, parsed - start);
	samples_add(&w->speed, (double)text->len / 1e3 / (parsed - start));
	samples_add(&w->compile, compiled - parsed);
	samples_add(&w->check, checked - compiled);
	samples_add(&w->all, checked - start);
	samples_add(&w->memory, (double)json_doc_memory(doc) / 1048576);
	report_destroy(report);
	schema_destroy(schema);
	json_doc_destroy(doc);
}

static void
bench_whole(const char *rows)
{
	struct buf text = BUF_INIT;
	struct json_doc *schema_text = load(rows, "rich.schema.json");
	struct whole w = { 0 };

	if (schema_text && read_file(rows, "rich.200000.json", &text)) {
		for (size_t i = 0; i < measure_runs(); i++)
			run_whole(&text, json_root(schema_text), &w);
		measure_title("200 000 rich rows, %.1f MB, first check", (double)text.len / 1e6);
		measure_print("parse", &w.parse, "ms", NULL, NULL, NULL);
		measure_print("parse", &w.speed, "MB/s", NULL, "aim 300", NULL);
		measure_print("compile", &w.compile, "ms", NULL, NULL, NULL);
		measure_print("check", &w.check, "ms", NULL, NULL, NULL);
		measure_print("in all", &w.all, "ms", NULL, "aim 200", NULL);
		measure_print("memory of the tree", &w.memory, "MiB", NULL, "aim 140", NULL);
	}
	buf_finish(&text);
	json_doc_destroy(schema_text);
}

/* A schema with this many definitions, and a value with as many members that each violate one. */
static double
time_of_telling(size_t count)
{
	struct buf schema = BUF_INIT, value = BUF_INIT, out = BUF_INIT;
	struct json_writer w;

	buf_add_str(&schema, "{\"$id\":\"urn:s\",\"properties\":{\"a\":true");
	buf_add_str(&value, "{\"a\":0");
	for (size_t i = 0; i < count; i++) {
		buf_addf(&schema, ",\"p%zu\":{\"$ref\":\"#/$defs/d%zu\"}", i, i);
		buf_addf(&value, ",\"p%zu\":0", i);
	}
	buf_add_str(&schema, "},\"$defs\":{\"a\":true");
	for (size_t i = 0; i < count; i++)
		buf_addf(&schema, ",\"d%zu\":{\"type\":\"null\"}", i);
	buf_add_str(&schema, "}}");
	buf_add_char(&value, '}');
	struct json_doc *schema_doc = json_parse(buf_text(&schema), schema.len, NULL, NULL);
	struct json_doc *value_doc = json_parse(buf_text(&value), value.len, NULL, NULL);
	struct schema *compiled = schema_compile(json_root(schema_doc), NULL, NULL);
	struct report *report = schema_check(compiled, json_root(value_doc), NULL);
	double start = used_ms();
	json_write_init(&w, &out);
	output_basic(&w, report);
	double took = used_ms() - start;
	report_destroy(report);
	schema_destroy(compiled);
	json_doc_destroy(schema_doc);
	json_doc_destroy(value_doc);
	buf_finish(&schema);
	buf_finish(&value);
	buf_finish(&out);
	return took * 1e6 / (double)count;
}

static void
bench_telling(void)
{
	static const size_t COUNTS[] = { 100, 1000, 10000 };

	measure_title("every violation told with its locations, ns each: not more where there are "
		      "more");
	for (size_t i = 0; i < ARRAY_LEN(COUNTS); i++) {
		struct samples samples = { 0 };
		char name[32];
		for (size_t run = 0; run < measure_runs(); run++)
			samples_add(&samples, time_of_telling(COUNTS[i]));
		snprintf(name, sizeof(name), "%zu", COUNTS[i]);
		measure_print(name, &samples, "ns", NULL, NULL, NULL);
	}
}

int
main(int argc, char **argv)
{
	struct err err;

	if (argc < 3)
		return 2;
	buf_add_char(&peers, '\n');
	path_read_file(argv[2], &peers, &err);
	bench_whole(argv[1]);
	bench_telling();
	bench_rows(argv[1]);
	bench_kinds();
	bench_corpora(argv + 3, argc - 3);
	buf_finish(&peers);
	return 0;
}

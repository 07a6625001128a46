/* SPDX-License-Identifier: MIT */
/* Which fields of other calls could take a value, best first. */
#include "base/mem.h"
#include "base/vec.h"
#include "client/chain.h"
#include "test.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>

#define TOOLS                                                                              \
	"{'name':'search_orders','inputSchema':{'type':'object','properties':{"            \
	"'status':{'enum':['open','failed']}}}},"                                          \
	"{'name':'update_order','inputSchema':{'type':'object','required':['order_id'],"   \
	"'properties':{'note':{'type':'string'},'order_id':{'type':'integer'},"            \
	"'tags':{'type':'array','items':{'type':'string'}}}}},"                            \
	"{'name':'get_customer','annotations':{'readOnlyHint':true},"                      \
	"'inputSchema':{'type':'object','required':['id'],'properties':{"                  \
	"'id':{'anyOf':[{'type':'integer'},{'type':'null'}]}}}},"                          \
	"{'name':'get_orders','inputSchema':{'type':'object','properties':{"               \
	"'orderIds':{'type':'array','items':{'$ref':'#/$defs/n'}},"                        \
	"'where':{'$ref':'#/$defs/w'}},"                                                   \
	"'$defs':{'n':{'type':'number'},'w':{'type':'object','properties':{"               \
	"'customer_id':{'type':'string'}}}}}},"                                            \
	"{'name':'loop','inputSchema':{'$ref':'#','type':'object','allOf':[{'$ref':'#'}]," \
	"'properties':{'self':{'$ref':'#'}}}}"

static struct wire wire;
static struct chain_fields fields;

static int
set_up(void **state)
{
	const struct server_options options = { 0 };

	wire_open(&wire, &options);
	wire_connect(&wire, TOOLS);
	return 0;
}

static int
tear_down(void **state)
{
	chain_fields_finish(&fields);
	wire_close(&wire);
	return 0;
}

static void
find(const char *json, const char *pointer, bool many)
{
	struct json_doc *doc = json_parse(json, strlen(json), NULL, NULL);
	const struct server *const servers[] = { wire.server };

	chain_fields_finish(&fields);
	assert_non_null(doc);
	const struct chain_source source = {
		.value = json_root(doc), .pointer = pointer, .tool = "search_orders", .many = many
	};
	chain_find(&source, servers, 1, &fields);
	json_doc_destroy(doc);
}

/* The place of a field among those found; SIZE_MAX: it was not. */
static size_t
place_of(const char *tool, const char *pointer, bool array)
{
	for (size_t i = 0; i < fields.len; i++)
		if (strcmp(chain_text(&fields, fields.items[i].key), tool) == 0 &&
		    strcmp(chain_text(&fields, fields.items[i].pointer), pointer) == 0 &&
		    fields.items[i].array == array)
			return i;
	return SIZE_MAX;
}

/* `id` of `orders` is an order_id; `customer.id` is the id of get_customer. */
static void
test_names_lead(void **state)
{
	find("17", "/orders/3/id", false);
	assert_int_equal(place_of("update_order", "/order_id", false), 0);
	assert_true(fields.items[0].named);
	assert_string_equal(chain_text(&fields, fields.items[0].type), "integer, required");
	find("17", "/orders/3/customer/id", false);
	assert_int_equal(place_of("get_customer", "/id", false), 0);
	assert_true(fields.items[0].reads);
	find("17", "/orders/3/customer_id", false);
	assert_true(place_of("get_customer", "/id", false) < 2);
	find("17", "/orders/3/orderId", false);
	assert_int_equal(place_of("update_order", "/order_id", false), 0);
}

static void
test_types_decide(void **state)
{
	find("\"open\"", "/orders/0/state", false);
	assert_int_equal(place_of("search_orders", "/status", false), 0); /* an enum that has it */
	assert_int_equal(place_of("update_order", "/order_id", false), SIZE_MAX);
	find("\"closed\"", "/orders/0/state", false);
	assert_true(
	    place_of("update_order", "/note", false) < place_of("search_orders", "/status", false));
	find("\"17\"", "/orders/0/id", false); /* a number in a string is one */
	assert_true(place_of("update_order", "/order_id", false) < 3);
	find("1.5", "/orders/0/id", false);
	assert_int_equal(place_of("update_order", "/order_id", false), SIZE_MAX);
	find("{\"a\":1}", "/orders/0", false);
	assert_int_equal(place_of("update_order", "/note", false), SIZE_MAX);
}

/* References, members of members, and arrays that take all of several values. */
static void
test_references_and_arrays(void **state)
{
	find("17", "/orders/3/id", true);
	assert_true(place_of("get_orders", "/orderIds", true) < 2);
	assert_int_not_equal(place_of("get_orders", "/where/customer_id", false), SIZE_MAX);
	size_t at = place_of("get_orders", "/orderIds", true);
	assert_string_equal(chain_text(&fields, fields.items[at].type), "array of number");
}

static void
test_values_are_converted(void **state)
{
	static const struct {
		const char *value, *pointer, *json; /* of the field; NULL: it does not take it */
	} rows[] = {
		{ "17", "/order_id", "17" },
		{ "\"17\"", "/order_id", "17" },
		{ "\"17.5\"", "/order_id", NULL },
		{ "\"0x11\"", "/order_id", NULL },
		{ "\"1 \"", "/order_id", "1" },
		{ "17.0", "/note", "\"17.0\"" },
		{ "123456789012345678901", "/note", "\"123456789012345678901\"" },
		{ "true", "/note", "\"true\"" },
		{ "null", "/note", NULL },
		{ "[1]", "/note", NULL },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct buf out = BUF_INIT;
		find("17", "/orders/0/id", false);
		unsigned types =
		    fields.items[place_of("update_order", rows[i].pointer, false)].types;
		struct json_doc *doc = json_parse(rows[i].value, strlen(rows[i].value), NULL, NULL);
		assert_int_equal(chain_convert(json_root(doc), types, &out), rows[i].json != NULL);
		assert_string_equal(buf_text(&out), rows[i].json ? rows[i].json : "");
		json_doc_destroy(doc);
		buf_finish(&out);
	}
}

/* A schema that refers to itself ends. */
static void
test_endless_schema(void **state)
{
	find("17", "/orders/0/self", false);
	assert_true(fields.len < 100);
}

/* References that multiply, and an object with very many members, cost no more than others. */
static void
test_hostile_schemas(void **state)
{
	const struct server_options options = { 0 };
	struct buf tools = BUF_INIT;
	struct wire other;

	buf_add_str(&tools, "{'name':'refs','inputSchema':{'type':'object','properties':{'id':"
			    "{'$ref':'#/$defs/a0'}},'$defs':{");
	for (int level = 0; level < 5; level++) {
		buf_addf(&tools, "'a%d':{'anyOf':[", level);
		for (int i = 0; i < 1000; i++)
			buf_addf(&tools, "%s{'$ref':'#/$defs/a%d'}", i ? "," : "", level + 1);
		buf_add_str(&tools, "]},");
	}
	buf_add_str(
	    &tools, "'a5':{}}}},{'name':'many','inputSchema':{'type':'object','properties':{");
	for (int i = 0; i < 40000; i++)
		buf_addf(&tools, "%s'p%d':{}", i ? "," : "", i);
	buf_add_str(&tools, "}}},{'name':'last','inputSchema':{'type':'object','properties':{'id':"
			    "{'type':'integer'}}}}");
	wire_open(&other, &options);
	wire_connect(&other, buf_text(&tools));
	struct json_doc *doc = json_parse("17", 2, NULL, NULL);
	const struct server *const servers[] = { other.server };
	const struct chain_source source = { .value = json_root(doc), .pointer = "/id" };
	chain_fields_finish(&fields);
	chain_find(&source, servers, 1, &fields);
	assert_true(fields.len < 1000);
	assert_string_equal(chain_text(&fields, fields.items[0].key), "last");
	json_doc_destroy(doc);
	wire_close(&other);
	buf_finish(&tools);
}

/* The fields of other servers, which are said to be theirs, come after the same ones here. */
static void
test_other_servers(void **state)
{
	const struct server_options options = { 0 };
	struct wire other;
	struct json_doc *doc = json_parse("17", 2, NULL, NULL);

	wire_open(&other, &options);
	wire_connect(&other, TOOLS);
	const struct server *const servers[] = { wire.server, other.server };
	const struct chain_source source = {
		.value = json_root(doc), .pointer = "/orders/0/id", .tool = "search_orders"
	};
	chain_fields_finish(&fields);
	chain_find(&source, servers, 2, &fields);
	assert_string_equal(chain_text(&fields, fields.items[0].key), "update_order");
	assert_int_equal(fields.items[0].server, 0);
	assert_string_equal(chain_text(&fields, fields.items[1].key), "update_order");
	assert_int_equal(fields.items[1].server, 1);
	json_doc_destroy(doc);
	wire_close(&other);
}

/* ---- references ---- */

static const struct {
	const char *text, *tool, *query; /* tool NULL: no reference; query NULL: a wrong one */
	int64_t seconds;                 /* -1: any age */
} references[] = {
	{ "@search_orders.orders[].id", "search_orders", ".orders[].id", -1 },
	{ "@search_orders", "search_orders", ".", -1 },
	{ "@search_orders[0]", "search_orders", ".[0]", -1 },
	{ "@search_orders | length", "search_orders", ".| length", -1 },
	{ "@search_orders(90s).orders", "search_orders", ".orders", 90 },
	{ "@search_orders(5m) .orders", "search_orders", ".orders", 300 },
	{ "@search_orders(2h)", "search_orders", ".", 7200 },
	{ "@search_orders(0s)", "search_orders", ".", 0 },
	{ "@search_orders(1d)| keys", "search_orders", ".| keys", 86400 },
	{ "@search_orders(5).orders", "search_orders", NULL, 0 },
	{ "@search_orders(m)", "search_orders", NULL, 0 },
	{ "@search_orders(5m", "search_orders", NULL, 0 },
	{ "@search_orders(99999999999999999999d)", "search_orders", NULL, 0 },
	{ "@search", NULL, NULL, 0 },
	{ "@search_ordersX.a", NULL, NULL, 0 },
	{ "search_orders.a", NULL, NULL, 0 },
	{ "@", NULL, NULL, 0 },
	{ "", NULL, NULL, 0 },
};

static void
test_references(void **state)
{
	const struct primitive_list *tools = &server_info(wire.server)->lists[PRIMITIVE_TOOL].list;

	for (size_t i = 0; i < ARRAY_LEN(references); i++) {
		struct call_reference r;
		struct err err;
		bool wrong = references[i].tool && !references[i].query;
		bool ok = call_reference_read(&r, references[i].text, tools, &err);
		assert_int_equal(ok, references[i].tool != NULL && !wrong);
		assert_int_equal(err.text[0] != '\0', wrong);
		if (ok) {
			assert_string_equal(r.tool->key, references[i].tool);
			assert_string_equal(buf_text(&r.query), references[i].query);
			assert_true(r.max_age_us == (references[i].seconds < 0
							    ? INT64_MAX
							    : references[i].seconds * 1000000));
		}
		buf_finish(&r.query);
	}
}

/* The last result that is no error. */
static void
test_the_call_of_a_reference(void **state)
{
	assert_null(call_reference_find(wire.server, "search_orders"));
	uint64_t id = wire_call(&wire, "search_orders", "{}");
	wire_answer(&wire, "tools/call", "'result':{'content':[]}");
	wire_call(&wire, "search_orders", "{}");
	wire_answer(&wire, "tools/call", "'error':{'code':-1,'message':'no'}");
	wire_call(&wire, "search_orders", "{}");
	const struct call *c = call_reference_find(wire.server, "search_orders");
	assert_non_null(c);
	assert_int_equal(c->id, id);
}

TEST_FILE(chain)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_names_lead, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_types_decide, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_references_and_arrays, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_values_are_converted, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_endless_schema, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_hostile_schemas, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_other_servers, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_references, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_the_call_of_a_reference, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

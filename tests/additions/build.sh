#!/bin/sh
# build.sh FOLDER: makes a copy of the tree there with one more of each kind of thing, by the steps that
# docs/ARCHITECTURE.md states under "Where to add things" and no other, and builds its program. The new files
# are those of tests/additions/new; only what they change is compiled.
set -eu
to=$1
guide=docs/ARCHITECTURE.md
die() { echo "tests/additions/build.sh: $*" >&2; exit 1; }

# guide_says KIND PLACE...: the guide's row for this kind names these places.
guide_says() {
	row=$(grep "^| $1 |" "$guide") || die "$guide has no row for: $1"
	kind=$1
	shift
	for place; do
		case $row in *"\`$place\`"*) ;; *) die "$guide, $kind: does not name $place" ;; esac
	done
}
# put FILE above|below LINE TEXT: the text comes there, beside the first line that begins with LINE.
put() {
	SIDE=$2 LINE=$3 TEXT=$4 awk '
		here = !done && index($0, ENVIRON["LINE"]) == 1 { done = 1 }
		here && ENVIRON["SIDE"] == "above" { print ENVIRON["TEXT"] }
		{ print }
		here && ENVIRON["SIDE"] == "below" { print ENVIRON["TEXT"] }
		END { exit !done }' "$to/$1" >"$to/put" || die "$1: no line begins with: $3"
	mv "$to/put" "$to/$1"
}

# Another make is above this one: none of its variables and jobs count here. The copy runs a few times only.
make_copy() { env -u MAKEFLAGS -u MAKELEVEL make -C "$to" -j2 CFLAGS=-O1 "$1" >"$to/log" 2>&1; }

rm -rf "$to"
mkdir -p "$to/build/release/obj"
cp -pR Makefile src include themes "$to"
if [ -f build/release/libmcpane.a ]; then
	cp -p build/release/libmcpane.a "$to/build/release"
	cp -pR build/release/gen "$to/build/release"
	cp -pR build/release/obj/src "$to/build/release/obj"
	# Objects older than the flags would be compiled again.
	make_copy build/release/flags && touch -t 200001010000 "$to/build/release/flags"
fi
cp -R tests/additions/new/. "$to"

guide_says theme themes/NAME.theme

guide_says subcommand src/cli/NAME.c client.h src/cli/command_line/subcommands.c subcommands
put src/cli/client.h below 'int cli_check(' 'int cli_added(const struct options *o);'
put src/cli/command_line/subcommands.c above '	{ "ping",' '	{ "added", "", SERVER_NONE, .run = cli_added },'

guide_says 'MCP method' src/mcp/ methods src/mcp/era/era.c
put src/mcp/session/internals.h below 'message_fn subscription_on_ack' 'message_fn added_on_message;'
put src/mcp/era/era.c below '	{ "server/discover"' \
	'	{ "added/question", ERAS_LEGACY, FROM_SERVER, .on_message = added_on_message },'

guide_says 'finding about a schema' src/schema/report/findings.c schema_find
put src/schema/report/findings.c above '/* Reports unresolved references' 'static void
find_added(struct remark_reader *r, const struct node *node)
{
	if (json_get(node->source, "x-added"))
		warn(r, node, json_get(node->source, "x-added"), "found by the added row");
}
'
put src/schema/report/findings.c below '		find_patterns(&r, node);' '		find_added(&r, node);'

guide_says 'finding about a handshake' src/client/findings/about_server.c handshake_lint
put src/client/findings/about_server.c above '/* Compares the declared capabilities' 'static void
lint_added(const struct server *s, struct handshake_findings *out)
{
	(void)s;
	add_flaw(out, false, "judged by the added row");
}
'
put src/client/findings/about_server.c below '	lint_lists(s, info->server_capabilities, out);' '	lint_added(s, out);'

guide_says 'schema keyword' src/schema/keyword/NAME.c KEYWORDS src/schema/keyword/keywords.c
put src/schema/keyword/keywords.c below '	ROW("const"' '	ROW("evenBytes", keyword_even, .kind = RULE_LEAF, .drafts = ALL_DRAFTS, .vocabularies = VALIDATION, .applies = TYPE_STRING) \'

guide_says pane src/pane/NAME_pane.c PANES include/pane/panes.h
put include/pane/panes.h below '	OVERLAY(logs,' '	OVERLAY(added, "added", "", "show or hide the added pane") \'

guide_says 'view: a way to show a value' src/view/NAME_view.c VIEWS include/view/view.h
put include/view/view.h below '	X(tree)' '	X(added) \'

make_copy build/mcpane && ! grep -q warning: "$to/log" && exit
cat "$to/log" >&2
exit 1

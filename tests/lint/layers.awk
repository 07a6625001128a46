# usage: awk -f layers.awk layers.txt FILE...
# Reports includes that go up or sideways, and libraries used outside the one place that may know them.
BEGIN {
	home["ncurses.h"] = home["curses.h"] = home["term.h"] = "src/ui/backend.c"
	home["pcre2.h"] = "src/schema/regex/regex.c"
	home["cjson"] = "include/json/doc.h"
	home["curl"] = "src/net/exchange/curl.h"
	home["openssl"] = "src/net/crypto.c"
	home["png.h"] = "src/host/media_decoder.c src/apps/cells/app_cells.c"
	home["jpeglib.h"] = "src/host/media_decoder.c"
	home["sndfile.h"] = "src/host/media_decoder.c"
	home["gif_lib.h"] = home["webp"] = "src/host/media_decoder.c"
	home["vterm.h"] = "include/ui/vterm_library.h src/view/text/ansi.c"
	home["md4c.h"] = "src/view/text/markdown.c"
	home["cairo"] = "src/view/chart/chart_drawing.c"
}
FNR == NR {
	sub(/#.*/, "")
	if (split($0, part, ":") == 2) {
		gsub(/ /, "", part[1])
		may[part[1]] = " " part[1] " " part[2] " "
	}
	next
}
FNR == 1 {
	split(FILENAME, dir, "/")
	mine = dir[2]
}
function complain(text) {
	printf "%s:%d: %s\n", FILENAME, FNR, text
	bad = 1
}
match($0, /^#include "[a-z_]+\//) {
	to = substr($0, RSTART + 10, RLENGTH - 11)
	if (index(may[mine], " " to " ") == 0)
		complain(mine " must not include " to)
	path = "include/" substr($2, 2, length($2) - 2)
	if (to != mine && (getline line < path) < 0)
		complain($2 " is private to " to)
	close(path)
}
/^#include </ {
	split($2, name, /[<>\/]/)
	if (name[2] in home && index(" " home[name[2]] " ", " " FILENAME " ") == 0)
		complain($2 " belongs in " home[name[2]])
}
# The sans-IO layers know no file descriptor, clock, thread or environment.
mine ~ /^(json|auth|schema|form|mcp|apps|data|client|view|pane|workbench)$/ &&
/^#include <(unistd|fcntl|time|pthread|poll|signal|sys\/[a-z]+)\.h>/ { complain("system header in a sans-IO layer") }
mine ~ /^(json|auth|schema|form|mcp|apps|data|client|view|pane|workbench)$/ && /[^a-z_](getenv|clock_gettime|time)\(/ {
	complain("environment or clock in a sans-IO layer")
}
END { exit bad }

# usage: awk -f layers.awk layers.txt FILE...
# Reports includes that go up or sideways, and libraries used outside the one place that may know them.
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
}
/^#include <(ncurses|curses|term)\.h>/ && FILENAME != "src/ui/backend_curses.c" { complain("curses outside its backend") }
/^#include <vterm/ && mine != "term" { complain("libvterm outside src/term") }
/^#include <curl/ && mine != "loop" && mine != "net" { complain("libcurl outside loop and net") }
/^#include <pcre2/ && FILENAME != "src/schema/regex.c" { complain("PCRE2 outside schema/regex.c") }
/^#include <cjson/ && FILENAME != "include/json/doc.h" { complain("cJSON comes in through json/doc.h") }
# The sans-IO layers know no file descriptor, clock, thread or environment.
mine ~ /^(json|auth|schema|rpc|mcp|model|render|pane|workbench)$/ &&
/^#include <(unistd|fcntl|time|pthread|poll|signal|sys\/[a-z]+)\.h>/ { complain("system header in a sans-IO layer") }
mine ~ /^(json|auth|schema|rpc|mcp|model|render|pane|workbench)$/ && /[^a-z_](getenv|clock_gettime|time)\(/ {
	complain("environment or clock in a sans-IO layer")
}
END { exit bad }

# Calls that are not made anywhere, and printing outside the layers that own standard output.
#
# Our trees are valid for every function of libcjson that reads. Not called are those that
#   Parse                  accept more than RFC 8259, cut strings at U+0000, refuse lone surrogates and numbers of 64
#                          characters, and know no exact numbers, flaws, lazy arrays or jobs
#   Print                  print numbers as doubles, have no bound, and cannot be stopped
#   Compare                take numbers within an epsilon for equal, and twice the work for each level of objects
#   GetObjectItem, HasObjectItem  ignore the case of names
#   Add, Insert, Replace, Detach, Delete, Set, Reference  change a tree: it belongs to its doc, and text is written by json/write.h
FNR == 1 {
	split(FILENAME, dir, "/")
	mine = dir[2]
}
function complain(what) {
	printf "%s:%d: banned: %s\n", FILENAME, FNR, what
	bad = 1
}
{ line = $0; gsub(/"([^"\\]|\\.)*"/, "\"\"", line); sub(/\/\*.*\*\//, "", line) }
match(line, /(^|[^a-zA-Z0-9_])(strcpy|strcat|sprintf|vsprintf|strtok|atoi|atol|atof|gets|system|popen|cJSON_(GetObjectItem|HasObjectItem|(Parse|Print|Compare|Add|Insert|Replace|Detach|Delete|Set|Create)[A-Za-z]*)) *\(/) {
	complain(substr(line, RSTART, RLENGTH))
}
mine != "app" && mine != "cli" && mine != "demo" && FILENAME != "src/base/mem.c" &&
match(line, /(^|[^a-zA-Z0-9_])(printf|puts|putchar|fprintf|fputs) *\(/) { complain(substr(line, RSTART, RLENGTH)) }
/(^|[^a-zA-Z])(TODO|FIXME|XXX)([^a-zA-Z]|$)/ { complain("unfinished work: " $0) }
END { exit bad }

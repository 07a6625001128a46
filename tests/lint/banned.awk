# Calls that are not made anywhere, and printing outside the layers that own standard output.
FNR == 1 {
	split(FILENAME, dir, "/")
	mine = dir[2]
}
function complain(what) {
	printf "%s:%d: banned: %s\n", FILENAME, FNR, what
	bad = 1
}
{ line = $0; gsub(/"([^"\\]|\\.)*"/, "\"\"", line); sub(/\/\*.*\*\//, "", line) }
match(line, /(^|[^a-zA-Z0-9_])(strcpy|strcat|sprintf|vsprintf|strtok|atoi|atol|atof|gets|system|popen|cJSON_GetObjectItem|cJSON_GetArrayItem|cJSON_Parse|cJSON_Print|cJSON_PrintUnformatted|cJSON_Compare|cJSON_Delete) *\(/) {
	complain(substr(line, RSTART, RLENGTH))
}
mine != "app" && mine != "cli" && mine != "demo" && FILENAME != "src/base/mem.c" &&
match(line, /(^|[^a-zA-Z0-9_])(printf|puts|putchar|fprintf|fputs) *\(/) { complain(substr(line, RSTART, RLENGTH)) }
/(^|[^a-zA-Z])(TODO|FIXME|XXX)([^a-zA-Z]|$)/ { complain("unfinished work: " $0) }
END { exit bad }

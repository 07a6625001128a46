# usage: awk -f tests.awk tests/*/test_*.c
# A test is called test_x, and a file test_NAME.c opens its list of tests with TEST_FILE(NAME).
FNR == 1 {
	before = ""
	name = FILENAME
	sub(/.*\/test_/, "", name)
	sub(/\.c$/, "", name)
	name = wanted[FILENAME] = "TEST_FILE(" name ")"
}
before == "static void" && /^[a-z_0-9]+\(void \*\*[a-z]+\)$/ && !/^test_/ {
	print FILENAME ": the name of a test begins with test_: " $0
	bad = 1
}
$0 == name { delete wanted[FILENAME] }
{ before = $0 }
END {
	for (file in wanted) {
		print file ": lacks " wanted[file] " in place of main()"
		bad = 1
	}
	exit bad
}

# usage: awk -f figures.awk figures.txt FILE...
# Prints how many parts the program is made of, and complains when a figure grows past figures.txt: small
# files, headers and functions that only forward are what makes a tree hard to find one's way in.
FNR == NR {
	if (!/^#/ && NF) {
		limit[$1] = $2
		order[++count] = $1
	}
	next
}
function end_file() {
	if (file ~ /\.c$/ && lines < 80)
		figure["short_files"]++
}
FNR == 1 {
	end_file()
	file = FILENAME
	folder = file
	sub(/\/[^\/]*$/, "", folder)
	if (++inside[folder] > figure["files_in_a_folder"])
		figure["files_in_a_folder"] = inside[folder]
	if (file ~ /\.c$/)
		figure["c_files"]++
	else if (file ~ /^src\//)
		figure["private_headers"]++
	if (file ~ /\.c$/) {
		name = file
		sub(/.*\//, "", name)
		if (seen[name]++ == 1)
			figure["names_twice"]++
	}
}
{
	lines = FNR
	figure["lines"]++
}
/^[a-z_0-9]+\(/ && file ~ /\.c$/ && before !~ /static|typedef/ { figure["externs"]++ }
/^struct [a-z_0-9]+ \{$/ && defined[$2]++ == 1 { figure["structs_twice"]++ }
# { return a->b; } and nothing else
/^}/ && before ~ /^\treturn &?[a-z_]+(->|\.)[a-z_.>-]+;$/ && before2 ~ /^{/ && before3 !~ /^static/ { figure["getters"]++ }
{
	before3 = before2
	before2 = before
	before = $0
}
END {
	end_file()
	for (i = 1; i <= count; i++) {
		name = order[i]
		text = text sprintf("%s%s %d", i > 1 ? ", " : "", name, figure[name])
		if (figure[name] > limit[name]) {
			printf "tests/lint/figures.txt: %s is %d, at most %d\n", name, figure[name], limit[name]
			bad = 1
		}
	}
	gsub(/_/, " ", text)
	print "  " text
	exit bad
}

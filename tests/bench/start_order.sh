#!/bin/sh
# start_order.sh PROGRAM: prints a linker script that puts the functions of the first screen next to each other. The
# kernel maps a program in pieces of 64 KiB: in the linker's own order, these functions are in all of them.
set -eu
program=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
traced="valgrind -q --tool=callgrind --compress-strings=no --trace-children=yes --callgrind-out-file=$dir/calls.%p"

mkfifo "$dir/keys"
TERM=xterm-256color XDG_CONFIG_HOME=$dir XDG_STATE_HOME=$dir \
	script -qfc "stty rows 36 cols 120; $traced $program --demo" "$dir/screen" <"$dir/keys" >/dev/null &
exec 3>"$dir/keys"
seconds=0
until grep -q list_users "$dir/screen" 2>/dev/null; do
	sleep 1
	seconds=$((seconds + 1))
	[ $seconds -lt 300 ] || { echo "start_order.sh: the tools did not appear" >&2; exit 1; }
done
printf '\021' >&3 # Ctrl-Q
wait

echo '/* Written by make order: the functions of the first screen, next to each other. */'
echo 'SECTIONS { .text.start : {'
nm --defined-only "$program" | sed -n 's/^[^ ]* [tT] //p' | sort -u >"$dir/ours"
sed -nE "s/^c?fn=([^']*).*/\1/p" "$dir"/calls.* | sort -u | comm -12 - "$dir/ours" |
	sed 's/^/.text./' | fmt -w 100 | sed 's/.*/ *(&)/'
echo '} } INSERT BEFORE .text;'

/* SPDX-License-Identifier: MIT */
/* What the program knows about terminals: a description of one with direct color, their answer
 * about the background, and how characters look in ASCII. */
#include "ui/backend.h"

#include "base/ascii.h"
#include "base/vec.h"

#include <string.h>

/*
 * The system's descriptions of direct-color terminals are in a separate package, so this one is
 * built in. It has only the features of every terminal with 24-bit color. Colors are sent with
 * semicolons, which more terminals accept than colons. Compiled by `tic -x`, base64:
 *
 * mcpane-rgb|a terminal with direct color,
 *	am, bce, mir, msgr, xenl, AX, RGB,
 *	colors#0x1000000, pairs#0x10000, cols#80, lines#24, it#8,
 *	bold=\E[1m, clear=\E[H\E[2J, cr=\r, csr=\E[%i%p1%d;%p2%dr,
 *	cub=\E[%p1%dD, cub1=^H, cud=\E[%p1%dB, cud1=\n, cuf=\E[%p1%dC, cuf1=\E[C,
 *	cup=\E[%i%p1%d;%p2%dH, cuu=\E[%p1%dA, cuu1=\E[A, dim=\E[2m,
 *	ech=\E[%p1%dX, ed=\E[J, el=\E[K, el1=\E[1K, home=\E[H, hpa=\E[%i%p1%dG,
 *	ind=\n, op=\E[39;49m, rev=\E[7m, ri=\EM, rmam=\E[?7l, ritm=\E[23m, rmul=\E[24m,
 *	setab=\E[48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%dm,
 *	setaf=\E[38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%dm,
 *	sgr=\E[0%?%p6%t;1%;%?%p5%t;2%;%?%p2%t;4%;%?%p1%p3%|%t;7%;m,
 *	sgr0=\E[m, sitm=\E[3m, smcup=\E[?1049h, rmcup=\E[?1049l, smam=\E[?7h, smul=\E[4m,
 *vpa=\E[%i%p1%dd,
 */
// clang-format off
const char terminfo_rgb[] = "b64:"
	"HgIpAB0ADwBpAY8BbWNwYW5lLXJnYnxhIHRlcm1pbmFsIHdpdGggZGlyZWN0IGNvbG91cgAAAQAAAQAAAAAAAAAA"
	"AQEAAAAAAAAAAAAAAAAAAVAAAAAIAAAAGAAAAP//////////////////////////////////////////////////"
	"//8AAAABAAABAP////8AAAIA//8TABsAHwAjAP//LgA/AEEA//9FAP////9HAP//SwD//////////////////08A"
	"VAD//10A////////YgD//2cAbAD//3UAeQD///////+CAP//////////////////////////////////////////"
	"////////////////////////////////////////////////////////////////////////////////////////"
	"//////////////////////////////////+IAP///////5EAmgD//6MA////////////////////////////////"
	"rAD//7cAuQC8AP//////////////////////////////////////////////////8gD4AP//////////////////"
	"////////////////////////////////////////////////////////////////////////////////////////"
	"////////////////////////////////////////////////////////////////////////////////////////"
	"////////////////////////////////////////////////////////////////////////////////////////"
	"///////////////////////////+AP//////////////////////////////////////////////////////////"
	"/////////////wMB//////////////////////////////////8MAf///////////////////////xEB////////"
	"////////////////////////////////////////////////////////////////////////////////////////"
	"//8XAVMBDQAbWyVpJXAxJWQ7JXAyJWRyABtbSBtbMkoAG1tLABtbSgAbWyVpJXAxJWRHABtbJWklcDElZDslcDIl"
	"ZEgACgAbW0gACAAbW0MAG1tBABtbMW0AG1s/MTA0OWgAG1sybQAbWzdtABtbNG0AG1slcDElZFgAG1ttABtbPzEw"
	"NDlsABtbMjRtABtbJXAxJWRCABtbJXAxJWREABtbJXAxJWRDABtbJXAxJWRBABtbJWklcDElZGQACgAbTQAbWzAl"
	"PyVwNiV0OzElOyU/JXA1JXQ7MiU7JT8lcDIldDs0JTslPyVwMSVwMyV8JXQ7NyU7bQAbWz83aAAbWz83bAAbWzFL"
	"ABtbMzk7NDltABtbM20AG1syM20AG1szODsyOyVwMSV7NjU1MzZ9JS8lZDslcDElezI1Nn0lLyV7MjU1fSUmJWQ7"
	"JXAxJXsyNTV9JSYlZG0AG1s0ODsyOyVwMSV7NjU1MzZ9JS8lZDslcDElezI1Nn0lLyV7MjU1fSUmJWQ7JXAxJXsy"
	"NTV9JSYlZG0AAAIAAAAAAAIABwABAQAAAwBBWABSR0IA";
// clang-format on

bool
report_background_is_light(const char *text, size_t len, bool *is_light)
{
	static const char rgb[] = "]11;rgb:", rgba[] = "]11;rgba:";
	const char *end = text + len;
	int c[3];

	if (len >= strlen(rgb) && memcmp(text, rgb, strlen(rgb)) == 0)
		text += strlen(rgb);
	else if (len >= strlen(rgba) && memcmp(text, rgba, strlen(rgba)) == 0)
		text += strlen(rgba);
	else
		return false;
	for (int i = 0; i < 3; i++) {
		int digits = 0; /* one to four in hex, scaled to 8 bits */
		for (c[i] = 0; text < end && digits < 4 && hex_digit(*text) >= 0; digits++)
			c[i] = c[i] * 16 + hex_digit(*text++);
		if (digits == 0 || (i < 2 && (text == end || *text++ != '/')))
			return false;
		c[i] = c[i] * 255 / ((1 << 4 * digits) - 1);
	}
	*is_light = c[0] * 299 + c[1] * 587 + c[2] * 114 > 127500;
	return true;
}

struct likeness {
	uint32_t first, last;
	char ascii;
};

/* In order of code points. */
static const struct likeness likenesses[] = {
	{ 0x00a0, 0x00a0, ' ' },
	{ 0x00ab, 0x00ab, '<' },
	{ 0x00b2, 0x00b2, '2' },
	{ 0x00b3, 0x00b3, '3' },
	{ 0x00b7, 0x00b7, '.' },
	{ 0x00b9, 0x00b9, '1' },
	{ 0x00bb, 0x00bb, '>' },
	{ 0x00d7, 0x00d7, 'x' },
	{ 0x2010, 0x2015, '-' },
	{ 0x2018, 0x2019, '\'' },
	{ 0x201c, 0x201d, '"' },
	{ 0x2020, 0x2020, '+' },
	{ 0x2022, 0x2022, '*' },
	{ 0x2026, 0x2026, '~' },
	{ 0x2039, 0x2039, '<' },
	{ 0x203a, 0x203a, '>' },
	{ 0x2074, 0x2074, '4' },
	{ 0x2075, 0x2075, '5' },
	{ 0x2076, 0x2076, '6' },
	{ 0x2077, 0x2077, '7' },
	{ 0x2078, 0x2078, '8' },
	{ 0x2079, 0x2079, '9' },
	{ 0x2190, 0x2190, '<' },
	{ 0x2191, 0x2191, '^' },
	{ 0x2192, 0x2192, '>' },
	{ 0x2193, 0x2193, 'v' },
	{ 0x2194, 0x2195, '+' },
	{ 0x21b5, 0x21b5, '<' },
	{ 0x21bb, 0x21bb, '~' },
	{ 0x21e5, 0x21e5, '>' },
	{ 0x2205, 0x2205, '0' },
	{ 0x2212, 0x2212, '-' },
	{ 0x2248, 0x2248, '~' },
	{ 0x2264, 0x2264, '<' },
	{ 0x2265, 0x2265, '>' },
	{ 0x2298, 0x2298, 'o' },
	{ 0x23ce, 0x23ce, '<' },
	{ 0x2500, 0x2501, '-' },
	{ 0x2502, 0x2503, '|' },
	{ 0x2504, 0x2505, '-' },
	{ 0x2506, 0x2507, ':' },
	{ 0x2508, 0x2509, '-' },
	{ 0x250a, 0x250b, ':' },
	{ 0x250c, 0x254b, '+' },
	{ 0x254c, 0x254d, '-' },
	{ 0x254e, 0x254f, ':' },
	{ 0x2550, 0x2550, '=' },
	{ 0x2551, 0x2551, '|' },
	{ 0x2552, 0x256c, '+' },
	{ 0x256d, 0x2570, '+' },
	{ 0x2571, 0x2571, '/' },
	{ 0x2572, 0x2572, '\\' },
	{ 0x2573, 0x2573, 'X' },
	{ 0x2574, 0x257f, '-' },
	{ 0x2580, 0x2580, '=' },
	{ 0x2581, 0x2582, '_' },
	{ 0x2583, 0x2587, '=' },
	{ 0x2588, 0x2588, '#' },
	{ 0x2589, 0x258f, '|' },
	{ 0x2590, 0x2590, '|' },
	{ 0x2591, 0x2591, '.' },
	{ 0x2592, 0x2592, ':' },
	{ 0x2593, 0x2593, '%' },
	{ 0x2596, 0x259f, '%' },
	{ 0x25a0, 0x25a0, '#' },
	{ 0x25a1, 0x25a1, 'o' },
	{ 0x25a4, 0x25a4, '=' },
	{ 0x25a6, 0x25a6, '#' },
	{ 0x25ab, 0x25ab, '.' },
	{ 0x25b2, 0x25b4, '^' },
	{ 0x25b6, 0x25b8, '>' },
	{ 0x25bc, 0x25be, 'v' },
	{ 0x25c0, 0x25c2, '<' },
	{ 0x25c6, 0x25c7, '*' },
	{ 0x25c9, 0x25c9, '@' },
	{ 0x25cb, 0x25cc, 'o' },
	{ 0x25cf, 0x25cf, '*' },
	{ 0x25d0, 0x25d3, '%' },
	{ 0x25eb, 0x25eb, '@' },
	{ 0x26a0, 0x26a0, '!' },
	{ 0x2713, 0x2714, 'v' },
	{ 0x2715, 0x2718, 'x' },
	{ 0x27e8, 0x27e8, '<' },
	{ 0x27e9, 0x27e9, '>' },
};

uint32_t
ascii_of(uint32_t ch)
{
	enum { UPPER_DOTS = 0x1b, LOWER_DOTS = 0xe4 };
	size_t low = 0, high = ARRAY_LEN(likenesses);

	if (ch < 0x80)
		return ch;
	if (ch >= 0x2800 && ch <= 0x28ff) { /* Braille by the height of its dots, as in charts */
		bool above = ch & UPPER_DOTS, below = ch & LOWER_DOTS;
		return above && below ? ':' : above ? '\'' : below ? '.' : ' ';
	}
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (ch > likenesses[middle].last)
			low = middle + 1;
		else if (ch < likenesses[middle].first)
			high = middle;
		else
			return (uint32_t)likenesses[middle].ascii;
	}
	return '?';
}

#include "backend_priv.h"

/*
 * The system's descriptions of direct-colour terminals are a package of their own, so ours comes
 * along: what every terminal with 24-bit colour understands and nothing else. Colours are sent with
 * semicolons, which more terminals read than colons. Compiled by `tic -x`, base64:
 *
 * mcpane-rgb|a terminal with direct colour,
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
 *	sgr0=\E[m, sitm=\E[3m, smcup=\E[?1049h, rmcup=\E[?1049l, smam=\E[?7h, smul=\E[4m, vpa=\E[%i%p1%dd,
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

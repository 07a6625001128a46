#include "exchange_trouble_priv.h"

#include <string.h>

/* The same where it was TLS that failed. */

static const char add_authority[] = "SSL_CERT_FILE=FILE.pem adds an authority, ";
static const char unknown_authority[] =
    "its authority is not known on this computer, or the server leaves out a certificate in "
    "between";

/* OpenSSL's results of checking a chain (x509_vfy.h), which libcurl hands out as numbers. */
static const struct {
	long result;
	const char *words, *advice;
} verdicts[] = {
	{ 9, "it is not valid yet", "is the clock of this computer right? " },
	{ 10, "it has expired", "the server needs a new one; " },
	{ 18, "it is signed by itself, and by nobody this computer trusts", add_authority },
	{ 19, "the authority at the end of its chain is not trusted on this computer",
	    add_authority },
	{ 20, unknown_authority, add_authority },
	{ 21, unknown_authority, add_authority },
	{ 23, "it was revoked", "the server needs a new one; " },
	{ 26, "it is not meant for a server", "the server needs another; " },
	{ 66, "its key is too weak", "the server needs a new one; " },
	{ 67, "the key of its authority is too weak", "the server needs a new one; " },
	{ 68, "it is signed with a digest that is too weak", "the server needs a new one; " },
};

void
explain_certificate(struct exchange *x)
{
	const char *words = exchange_words(x), *advice = "";
	long result = 0;

	x->cl->api.easy_getinfo(x->easy, CURLINFO_SSL_VERIFYRESULT, &result);
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(*verdicts); i++) {
		if (verdicts[i].result != result)
			continue;
		words = verdicts[i].words;
		advice = verdicts[i].advice;
	}
	if (strstr(x->error, "subject name")) {
		words = "it is for another name than the one that was asked for";
		advice = "ask by a name that it is for; ";
	}
	exchange_say(x,
	    "the certificate of %s cannot be trusted: %s (%s--insecure skips the check)", x->place,
	    words, advice);
}

static const char no_tls[] =
    "does not speak TLS: perhaps the URL begins with http://, not https://";
static const char old_tls[] =
    "speaks no version of TLS that is safe today: it has to be set up for TLS 1.2 or 1.3";

/* What TLS libraries say, and what it means. */
static const struct {
	const char *sign, *words;
} handshakes[] = {
	{ "wrong version number", no_tls },
	{ "packet length too long", no_tls },
	{ "unknown protocol", no_tls },
	{ "record layer failure", no_tls },
	{ "unexpected TLS packet", no_tls },
	{ "http request", no_tls },
	{ "unsupported protocol", old_tls },
	{ "alert protocol version", old_tls },
	{ "unsupported version", old_tls },
	{ "certificate required",
	    "wants a certificate of the client, which cannot be given: a proxy beside this program "
	    "could" },
};

bool
explain_handshake(struct exchange *x)
{
	for (size_t i = 0; i < sizeof(handshakes) / sizeof(*handshakes); i++) {
		if (strstr(exchange_words(x), handshakes[i].sign)) {
			exchange_say(x, "%s %s", x->place, handshakes[i].words);
			return true;
		}
	}
	return false;
}

void
explain_tls(struct exchange *x)
{
	if (!explain_handshake(x))
		exchange_say(x, "TLS handshake with %s: %s", x->place, exchange_words(x));
}

void
explain_authorities(struct exchange *x)
{
	exchange_say(x, "the file of trusted authorities cannot be used: %s", exchange_words(x));
}

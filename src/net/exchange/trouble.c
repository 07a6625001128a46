/* SPDX-License-Identifier: MIT */
#include "curl.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Why an exchange failed, in one line for people. */

static __attribute__((format(printf, 2, 3))) void
explain(struct exchange *x, const char *format, ...)
{
	FORMAT_INTO(x->trouble, format);
	for (char *p = x->trouble; *p; p++)
		if ((unsigned char)*p < ' ' || *p == 0x7f)
			*p = ' ';
	/* libcurl repeats the proxy of the environment, including its password. */
	char *from = x->trouble;
	while ((from = strstr(from, "://"))) {
		from += 3;
		size_t len = strcspn(from, "/'\"");
		while (len > 0 && from[len - 1] != '@')
			len--;
		memmove(from, from + len, strlen(from + len) + 1);
	}
}

/* libcurl's message, or the meaning of its error code. */
static const char *
curl_words(const struct exchange *x)
{
	return x->error[0] ? x->error : x->cl->api.easy_strerror(x->code);
}

static double
seconds(int64_t ms)
{
	return (double)ms / 1000;
}

/* ---- TLS ---- */

static const char add_authority[] = "SSL_CERT_FILE=FILE.pem adds an authority, ";
static const char unknown_authority[] =
    "its authority is not known on this computer, or the server does not send an intermediate "
    "certificate";

/* OpenSSL's verification results (x509_vfy.h), which libcurl reports as numbers. */
static const struct {
	long result;
	const char *words, *advice;
} verdicts[] = {
	{ 9, "it is not valid yet", "is the clock of this computer right? " },
	{ 10, "it has expired", "the server needs a new one; " },
	{ 18, "it is self-signed, and not trusted on this computer", add_authority },
	{ 19, "the root of its chain is not trusted on this computer", add_authority },
	{ 20, unknown_authority, add_authority },
	{ 21, unknown_authority, add_authority },
	{ 23, "it was revoked", "the server needs a new one; " },
	{ 26, "it is not for servers", "the server needs another one; " },
	{ 66, "its key is too weak", "the server needs a new one; " },
	{ 67, "the key of its authority is too weak", "the server needs a new one; " },
	{ 68, "it is signed with a digest that is too weak", "the server needs a new one; " },
};

static void
explain_certificate(struct exchange *x)
{
	const char *words = curl_words(x), *advice = "";
	long result = 0;

	x->cl->api.easy_getinfo(x->easy, CURLINFO_SSL_VERIFYRESULT, &result);
	for (size_t i = 0; i < ARRAY_LEN(verdicts); i++) {
		if (verdicts[i].result != result)
			continue;
		words = verdicts[i].words;
		advice = verdicts[i].advice;
	}
	if (strstr(x->error, "subject name")) {
		words = "it is for another host name";
		advice = "use a name that it is for; ";
	}
	explain(x, "the certificate of %s cannot be trusted: %s (%s--insecure skips the check)",
	    x->place, words, advice);
}

static const char no_tls[] =
    "does not speak TLS: perhaps the URL begins with http://, not https://";
static const char old_tls[] =
    "speaks only versions of TLS that are no longer safe: it needs TLS 1.2 or 1.3";

/* Messages of TLS libraries, and their meaning. */
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
	    "wants a client certificate, which mcpane cannot send: a local proxy "
	    "could" },
};

static bool
explain_handshake(struct exchange *x)
{
	for (size_t i = 0; i < ARRAY_LEN(handshakes); i++) {
		if (strstr(curl_words(x), handshakes[i].sign)) {
			explain(x, "%s %s", x->place, handshakes[i].words);
			return true;
		}
	}
	return false;
}

/* ---- connections and answers ---- */

static const char tls_hint[] = "; if it speaks TLS, the URL must begin with https://";

static void
explain_first_bytes(struct exchange *x)
{
	bool is_tls =
	    x->first_len >= 2 && (x->first[0] == 0x15 || x->first[0] == 0x16) && x->first[1] == 3;

	bool is_http2 = x->first_len >= 4 && memcmp(x->first, "\0\0", 2) == 0 && x->first[3] == 4;
	if (is_http2)
		explain(x, "%s speaks only HTTP/2: HTTP/1.1 is needed", x->place);
	else if (is_tls)
		explain(x, "%s speaks TLS: perhaps the URL begins with https://, not http://",
		    x->place);
	else if (x->first_len > 0)
		explain(x, "%s did not answer with HTTP, but with \"%.*s\"", x->place,
		    (int)x->first_len, x->first);
	else
		explain(x, "%s", curl_words(x));
}

static void
explain_timeout(struct exchange *x)
{
	double limit = seconds(x->connect_ms);

	switch (exchange_phase(x)) {
	case PHASE_NAME:
		explain(x, "the name look-up of %.*s took more than %g s",
		    (int)strcspn(x->place, " "), x->place, limit);
		break;
	case PHASE_CONNECT:
		explain(x, "no connection to %s within %g s", x->place, limit);
		break;
	case PHASE_TLS:
		explain(x,
		    "connected to %s, but the TLS handshake took more than %g s; if it does not "
		    "speak TLS, the URL must begin with http://",
		    x->place, limit);
		break;
	default:
		explain(x, "%s", curl_words(x));
	}
}

/* If it was a proxy that could not be reached, libcurl's message does not name the server. */
static void
explain_connect(struct exchange *x)
{
	const char *const names[] = { x->is_tls ? "https_proxy" : "http_proxy",
		x->is_tls ? "HTTPS_PROXY" : NULL, "all_proxy", "ALL_PROXY" };
	bool names_server = strstr(curl_words(x), x->place);
	const char *words, *proxy = NULL;
	long number = 0;

	for (size_t i = 0; i < ARRAY_LEN(names) && !names_server && !proxy; i++) {
		const char *value = names[i] ? getenv(names[i]) : NULL;
		proxy = value && *value ? value : NULL;
	}
	x->cl->api.easy_getinfo(x->easy, CURLINFO_OS_ERRNO, &number);
	words = number ? strerror((int)number) : curl_words(x);
	if (proxy)
		explain(x, "connection to %s through the proxy %s%.100s of the environment: %s",
		    x->place, strstr(proxy, "://") ? "" : "http://", proxy, words);
	else
		explain(x, "connection to %s: %s", x->place, words);
}

static void
explain_encoding(struct exchange *x, bool is_bomb)
{
	char *encoding = exchange_header(x, "Content-Encoding", 0);
	const char *name = encoding ? encoding : "";

	if (is_bomb)
		explain(x,
		    "the response of %s (Content-Encoding: %.40s) decompresses to too much at once",
		    x->place, name);
	else if (strstr(curl_words(x), "Unrecognized content encoding"))
		explain(x,
		    "the response of %s uses an unknown compression (Content-Encoding: %.40s), "
		    "although none was asked for",
		    x->place, name);
	else
		explain(x,
		    "the response of %s is not compressed as declared (Content-Encoding: %.40s): "
		    "%s",
		    x->place, name, curl_words(x));
	free(encoding);
}

static void
explain_big_head(struct exchange *x)
{
	if (x->head_bytes > EXCHANGE_MAX_HEADS)
		explain(x, "%s keeps sending interim responses (HTTP %s) and no final one",
		    x->place, x->status_text);
	else
		explain(x, "the head of the response of %s is larger than %zu bytes", x->place,
		    EXCHANGE_MAX_HEAD);
}

#define TOO_LARGE 100 /* CURLE_TOO_LARGE, since 8.6 */

static void
explain_code(struct exchange *x)
{
	switch ((int)x->code) {
	case CURLE_OPERATION_TIMEDOUT:
		explain_timeout(x);
		return;
	case CURLE_COULDNT_RESOLVE_HOST:
		explain(x,
		    "no address is known for %.*s: the name is wrong, or the name look-up does not "
		    "work",
		    (int)strcspn(x->place, " "), x->place);
		return;
	case CURLE_COULDNT_CONNECT:
		explain_connect(x);
		return;
	case CURLE_PEER_FAILED_VERIFICATION:
		explain_certificate(x);
		return;
	case CURLE_SSL_CONNECT_ERROR:
		if (!explain_handshake(x))
			explain(x, "TLS handshake with %s: %s", x->place, curl_words(x));
		return;
	case CURLE_SSL_CACERT_BADFILE:
		explain(x, "the file of trusted authorities cannot be used: %s", curl_words(x));
		return;
	case CURLE_WRITE_ERROR:
	case CURLE_UNSUPPORTED_PROTOCOL:
		explain_first_bytes(x);
		return;
	case CURLE_GOT_NOTHING:
		explain(x, "%s closed the connection without a response%s", x->place,
		    x->is_tls ? "" : tls_hint);
		return;
	case CURLE_RECV_ERROR:
	case CURLE_SEND_ERROR:
	case CURLE_PARTIAL_FILE:
		/* in TLS 1.3 a refusal may come after the handshake */
		if (x->is_tls && !x->has_head && explain_handshake(x))
			return;
		explain(x, "the connection to %s broke %s: %s%s", x->place,
		    x->has_head ? "in the middle of the response" : "before a response",
		    curl_words(x), x->has_head || x->is_tls ? "" : tls_hint);
		return;
	case CURLE_BAD_CONTENT_ENCODING:
		explain_encoding(x, false);
		return;
	}
	/* The only limit of libcurl that we can hit is on a line of the head. */
	bool no_memory = x->code == CURLE_OUT_OF_MEMORY || (int)x->code == TOO_LARGE;
	if (no_memory && x->packed)
		explain_encoding(x, true);
	else if (no_memory && !x->has_head && x->first_line_ms)
		explain_big_head(x);
	else
		explain(x, "%s: %s", x->place, curl_words(x));
}

/* ---- our own limits ---- */

static void
explain_stop(struct exchange *x)
{
	switch (x->stop) {
	case STOP_FIRST_BYTE:
		explain(x, "%s: no response within %g s (%s)", x->place, seconds(x->first_byte_ms),
		    exchange_phase_names[exchange_phase(x)]);
		break;
	case STOP_HEAD:
		explain(x,
		    "the response of %s comes too slowly: its head was incomplete %g s after its "
		    "first line",
		    x->place, seconds(x->head_ms));
		break;
	case STOP_TOTAL:
		explain(x, "%s: not done within %g s (%s)", x->place, seconds(x->total_ms),
		    exchange_phase_names[exchange_phase(x)]);
		break;
	case STOP_AGAIN:
		explain(x,
		    "%s closed the connection while the message was sent; it may have arrived, so "
		    "it is not sent again",
		    x->place);
		break;
	case STOP_BOMB:
		explain_encoding(x, true);
		break;
	case STOP_BIG_HEAD:
		explain_big_head(x);
		break;
	default:
		explain(x,
		    "%s has an address of this computer or of a private network: not contacted",
		    x->place);
	}
}

void
exchange_explain(struct exchange *x)
{
	/* Host and port, for people. */
	const struct curl_api *api = &x->cl->api;
	CURLU *url = api->url();
	char *text = NULL, *host = NULL, *port = NULL;

	api->easy_getinfo(x->easy, CURLINFO_EFFECTIVE_URL, &text);
	if (text && api->url_set(url, CURLUPART_URL, text, 0) == CURLUE_OK) {
		api->url_get(url, CURLUPART_HOST, &host, 0);
		api->url_get(url, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT);
	}
	snprintf(
	    x->place, sizeof(x->place), "%.120s port %.8s", host ? host : "", port ? port : "");
	api->free(host);
	api->free(port);
	api->url_cleanup(url);
	if (x->stop != STOP_NONE)
		explain_stop(x);
	else
		explain_code(x);
}

#ifndef SCHEMA_FORMAT_PRIV_H
#define SCHEMA_FORMAT_PRIV_H

#include <stdbool.h>
#include <stddef.h>

/* The formats of JSON Schema 2020-12 section 7.3 that are checked here. */
struct format {
	const char *name;
	const char *words; /* "a date (2026-03-12)" */
	bool (*matches)(const char *text);
};

const struct format *format_find(const char *name); /* NULL: an annotation */
bool format_matches(const struct format *format, const char *text);

bool is_date(const char *text);
bool is_time(const char *text);
bool is_date_time(const char *text);
bool is_duration(const char *text);
bool is_ipv4(const char *text);
bool is_ipv6(const char *text);
bool is_hostname(const char *text);
bool is_email(const char *text);
bool is_uri(const char *text);
bool is_uri_reference(const char *text);
bool is_uuid(const char *text);
bool is_json_pointer(const char *text);
bool is_relative_json_pointer(const char *text);

bool is_ipv6_part(const char *text, size_t len);

#endif

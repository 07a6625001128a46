/* SPDX-License-Identifier: MIT */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sets for strspn(3) and strchr(3). */
#define ASCII_DIGITS "0123456789"
#define ASCII_ALNUM "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
#define HTTP_TOKEN ASCII_ALNUM "!#$%&'*+-.^_`|~" /* RFC 9110 section 5.6.2 */

/* These take bytes and code points. Non-ASCII ones are in no class and are returned unchanged. */

static inline bool
ascii_is_digit(uint32_t c)
{
	return c - '0' < 10;
}

static inline bool
ascii_is_letter(uint32_t c)
{
	return (c | 0x20) - 'a' < 26;
}

static inline bool
ascii_is_alnum(uint32_t c)
{
	return ascii_is_digit(c) || ascii_is_letter(c);
}

static inline uint32_t
ascii_lower(uint32_t c)
{
	return ascii_is_letter(c) ? c | 0x20 : c;
}

static inline uint32_t
ascii_upper(uint32_t c)
{
	return ascii_is_letter(c) ? c & ~(uint32_t)0x20 : c;
}

/* The value of a hexadecimal digit; -1 for any other character. */
static inline int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The number that `count` hexadecimal digits write, at most 7: 2 in the %2F of a URI (RFC 3986
 * section 2.1), 4 in the \u002f of JSON. -1 if one of them is another character; nothing after
 * that is read, so the text may end there. */
static inline int
hex_number(const char *digits, size_t count)
{
	int number = 0;

	for (size_t i = 0; i < count; i++) {
		int digit = hex_digit(digits[i]);
		if (digit < 0)
			return -1;
		number = number * 16 + digit;
	}
	return number;
}

#endif

#ifndef SCHEMA_TYPE_PRIV_H
#define SCHEMA_TYPE_PRIV_H

#include "json/doc.h"

/* A value's type is cJSON's own bit, so it is a mask already. */
#define TYPE_NULL cJSON_NULL
#define TYPE_BOOLEAN (cJSON_False | cJSON_True)
#define TYPE_NUMBER cJSON_Number
#define TYPE_STRING cJSON_String
#define TYPE_ARRAY cJSON_Array
#define TYPE_OBJECT cJSON_Object
#define TYPE_INTEGER 0x100u /* of numbers only those that are integers */
#define TYPE_ANY 0x7fu

static inline unsigned
type_of(const cJSON *value)
{
	return (unsigned)value->type & 0xff;
}

/* Of a constant: true stands for false as well. */
static inline unsigned
type_of_constant(const cJSON *value)
{
	return type_of(value) & TYPE_BOOLEAN ? TYPE_BOOLEAN : type_of(value);
}

static inline bool
is_leaf(const cJSON *value)
{
	return !(type_of(value) & (TYPE_OBJECT | TYPE_ARRAY));
}

#endif

#include "base/blob.h"

#include "base/buf.h"
#include "base/mem.h"

#include <stdlib.h>

static struct blob *
blob_create(char *data, size_t len)
{
	struct blob *blob = mem_alloc(sizeof(*blob));

	*blob = (struct blob){ .refs = 1, .len = len, .data = data };
	return blob;
}

struct blob *
blob_from_bytes(const void *bytes, size_t len)
{
	return blob_create(mem_strndup(bytes, len), len);
}

struct blob *
blob_take_buf(struct buf *b)
{
	size_t len = b->len;
	char *data = buf_detach(b);

	return blob_create(mem_realloc(data, len + 1), len);
}

struct blob *
blob_ref(struct blob *blob)
{
	blob->refs++;
	return blob;
}

void
blob_unref(struct blob *blob)
{
	if (!blob || --blob->refs > 0)
		return;
	free(blob->data);
	free(blob);
}

#include "form_priv.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

/* Copies of the whole tree of fields, as exact as the tree itself: JSON in the making, values of
 * omitted fields and what is folded come back too. */

struct step {
	struct field *root;
	char *json; /* what would have been sent */
	size_t fields;
};

struct step_list {
	struct step *items;
	size_t len, cap;
};

struct steps {
	struct step now; /* as noted last; a value that differs from it is a new step */
	uint64_t version;
	struct step_list undo, redo;
	size_t fields; /* of all of them */
};

static struct field *
copy_field(const struct field *from, struct field *parent)
{
	struct field *to = mem_dup(from, sizeof(*from));

	to->form->fields++;
	to->parent = parent;
	to->drafts = NULL;
	to->problem = NULL;
	to->problems_below = 0;
	to->own_name = mem_strdup(from->own_name);
	if (from->name == from->own_name)
		to->name = to->own_name;
	to->text = (struct buf)BUF_INIT;
	buf_add(&to->text, buf_text(&from->text), from->text.len);
	to->names = from->names ? mem_dup(from->names, from->names_cap * sizeof(*from->names)) : NULL;
	memset(&to->children, 0, sizeof(to->children));
	for (size_t i = 0; i < from->children.len; i++)
		*VEC_PUSH(&to->children) = copy_field(from->children.items[i], to);
	return to;
}

static void
step_finish(struct steps *steps, struct step *step)
{
	if (step->root)
		field_destroy(step->root);
	steps->fields -= step->fields;
	free(step->json);
	*step = (struct step){ 0 };
}

static void
list_finish(struct steps *steps, struct step_list *list)
{
	for (size_t i = 0; i < list->len; i++)
		step_finish(steps, &list->items[i]);
	free(list->items);
	*list = (struct step_list){ 0 };
}

void
steps_destroy(struct form *form)
{
	struct steps *steps = form->steps;

	if (!steps)
		return;
	step_finish(steps, &steps->now);
	list_finish(steps, &steps->undo);
	list_finish(steps, &steps->redo);
	free(steps);
	form->steps = NULL;
}

/* json is taken. */
static void
take_now(struct form *form, char *json)
{
	struct steps *steps = form->steps;
	size_t before = form->fields;

	steps->now.root = copy_field(form->root, NULL);
	steps->now.fields = form->fields - before;
	steps->now.json = json;
	steps->fields += steps->now.fields;
	steps->version = form->version;
	while (steps->fields > FORM_MAX_KEPT && steps->undo.len > 0) {
		step_finish(steps, &steps->undo.items[0]);
		VEC_REMOVE(&steps->undo, 0);
	}
}

void
form_note_step(struct form *form)
{
	struct buf json = BUF_INIT;

	if (!form->steps)
		form->steps = mem_zalloc(sizeof(*form->steps));
	struct steps *steps = form->steps;
	if (steps->now.root && steps->version == form->version)
		return;
	if (form->fields - steps->fields > FORM_MAX_KEPT) { /* too large to copy at every step */
		steps_destroy(form);
		return;
	}
	form_to_json(form, &json);
	char *text = buf_detach(&json);
	bool same = steps->now.json && strcmp(steps->now.json, text) == 0;
	if (same) { /* a fold, say: no step of its own */
		step_finish(steps, &steps->now);
	} else if (steps->now.json) {
		*VEC_PUSH(&steps->undo) = steps->now;
		steps->now = (struct step){ 0 };
		list_finish(steps, &steps->redo);
	}
	take_now(form, text);
}

static bool
go_back(struct form *form, bool again)
{
	form_note_step(form);
	struct steps *steps = form->steps;
	if (!steps)
		return false;
	struct step_list *from = again ? &steps->redo : &steps->undo;
	struct step_list *to = again ? &steps->undo : &steps->redo;
	if (from->len == 0)
		return false;
	struct step step = from->items[--from->len];
	*VEC_PUSH(to) = steps->now;
	steps->now = (struct step){ 0 };
	field_destroy(form->root);
	form->root = step.root;
	form->version++;
	steps->fields -= step.fields;
	take_now(form, step.json);
	return true;
}

bool
form_undo(struct form *form)
{
	return go_back(form, false);
}

bool
form_redo(struct form *form)
{
	return go_back(form, true);
}

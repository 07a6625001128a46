// Makes schemas and values: by chance, the same every time (SEED, a number, makes others), and by changing given ones.
export const VALUES = 10;

// ---- chance, the same every time ----
let state = Number(process.env.SEED ?? 20260728);
function random() { // mulberry32
	state = (state + 0x6d2b79f5) | 0;
	let t = Math.imul(state ^ (state >>> 15), 1 | state);
	t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
	return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}
export const below = n => Math.floor(random() * n);
export const pick = list => list[below(list.length)];
export const maybe = share => random() < share;
const copy = value => structuredClone(value);
export const text = value => JSON.stringify(value) ?? 'null';
export const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value);

// ---- values, made from a schema and then spoilt ----
const WORDS = ['', 'a', 'admin', 'Straße', '日本', '😀', 'ORD-1007', '2026-07-28', '2026-02-30', '12:00:00Z',
	'2026-07-28T12:00:00Z', 'a@b.example', 'http://example.com/x', '127.0.0.1', '::1', 'P1D', '/a/0', 'x y',
	'123e4567-e89b-12d3-a456-426614174000', 'toString', 'ﬀ', '0', 'null'];
const NUMBERS = [0, -0, 1, -1, 0.5, 2, 3, 10, 99, 100, 101, 0.1, 0.3, 19.99, 1e21, 9007199254740992, -2147483649, 1e-7];
const anything = () => pick([() => null, () => maybe(0.5), () => pick(NUMBERS), () => pick(WORDS), () => [],
	() => [pick(WORDS), pick(NUMBERS)], () => ({}), () => ({ [pick(WORDS)]: pick(NUMBERS) })])();

function follow(root, schema) {
	for (let i = 0; i < 8 && isObject(schema) && typeof schema.$ref === 'string' && schema.$ref.startsWith('#/'); i++)
		schema = schema.$ref.slice(2).split('/').reduce((at, key) => at?.[decodeURIComponent(key)], root);
	return schema;
}
function make(root, schema, depth) {
	schema = follow(root, schema);
	if (!isObject(schema) || depth > 6)
		return anything();
	if ('const' in schema)
		return copy(schema.const);
	if (Array.isArray(schema.enum) && schema.enum.length > 0)
		return copy(pick(schema.enum));
	const branches = schema.anyOf ?? schema.oneOf ?? schema.allOf;
	if (Array.isArray(branches) && branches.length > 0 && !schema.properties)
		return make(root, pick(branches), depth + 1);
	return makeType(root, schema, Array.isArray(schema.type) ? pick(schema.type) : schema.type, depth);
}
function makeType(root, schema, type, depth) {
	switch (type ?? (schema.properties ? 'object' : schema.items ? 'array' : '')) {
	case 'object': {
		const value = {};
		for (const [name, inner] of Object.entries(schema.properties ?? {}))
			if (schema.required?.includes?.(name) || maybe(0.6))
				value[name] = make(root, inner, depth + 1);
		if (isObject(schema.additionalProperties) && maybe(0.7))
			value[pick(WORDS)] = make(root, schema.additionalProperties, depth + 1);
		return value;
	}
	case 'array':
		return Array.from({ length: (schema.minItems ?? 0) + below(4) }, (_, i) =>
			make(root, (schema.prefixItems ?? schema.items)?.[i] ?? schema.items, depth + 1));
	case 'integer': return Math.trunc(pick(NUMBERS)) + (Number.isInteger(schema.minimum) ? schema.minimum : 0);
	case 'number': return pick(NUMBERS) + (typeof schema.minimum === 'number' ? schema.minimum : 0);
	case 'string': return maybe(0.3) ? 'x'.repeat(Math.max(0, Math.min(schema.minLength ?? 1, 40))) : pick(WORDS);
	case 'boolean': return maybe(0.5);
	case 'null': return null;
	default: return anything();
	}
}

// Every place in a tree that may be replaced: [holder, key].
function places(value, found = []) {
	if (value !== null && typeof value === 'object')
		for (const key of Object.keys(value)) {
			found.push([value, key]);
			places(value[key], found);
		}
	return found;
}
const SPOIL = [
	(at, key) => { at[key] = anything(); },
	(at, key) => { Array.isArray(at) ? at.splice(key, 1) : delete at[key]; },
	(at, key) => { Array.isArray(at) ? at.push(copy(at[key])) : at[pick(WORDS)] = copy(at[key]); },
	(at, key) => { if (typeof at[key] === 'number') at[key] += pick([1, -1, 0.5, 0.01, 1000]); },
	(at, key) => { if (typeof at[key] === 'string') at[key] = pick([`${at[key]}!`, at[key].slice(1), at[key].toUpperCase()]); },
	(at, key) => { at[key] = Array.isArray(at[key]) ? { ...at[key] } : text(at[key]); },
	(at, key) => { at[key] = null; },
];
export function spoil(value) {
	const holder = { value: copy(value) };
	for (let n = 1 + below(2); n > 0; n--)
		pick(SPOIL)(...pick(places(holder)) ?? [holder, 'value']);
	return 'value' in holder ? holder.value : null;
}
export function valuesFor(schema, given, count = VALUES) {
	const values = [...given];
	while (values.length < count + given.length) {
		const value = values.length < 4 || maybe(0.3) || !values.length ? make(schema, schema, 0) : copy(pick(values));
		values.push(maybe(0.7) ? spoil(value) : value);
	}
	return values.map(text);
}

// ---- schemas, changed ----
const leaf = () => pick([{ type: 'string' }, { type: 'integer' }, { minimum: 2 }, { maxLength: 2 }, true, false, {},
	{ required: ['a'] }, { const: 1 }, { enum: ['a', 1, null] }, { type: ['null', 'number'] }]);
const KEYWORDS = {
	type: () => pick(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null', ['string', 'null'],
		['integer', 'object']]),
	minimum: () => pick([0, 1, -1, 0.5]), maximum: () => pick([1, 10, 99.5]),
	exclusiveMinimum: () => pick([0, 1]), exclusiveMaximum: () => pick([1, 100]),
	multipleOf: () => pick([1, 2, 0.5, 0.01, 0.1, 3]),
	minLength: () => below(3), maxLength: () => below(4),
	pattern: () => pick(['^a', '[0-9]+$', '^\\w*$', '^.$', '\\d', '^\\p{L}+$']),
	format: () => pick(['date', 'date-time', 'time', 'email', 'uri', 'uuid', 'ipv4', 'ipv6', 'duration',
		'json-pointer', 'int32', 'nobody']),
	enum: () => pick([['a', 'admin'], [1, 2, 3], [null], [[], {}], [0, false]]),
	const: () => pick([0, '', null, {}, [], 'a', 1]),
	required: () => pick([['a'], ['id'], ['id', 'name'], ['toString'], []]),
	minProperties: () => below(3), maxProperties: () => below(4),
	additionalProperties: leaf, propertyNames: () => pick([{ maxLength: 4 }, { pattern: '^[a-z]*$' }, false]),
	patternProperties: () => ({ [pick(['^a', 'o', '^$'])]: leaf() }),
	properties: () => ({ a: leaf(), [pick(WORDS)]: leaf() }),
	items: leaf, prefixItems: () => [leaf(), leaf()], additionalItems: leaf, contains: leaf,
	minContains: () => below(3), maxContains: () => 1 + below(2),
	minItems: () => below(3), maxItems: () => below(4), uniqueItems: () => true,
	not: leaf, anyOf: () => [leaf(), leaf()], oneOf: () => [leaf(), leaf()], allOf: () => [leaf(), leaf()],
	if: leaf, then: leaf, else: leaf,
	dependentRequired: () => ({ a: ['b'], id: ['name'] }), dependentSchemas: () => ({ a: leaf() }),
	dependencies: () => pick([{ a: ['b'] }, { id: leaf() }]),
	unevaluatedProperties: leaf, unevaluatedItems: leaf, nullable: () => true,
	$ref: () => pick(['#', '#/properties/a', '#/definitions/x']), contentEncoding: () => 'base64',
	$schema: () => pick(['http://json-schema.org/draft-07/schema#', 'https://json-schema.org/draft/2020-12/schema',
		'https://json-schema.org/draft/2019-09/schema']),
};
const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const SINGLE = ['items', 'additionalProperties', 'not', 'contains', 'if', 'then', 'else', 'propertyNames',
	'unevaluatedProperties', 'unevaluatedItems', 'additionalItems'];
function subschemas(schema, found = []) {
	if (!isObject(schema))
		return found;
	found.push(schema);
	for (const key of MAPS)
		for (const inner of Object.values(schema[key] ?? {})) subschemas(inner, found);
	for (const key of LISTS)
		for (const inner of schema[key] ?? []) subschemas(inner, found);
	for (const key of SINGLE) subschemas(schema[key], found);
	return found;
}
export function change(schema) {
	const changed = copy(schema);
	if (!isObject(changed))
		return changed;
	for (let n = 1 + below(3); n > 0; n--) {
		const at = maybe(0.3) ? changed : pick(subschemas(changed));
		const key = maybe(0.15) ? pick(Object.keys(at)) : pick(Object.keys(KEYWORDS));
		if (key === undefined || key === '$schema' && at !== changed)
			continue;
		if (key in at && maybe(0.4))
			delete at[key];
		else if (KEYWORDS[key])
			at[key] = KEYWORDS[key]();
	}
	return changed;
}

// A part of one schema is replaced by a part of another.
export function graft(schema, other) {
	const changed = copy(schema), at = pick(subschemas(changed)), from = copy(pick(subschemas(other)));
	for (const key of Object.keys(from))
		if (maybe(0.7) && (key !== '$schema' || at === changed) && key !== '$id')
			at[key] = from[key];
	return changed;
}

// ---- patterns of every kind, and texts that come near them ----
const CHARS = [...'abc12_- é λ😀\n."AZ/\u00a0\u2028'], SPECIAL = '^$\\.*+?()[]{}|/-';
const escaped = (c, special) => special.includes(c) ? `\\${c}` : c;
const piece = () => escaped(pick(CHARS), SPECIAL.slice(0, -1));
const SETS = ['\\d', '\\w', '\\s', '\\D', '\\W', '\\S', '\\p{L}', '\\P{Lu}', '\\u{1F600}', '\\x41', '\\cA'];
const QUANTIFIERS = ['*', '+', '?', '{2}', '{0,2}', '{1,3}', '{2,}', '{0}', '*?', '{3,5}?', '{0,70000}'];
const repeated = (make, least, most) => Array.from({ length: least + below(most - least + 1) }, make).join('');
function member() {
	const [from, to] = [pick(CHARS), pick(CHARS)].sort((a, b) => a.codePointAt(0) - b.codePointAt(0));
	return pick([() => pick(SETS), () => `${escaped(from, SPECIAL)}-${escaped(to, SPECIAL)}`, () => escaped(from, SPECIAL)])();
}
function atom(depth) {
	const group = open => depth > 0 ? `${open}${alternatives(depth - 1)})` : piece();
	return pick([piece, piece, piece, () => pick(SETS), () => pick(['.', '[^]', '[]']), () => group('('), () => group('(?:'),
		() => `[${maybe(0.3) ? '^' : ''}${repeated(member, 1, 4)}]`])() + (maybe(0.5) ? pick(QUANTIFIERS) : '');
}
const place = depth => depth > 0 && maybe(0.5) ? `${pick(['(?=', '(?!', '(?<=', '(?<!'])}${alternatives(depth - 1)})`
	: pick(['^', '$', '\\b']);
const sequence = depth => repeated(() => maybe(0.15) ? place(depth) : atom(depth), 0, 4);
const alternatives = depth => maybe(0.25) ? `${sequence(depth)}|${alternatives(depth)}` : sequence(depth);
export const pattern = () => `${maybe(0.4) ? '^' : ''}${alternatives(3)}${maybe(0.4) ? '$' : ''}`;
export const nearPattern = () => text(repeated(() => pick(CHARS), 0, 8));

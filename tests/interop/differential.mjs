// What ajv, set up as the MCP TypeScript SDK sets it up, says of many schemas and values. Prints JSON Lines: a line
// with a schema ({from, schema, why: null, or why ajv refuses it}) and then one for each value ({value, ignored,
// asserted: the keywords of ajv's errors with formats ignored and asserted, what ajv threw, or null: not asked}).
// PACKAGES is the folder that ajv was installed in. A line of SEEDS is a schema and values, with tabs between. A file of
// TOOLS is what `list --json` printed and then what `call --json` did, a line each. First come the same cases each time,
// then others by chance until PAIRS, a number, is reached: with formats ignored, and most of them changed.
//   node differential.mjs PACKAGES SEEDS TOOLS... [--corpora DIR] [--suite DIR]
import { createRequire } from 'node:module';
import fs from 'node:fs';
import path from 'node:path';
import { below, change, graft, isObject, maybe, nearPattern, pattern, pick, spoil, text, valuesFor, VALUES } from './cases.mjs';

const require = createRequire(path.resolve(process.argv[2], 'package.json'));
const { Ajv } = require('ajv');
const { Ajv2019 } = require('ajv/dist/2019.js');
const { Ajv2020 } = require('ajv/dist/2020.js');
const addFormats = require('ajv-formats').default;

const TOOL_VARIANTS = 4, CORPUS_VALUES = 24, PATTERNS = 500;
const PAIRS = Number(process.env.PAIRS ?? 0);
let pairs = 0;

// ---- ajv ----
const ENGINES = [[/2020-12/, Ajv2020], [/2019-09/, Ajv2019], [/draft-0[67]/, Ajv]];
function compile(schema, validateFormats) {
	const dialect = schema?.$schema ?? '2020-12';
	const Engine = ENGINES.find(([pattern]) => pattern.test(dialect))?.[1];
	if (!Engine)
		throw new Error(`unsupported dialect ${dialect}`);
	const ajv = new Engine({ strict: false, validateFormats, validateSchema: false, allErrors: true, logger: false });
	addFormats(ajv);
	return ajv.compile(schema);
}
// The keywords of the errors, or a string: what was thrown.
function keywordsOf(validate, value) {
	try {
		return validate(value) ? [] : [...new Set(validate.errors.map(e => e.keyword))];
	} catch (error) {
		return error.message;
	}
}

// Both texts are JSON as all sides are to read it.
function compare(from, schemaText, valueTexts, modes = ['ignored', 'asserted']) {
	const validate = {};
	let why = null;
	try {
		for (const mode of modes)
			validate[mode] = compile(JSON.parse(schemaText), mode === 'asserted');
	} catch (error) {
		why = error.message;
	}
	const says = (mode, value) => why === null && validate[mode] ? text(keywordsOf(validate[mode], JSON.parse(value))) : 'null';
	const lines = [`{"from":${text(from)},"schema":${schemaText},"why":${text(why)}}`];
	for (const value of valueTexts)
		lines.push(`{"value":${value},"ignored":${says('ignored', value)},"asserted":${says('asserted', value)}}`);
	fs.writeSync(1, `${lines.join('\n')}\n`);
	pairs += valueTexts.length;
}

// ---- the same cases each time ----
const jsonLines = file => fs.readFileSync(file, 'utf8').split('\n').filter(line => line);
function compareSchema(from, schema, given) {
	compare(from, text(schema), valuesFor(schema, given));
	for (let i = 0; i < TOOL_VARIANTS; i++) {
		const changed = change(schema);
		compare(`${from}, changed ${i}`, text(changed), valuesFor(changed, given.slice(0, 2)));
	}
}
function readTools(file) {
	const lines = jsonLines(file).map(line => JSON.parse(line));
	const results = lines.slice(1).map(line => line.result?.structuredContent).filter(r => r !== undefined);
	return lines[0].tools.flatMap(tool => ['inputSchema', 'outputSchema'].filter(side => isObject(tool[side])).map(side => ({
		from: `${path.basename(file, '.jsonl')} ${tool.name} ${side}`, schema: tool[side],
		given: side === 'outputSchema' ? results : [] })));
}
const readCorpora = dir => dir ? fs.readdirSync(dir).sort().map(name => ({ from: `corpus ${name}`,
	schema: JSON.parse(fs.readFileSync(path.join(dir, name, 'schema.json'), 'utf8')),
	lines: jsonLines(path.join(dir, name, 'instances.jsonl')) })) : [];
function compareCorpus({ from, schema, lines }) {
	const values = Array.from({ length: CORPUS_VALUES }, () => pick(lines));
	compare(from, text(schema), values.flatMap(line => [line, text(spoil(JSON.parse(line)))]));
}

// ---- others by chance ----
const DIALECTS = { 'draft2020-12': 'https://json-schema.org/draft/2020-12/schema',
	'draft2019-09': 'https://json-schema.org/draft/2019-09/schema', draft7: 'http://json-schema.org/draft-07/schema#',
	draft6: 'http://json-schema.org/draft-06/schema#', draft4: 'http://json-schema.org/draft-04/schema#' };
const in_dialect = (schema, uri) => isObject(schema) && !schema.$schema ? { $schema: uri, ...schema } : schema;
function readSuite(dir) {
	const groups = [];
	for (const [folder, uri] of dir ? Object.entries(DIALECTS) : [])
		for (const file of fs.readdirSync(path.join(dir, 'tests', folder)).filter(name => name.endsWith('.json')))
			for (const { schema, tests } of JSON.parse(fs.readFileSync(path.join(dir, 'tests', folder, file), 'utf8')))
				if (isObject(schema) && !text(schema).includes('localhost:1234'))
					groups.push({ from: `${folder}/${file}`, schema: in_dialect(schema, uri), given: tests.map(t => t.data) });
	return groups;
}
const again = (from, schema, values) => compare(from, text(schema), values, ['ignored']);
const grown = steps => steps > 0 ? change(grown(steps - 1)) : in_dialect({}, pick(Object.values(DIALECTS)));
function byKeywords() {
	const schema = grown(2 + below(4));
	again('keywords', schema, valuesFor(schema, [], 20));
}
function bySuite(groups) {
	const { from, schema, given } = pick(groups);
	const other = pick(groups).schema;
	const changed = maybe(0.3) ? graft(schema, other) : change(schema);
	again(`${from}, changed`, changed, valuesFor(changed, given, 14));
}
function byTools(tools) {
	const { from, schema, given } = pick(tools);
	const changed = change(schema);
	again(`${from}, changed`, changed, valuesFor(changed, given.slice(0, 2), 18));
}
function byCorpus(corpora) {
	const { from, schema, lines } = pick(corpora);
	const changed = text(schema).length < 30000 && maybe(0.7) ? change(schema) : schema;
	again(`${from}, changed`, changed, Array.from({ length: 60 }, () => text(spoil(JSON.parse(pick(lines))))));
}
function byRows(tools) {
	const items = maybe(0.5) ? grown(3) : pick(tools).schema;
	const { $schema, $defs, definitions, ...row } = items;
	const schema = JSON.parse(text({ $schema, $defs, definitions, type: 'array', items: row, minItems: 1 + below(30) }));
	again('rows', schema, valuesFor(schema, [], 16));
}

const args = process.argv.slice(3);
const option = name => args.includes(name) ? args.splice(args.indexOf(name), 2)[1] : null;
const corpora = readCorpora(option('--corpora')), groups = readSuite(option('--suite'));
for (const [number, seed] of jsonLines(args.shift()).filter(line => line[0] !== '#').entries()) {
	const [schema, ...values] = seed.split('\t');
	compare(`seed ${number}`, schema, values);
	compareSchema(`seed ${number}`, JSON.parse(schema), values.map(value => JSON.parse(value)));
}
const tools = args.flatMap(readTools);
for (const { from, schema, given } of tools)
	compareSchema(from, schema, given);
for (let i = 0; i < PATTERNS; i++)
	compare(`pattern ${i}`, text({ pattern: pattern() }), Array.from({ length: VALUES }, nearPattern));
corpora.forEach(compareCorpus);
const sources = [[byKeywords], [byKeywords], [bySuite, groups], [bySuite, groups], [byTools, tools], [byCorpus, corpora],
	[byRows, tools]].filter(([, from]) => from === undefined || from.length > 0);
while (pairs < PAIRS) {
	const [source, from] = pick(sources);
	source(from);
}

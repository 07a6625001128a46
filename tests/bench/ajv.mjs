// node ajv.mjs ROWS CORPUS...: ajv's figures for the cases of bench_schema, as lines "CASE FIGURE VALUE".
import { readFileSync, existsSync } from 'node:fs';
import Ajv from 'ajv';
import { basename } from 'node:path';
import { createRequire } from 'node:module';
import Ajv2019 from 'ajv/dist/2019.js';
import Ajv2020 from 'ajv/dist/2020.js';

const [rows, ...corpora] = process.argv.slice(2);
const draft06 = createRequire(import.meta.url)('ajv/dist/refs/json-schema-draft-06.json');
const now = () => Number(process.hrtime.bigint());
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const options = { strict: false, validateSchema: false, validateFormats: false, logger: false };

function compile(schema, allErrors) {
	const dialect = schema.$schema ?? '2020-12';
	const Class = /2020-12/.test(dialect) ? Ajv2020 : /2019-09/.test(dialect) ? Ajv2019 : Ajv;
	const ajv = new Class({ ...options, allErrors });
	if (/draft-06/.test(dialect)) ajv.addMetaSchema(draft06);
	return ajv.compile(schema);
}

function median(values) {
	return values.sort((a, b) => a - b)[values.length >> 1];
}

// The median time of one call in ns, warmed up.
function time(work) {
	let times = 1;
	for (;;) {
		const start = now();
		for (let i = 0; i < times; i++) work();
		const took = now() - start;
		if (took >= 25e6 || times > 1e6) break;
		times = took < 1e6 ? times * 8 : Math.ceil((times * 33e6) / took);
	}
	const samples = [];
	for (let run = 0; run < 7; run++) {
		const start = now();
		for (let i = 0; i < times; i++) work();
		samples.push((now() - start) / times);
	}
	return median(samples);
}

function measure(name, schema, docs, each) {
	const say = (figure, value) => console.log(`${name} ${figure} ${value.toFixed(1)}`);
	try {
		say('compile_us', median([0, 1, 2, 3, 4].map(() => {
			const start = now();
			compile(schema, false);
			return now() - start;
		})) / 1e3);
		// a schema that was never seen: compiled, then every document once
		say('first_us', median([0, 1, 2, 3, 4].map(() => {
			const start = now();
			const validate = compile(schema, true);
			for (const doc of docs) validate(doc);
			return now() - start;
		})) / 1e3);
		for (const [figure, allErrors] of [['warm_ns', false], ['all_ns', true]]) {
			const validate = compile(schema, allErrors);
			say(figure, time(() => { for (const doc of docs) validate(doc); }) / each);
		}
	} catch (error) {
		console.log(`${name} refused ${String(error.message).split('\n')[0]}`);
	}
}

for (const [schema, kind, count] of [
	['plain', 'plain', 200], ['plain', 'plain', 10000], ['plain', 'plain', 200000],
	['rich', 'rich', 200], ['rich', 'rich', 10000], ['rich', 'rich', 200000],
	['plain', 'bad', 10000], ['plain', 'bad', 200000],
	['unique', 'plain', 200], ['unique', 'plain', 10000],
]) {
	const path = `${rows}/${kind}.${count}.json`;
	if (existsSync(path))
		measure(`${schema}.${kind}.${count}`, read(`${rows}/${schema}.schema.json`), [read(path)], count);
}
for (const folder of corpora) {
	const docs = readFileSync(`${folder}/instances.jsonl`, 'utf8').split('\n').filter(Boolean).map((l) => JSON.parse(l));
	measure(basename(folder), read(`${folder}/schema-noformat.json`), docs, docs.length);
}

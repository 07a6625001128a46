// node tokens.mjs FOLDER: counts the tokens of each file below the folder by two real tokenizers, as lines
// "KIND O200K CL100K PATH" for bench_tokens; the kind is the name of the folder that the file is in.
import { readFileSync, readdirSync } from 'node:fs';
import { join, basename, dirname } from 'node:path';
import { countTokens as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { countTokens as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';

const plain = { allowedSpecial: new Set(), disallowedSpecial: new Set() };
for (const entry of readdirSync(process.argv[2], { recursive: true, withFileTypes: true })) {
	if (!entry.isFile()) continue;
	const path = join(entry.parentPath ?? entry.path, entry.name);
	const text = readFileSync(path, 'utf8');
	console.log(basename(dirname(path)), o200k(text, plain), cl100k(text, plain), path);
}

// conformance.mjs DIR COMMAND: runs the official client suite, installed in DIR, with COMMAND as the client, and prints
// what its checks came to, a line each, separated by tabs:
//   set VERSION EXIT-CODE                            all scenarios of a version have run
//   scenario VERSION NAME SUCCESS FAILURE WARNING    how many different checks came to each
//   wrong VERSION NAME ID WHAT                       a check that is neither passed nor skipped
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync } from 'node:fs';

const [dir, command] = process.argv.slice(2);
const suite = `${dir}/node_modules/@modelcontextprotocol/conformance/dist/index.js`;
const sets = [
	['2026-07-28', ['--requirements', '2026-07-28']],
	['2025-11-25', ['--requirements', '2025-11-25']],
	['2025-06-18', ['--suite', 'all', '--spec-version', '2025-06-18']],
	['2025-03-26', ['--suite', 'all', '--spec-version', '2025-03-26']],
];

function report(version, out, path) {
	const name = path.slice(out.length + 1).replace(/-\d{4}-\d\d-\d\dT.*/, '');
	const checks = JSON.parse(readFileSync(path));
	const count = status => new Set(checks.filter(c => c.status === status).map(c => `${c.id} ${c.name}`)).size;
	console.log(['scenario', version, name, count('SUCCESS'), count('FAILURE'), count('WARNING')].join('\t'));
	for (const c of checks.filter(c => c.status === 'FAILURE' || c.status === 'WARNING'))
		console.log(['wrong', version, name, c.id, `${c.errorMessage ?? c.description}`.replace(/\s+/g, ' ')].join('\t'));
}

rmSync(`${dir}/results`, { recursive: true, force: true });
sets.forEach(([version, args], i) => {
	const out = `${dir}/results/${i}`;
	const argv = [suite, 'client', ...args, '--command', command, '-o', out];
	const { status } = spawnSync(process.execPath, argv, { stdio: 'ignore' });
	console.log(['set', version, status].join('\t'));
	for (const path of globSync(`${out}/**/checks.json`).sort())
		report(version, out, path);
});

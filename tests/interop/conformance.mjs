// conformance.mjs DIR OUT COMMAND [VERSION SCENARIO]: runs the official client suite, installed in DIR, with COMMAND as
// the client, all sets at once or one scenario alone, keeps what it writes in OUT, and prints what its checks came to,
// a line each, separated by tabs:
// The scenarios of the Skills extension belong to no set: they run one by one, as the version sep-2640.
//   set VERSION EXIT-CODE                                    all scenarios of a version have run
//   scenario VERSION NAME VERDICT SUCCESS FAILURE WARNING    pass or fail, exit code and time-out of the client
//                                                            included; how many different checks came to each
//   wrong VERSION NAME ID WHAT                               a check that is neither passed nor skipped
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';

const [dir, out, command, onlyVersion, onlyName] = process.argv.slice(2);
const suite = `${dir}/node_modules/@modelcontextprotocol/conformance/dist/index.js`;
// The suite runs all of a set at the same time: on a busy machine its own 30 s for a client are too few.
const timeout = ['--timeout', '120000'];
const sets = [
	['2026-07-28', ['--requirements', '2026-07-28']],
	['2025-11-25', ['--requirements', '2025-11-25']],
	['2025-06-18', ['--suite', 'all', '--spec-version', '2025-06-18']],
	['2025-03-26', ['--suite', 'all', '--spec-version', '2025-03-26']],
];

const skills = ['no-prefetch', 'verify-digest', 'verify-frontmatter', 'verify-size'].map(s => `sep-2640-client-${s}`);

function run(args, into) {
	const argv = [suite, 'client', ...args, ...timeout, '--command', command, '-o', into];
	const { status, stdout } = spawnSync(process.execPath, argv,
		{ stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8', maxBuffer: 1 << 28 });
	return { status, said: stdout ?? '' };
}

function report(version, into, path, passed) {
	const name = path.slice(into.length + 1).replace(/-\d{4}-\d\d-\d\dT.*/, '');
	const checks = JSON.parse(readFileSync(path));
	const count = status => new Set(checks.filter(c => c.status === status).map(c => `${c.id} ${c.name}`)).size;
	console.log(['scenario', version, name, passed(name) ? 'pass' : 'fail',
		count('SUCCESS'), count('FAILURE'), count('WARNING')].join('\t'));
	for (const c of checks.filter(c => c.status === 'FAILURE' || c.status === 'WARNING'))
		console.log(['wrong', version, name, c.id, `${c.errorMessage ?? c.description}`.replace(/\s+/g, ' ')].join('\t'));
}

function reportAll(version, into, passed) {
	for (const path of globSync(`${into}/**/checks.json`).sort())
		report(version, into, path, passed);
}

function runAlone(version, name) {
	const into = `${out}/alone-${version}-${name.replace('/', '-')}`;
	const spec = version === 'sep-2640' ? '2026-07-28' : version;
	const { status } = run(['--scenario', name, '--spec-version', spec, '--force'], into);
	reportAll(version, into, () => status === 0);
	return status;
}

if (onlyName) {
	runAlone(onlyVersion, onlyName);
} else {
	sets.forEach(([version, args], i) => {
		const into = `${out}/${i}`;
		const { status, said } = run(args, into);
		console.log(['set', version, status].join('\t'));
		reportAll(version, into, name => said.includes(`\n✓ ${name}: `));
	});
	const bad = skills.map(name => runAlone('sep-2640', name)).find(status => status !== 0);
	console.log(['set', 'sep-2640', bad ?? 0].join('\t'));
}

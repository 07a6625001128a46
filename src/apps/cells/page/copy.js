/*
 * What a page copies goes to its host, who asks the user: the engine has no clipboard that anybody
 * could paste from. Runs in the app's own world before its scripts, if its resource declares the
 * permission; the app sees the answer as that of the browser's own functions.
 */
(() => {
'use strict';

const waiting = new Map();
const post = parent.postMessage.bind(parent);
let last = 0;

const copy = text => new Promise((done, fail) => {
	const id = `mcpane-copy-${++last}`;
	waiting.set(id, { done, fail });
	post({ jsonrpc: '2.0', id, method: 'mcpane/copy', params: { text } }, '*');
});

addEventListener('message', event => {
	const answer = event.source === parent ? event.data : null, asked = answer && waiting.get(answer.id);
	if (!asked)
		return;
	event.stopImmediatePropagation();
	waiting.delete(answer.id);
	if (answer.error)
		asked.fail(new DOMException(answer.error.message, 'NotAllowedError'));
	else
		asked.done();
}, true);

Clipboard.prototype.writeText = function (text) {
	return copy(String(text));
};
Clipboard.prototype.write = async function (items) {
	for (const item of items)
		if (item.types.includes('text/plain'))
			return copy(await (await item.getType('text/plain')).text());
	throw new DOMException('a terminal copies text alone', 'NotAllowedError');
};

const selected = () => {
	const field = document.activeElement;
	return field && typeof field.selectionStart === 'number'
		? field.value.slice(field.selectionStart, field.selectionEnd) : String(getSelection());
};
/* Ctrl-C, and document.execCommand('copy'). */
addEventListener('copy', event => {
	const text = event.clipboardData.getData('text/plain') || selected();
	if (text)
		copy(text).catch(() => {});
});
})();

// The page around an app carries messages between it and us. This runs in a world of its own there, so
// that the app, which has another origin anyway, never sees the functions that reach us.
(origin, longest) => {
	const frame = document.querySelector("iframe");

	addEventListener("message", (event) => {
		if (event.source !== frame.contentWindow || event.origin !== origin)
			return;
		let text;
		try {
			text = JSON.stringify(event.data);
		} catch {
			// not JSON: a BigInt, a loop
		}
		if (text === undefined)
			__mcpane_dropped("a message that is not JSON");
		else if (text.length > longest)
			__mcpane_dropped(`a message of ${text.length} characters`);
		else
			__mcpane_message(text);
	});
	globalThis.deliver = (text) => frame.contentWindow.postMessage(JSON.parse(text), origin);
	// Out of sight nothing is drawn and no animation runs, but the size stays.
	globalThis.show = (shown) => {
		frame.style.transform = shown ? "" : "translateY(-200vh)";
	};
	// A frame that had the focus before its process began keeps it here, but keys do not go there: it
	// gets the focus again whenever it has loaded.
	const loaded = new Promise((done) => {
		frame.addEventListener("load", () => {
			frame.blur();
			frame.focus();
			done();
		});
		setTimeout(done, 2000);
	});
	globalThis.enter = () => loaded;
	frame.src = origin + "/";
}

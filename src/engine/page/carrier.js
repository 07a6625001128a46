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
	// The browser may still send keys here after the frame has got the focus, for instance if its
	// process began meanwhile.
	let missed = false;
	const focus = () => {
		frame.blur();
		frame.focus();
	};
	addEventListener("keyup", () => missed = true, true);
	const loaded = new Promise((done) => {
		frame.addEventListener("load", () => done(focus()));
		setTimeout(done, 2000);
	});
	globalThis.enter = () => loaded;
	// Did a key come here? Then the frame gets the focus again.
	globalThis.misses = () => {
		const was = missed;
		if (was)
			focus();
		missed = false;
		return was;
	};
	frame.src = origin + "/";
}

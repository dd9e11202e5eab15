// SPDX-License-Identifier: Apache-2.0
// Functions that chromium_test.mjs calls in a page.
import { play as compare } from "./conformance.mjs";
import { exhausted, withMaximum } from "./exhaustion.mjs";

const MODULE = "/bindings/js/fractalray.wasm";
let fr = null;

// Loads the package from an address, and the module from another, or by itself. Returns its version.
export async function load(index = "../../bindings/js/index.js", module = undefined) {
  fr = await import(index);
  await fr.init(module);
  return fr.version();
}
export const play = (text, answersText) => compare(fr, text, answersText);

// Returns the code and the text of the error of a loading that fails.
export async function failureOf(index, module) {
  const error = await load(index, module).then(() => new Error("no error"), (each) => each);
  return [error.code ?? error.name, error.message];
}

// Plays scenarios in workers, all at once: half of them are passed the compiled module, the others load it.
export async function playInWorkers(count, scenarios) {
  const compiled = await WebAssembly.compileStreaming(fetch(MODULE));
  return Promise.all(Array.from({ length: count }, (_, i) => askWorker({ module: i % 2 === 0 ? compiled : undefined, scenarios })));
}
function askWorker(message) {
  const worker = new Worker(new URL("in_worker.mjs", import.meta.url), { type: "module" });
  return new Promise((done, fail) => {
    worker.onmessage = ({ data }) => done(data);
    worker.onerror = (event) => fail(new Error(event.message ?? "the worker does not load"));
    worker.postMessage(message);
  }).finally(() => worker.terminate());
}

// Loads a module whose memory has at most this many pages, and exhausts it.
export async function exhaust(pages) {
  const bytes = new Uint8Array(await (await fetch(MODULE)).arrayBuffer());
  await load(undefined, withMaximum(bytes, pages));
  return exhausted(fr);
}

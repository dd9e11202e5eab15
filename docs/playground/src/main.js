// SPDX-License-Identifier: Apache-2.0
// The page's one script: starts the page, or, in a worker, serves it.

import { App } from "./app.js";
import { byId } from "./dom.js";
import { showScenario } from "./wire.js";
import { serve } from "./worker.js";

function bytesOf(id) {
  const text = byId(id).textContent.trim();
  if (typeof Uint8Array.fromBase64 === "function") return Uint8Array.fromBase64(text);
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

if (typeof document === "undefined") {
  serve();
} else {
  const app = new App({ module: bytesOf("module-data"), world: bytesOf("world-data"), program: byId("program").textContent });
  window.playground = app;  // for the console and for drive.mjs
  // What `fractalray explain --viewer` has written.
  const given = byId("scenario-data").textContent.trim();
  app.start().then(() => {
    if (given) showScenario(app, "The explained shot", given);
  }).catch((error) => {
    byId("message").textContent = `This page could not start: ${error.message}`;
    console.error(error);
  });
}

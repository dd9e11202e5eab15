// SPDX-License-Identifier: Apache-2.0
// The server of the tests in browsers: files below a folder, and no others.
import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { get, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { serve } from "./serve.mjs";

// Asks for a path as it is written: fetch() would resolve its dots. Returns the status, the type and the text.
function ask(url, path) {
  const { hostname, port } = new URL(url);
  return new Promise((done, fail) => {
    get({ hostname, port, path, agent: false }, async (response) => {
      let text = "";
      for await (const each of response.setEncoding("utf8")) text += each;
      done([response.statusCode, response.headers["content-type"], text]);
    }).on("error", fail);
  });
}

test("files below the folder have their types, and others are not found", async () => {
  const folder = await mkdtemp(join(tmpdir(), "fractalray-"));
  let server;
  try {
    await mkdir(join(folder, "root/in"), { recursive: true });
    await mkdir(join(folder, "root2"));
    for (const path of ["secret.js", "root2/secret.js", "root/in/a.js", "root/a b.mjs", "root/a.wasm", "root/a.jsonl"]) {
      await writeFile(join(folder, path), path);
    }
    await symlink(join(folder, "secret.js"), join(folder, "root/link.js"));
    server = await serve(join(folder, "root"), {
      files: { "/more.html": "<p>", "/else.js": { path: join(folder, "secret.js") } }, headers: { "x-more": "1" },
    });
    const script = "text/javascript; charset=utf-8";
    for (const [path, type, text] of [["/in/a.js", script, "root/in/a.js"], ["/in/../in/a.js?x#y", script, "root/in/a.js"],
      ["/a%20b.mjs", script, "root/a b.mjs"],
      ["/a.wasm", "application/wasm", "root/a.wasm"], ["/a.jsonl", "application/octet-stream", "root/a.jsonl"],
      ["/more.html", "text/html; charset=utf-8", "<p>"], ["/else.js", script, "secret.js"]]) {
      assert.deepEqual(await ask(server.url, path), [200, type, text], path);
    }
    for (const path of ["/secret.js", "/../secret.js", "/%2e%2e/secret.js", "/..%2fsecret.js", "/in/..%2f..%2fsecret.js", "/..%2froot2/secret.js",
      "//secret.js", "/link.js", "/", "/in", "/in/", "/none.js", "/%", "/a%00.js", "//", "/constructor", "/__proto__"]) {
      assert.deepEqual((await ask(server.url, path))[0], 404, path);
    }
    const { hostname, port } = new URL(server.url);
    const posted = await new Promise((done, fail) => {
      request({ hostname, port, path: "/in/a.js", method: "POST", agent: false }, done).on("error", fail).end();
    });
    assert.deepEqual([posted.statusCode, posted.headers["x-more"], server.requests.length], [404, "1", 25]);
  } finally {
    server?.close();
    await rm(folder, { recursive: true });
  }
});

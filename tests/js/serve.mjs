// SPDX-License-Identifier: Apache-2.0
// Serves a folder to a browser on this machine.
import { readFile, realpath, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, sep } from "node:path";

const TYPES = {
  ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8", ".json": "application/json", ".wasm": "application/wasm",
};
export const typeOf = (path) => TYPES[extname(path)] ?? "application/octet-stream";

// Serves the files below a folder on a port that is free. `files` has more of them by the path of their address: a text,
// bytes, or { path } for a file elsewhere; it may change later. `requests` lists the paths that were asked for.
export async function serve(root, { files = {}, headers = {} } = {}) {
  const base = await realpath(root), requests = [];
  // Returns the bytes of a path, or null if there is no such file below the folder.
  async function contentOf(path) {
    const own = Object.hasOwn(files, path) ? files[path] : undefined;
    if (own !== undefined) return own.path === undefined ? own : readFile(own.path);
    const file = await realpath(join(base, path));
    return file.startsWith(base + sep) && (await stat(file)).isFile() ? readFile(file) : null;
  }
  const server = createServer(async (request, response) => {
    let path = "", content = null;
    try {
      path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
      if (request.method === "GET") content = await contentOf(path);
    } catch {
      // Answers 404 to an address that is no path, and to one without a file.
    }
    if (path === "/favicon.ico") return response.writeHead(204).end();
    requests.push(path);
    if (content === null) return response.writeHead(404, headers).end("not found");
    return response.writeHead(200, { ...headers, "content-type": typeOf(path), "cache-control": "no-store" }).end(content);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}`, files, requests,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

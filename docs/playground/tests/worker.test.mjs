// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { resolveObjectURL } from "node:buffer";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { serve } from "../src/worker.js";
import { WorkerClient } from "../src/worker_client.js";
import { pack, TYPES } from "./packed_world.mjs";

test("A worker answers in the order of the messages, also after a job that fails", async () => {
  const answers = [], world = gzipSync(pack(TYPES, [[0, 0, 0, new Uint16Array(4096)]]));
  const all = new Promise((done) => {
    globalThis.self = {
      postMessage(message) {
        if (message.part === undefined) answers.push(message);
        if (answers.length === 4) done();
      },
    };
  });
  serve();
  const jobs = [{ job: "mesh", world: gzipSync("no world"), eye: [0, 0, 0] }, { job: "mesh", world, eye: [0, 0, 0] },
    { job: "edit", nodes: [[1, 2, 3, 1]] }, { job: "edit", nodes: [[1, 2, 3, 0]] }];
  jobs.forEach((job, id) => self.onmessage({ data: { id, ...job } }));
  await all;
  assert.match(answers[0].error, /no packed world/);
  assert.deepEqual(answers.map(({ id, error }) => [id, error === undefined]), [[0, false], [1, true], [2, true], [3, true]]);
  assert.deepEqual(answers.slice(2).map(({ result }) => result.light[0][0]), [801, 801]);
  assert.ok(answers[2].result.light[0][1] < answers[3].result.light[0][1]);
});

test("A worker's script is given back with it", () => {
  let isRunning = true;
  globalThis.Worker = class {
    terminate() {
      isRunning = false;
    }
  };
  const client = new WorkerClient("0"), { url } = client;
  assert.notEqual(resolveObjectURL(url), undefined);
  client.free();
  assert.deepEqual([isRunning, resolveObjectURL(url)], [false, undefined]);
});

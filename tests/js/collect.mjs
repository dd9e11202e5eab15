// SPDX-License-Identifier: Apache-2.0
// Collects garbage in the middle of a test.
import v8 from "node:v8";
import vm from "node:vm";

v8.setFlagsFromString("--expose-gc");
const gc = vm.runInNewContext("gc");

// Collects garbage and returns the bytes of the heap, within a job: what a WeakRef has named in it stays.
export function heapNow() {
  gc();
  return process.memoryUsage().heapUsed;
}
// Collects garbage some times, and lets finalizers run after each.
export async function collect(times = 1) {
  for (let i = 0; i < times; ++i) {
    gc();
    await new Promise((done) => setTimeout(done, 3));
  }
}

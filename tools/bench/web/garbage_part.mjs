// SPDX-License-Identifier: Apache-2.0
// The bytes of garbage that hot calls make, as tests/js/garbage_test.mjs counts them.
import { garbageBytes } from "../../../tests/js/garbage_bytes.mjs";
import { WIDTH } from "./report.mjs";

export async function measureGarbage(report) {
  const { hot, object } = await garbageBytes(), most = Math.max(...Object.values(hot));
  report.title(`Garbage of ${Object.keys(hot).length} hot calls, bytes each (the least object: ${object.toFixed(0)}; V8 makes some by itself)`);
  for (const [name, bytes] of Object.entries(hot)) {
    report.line(`${name.padEnd(WIDTH)}${bytes.toFixed(2).padStart(10)}`);
    report.figure(`garbage: ${name}`, bytes, "bytes");
  }
  report.target("bytes of garbage of a hot call, the most, rounded", Math.round(most), 0);
}

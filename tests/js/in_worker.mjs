// SPDX-License-Identifier: Apache-2.0
// A worker of the page: plays the scenarios that it is sent. Answers with what play() returns, or with an error.
import * as fr from "../../bindings/js/index.js";
import { play } from "./conformance.mjs";

self.onmessage = async ({ data: { module, scenarios } }) => {
  try {
    await fr.init(module);
    self.postMessage({ played: scenarios.map((texts) => play(fr, ...texts)) });
  } catch (error) {
    self.postMessage({ error: String(error.stack) });
  }
};

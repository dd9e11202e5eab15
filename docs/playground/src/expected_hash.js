// SPDX-License-Identifier: Apache-2.0
// Written by tools/native_hash.py, which shoots the lines of many_shots.js by the native library; empty until it has run.
// `how` says which library, compiled by which compiler, gave the hash.
export const EXPECTED = { hash: "fb5ab7b4fa8146ac", how: "g++ 12.2 -O3" };

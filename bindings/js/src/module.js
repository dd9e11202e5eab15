// SPDX-License-Identifier: Apache-2.0
// The WebAssembly module: how it is loaded, the same way in Node, browsers and workers, what it
// imports, and how its results become errors. Nothing of emscripten's JavaScript is used: the module
// imports a few functions of WASI, the callbacks of wasm/callbacks.c, and notice of memory growth.

import * as layout from "./layout.js";
import { FractalrayError } from "./errors.js";
import { Memory, NOT_LOADED } from "./memory.js";

const STDERR_LENGTH = 4096;
// In a constant, so that bundlers for browsers do not look for it.
const NODE_FILES = "node:fs/promises";

class Module {
  // The functions of the C interface, with the names of its header.
  c = NOT_LOADED;
  // Those of calls that take nanoseconds: of as many as `c` has, an engine may look each up in a table.
  hot = NOT_LOADED;
  memory = new Memory();
  // The addresses of the callbacks in the module.
  callbacks = { predicate: 0, effect: 0, block: 0 };
  // True if a callback has thrown during the present call: check() throws it again.
  hasThrown = false;
  #thrown = undefined;
  // The owners of callbacks by number, which is the context that C passes. Weak, so that a world whose
  // callbacks refer to it can be collected: every call that may need an owner has a reference to it. A
  // WeakRef keeps its object to the end of the job, so the owners of one call are held instead.
  #owners = [null];
  #freeNumbers = [];
  // The owner that was called last, until forgetOwner(): its WeakRef is asked once a call, not at each callback.
  #last = null;
  #lastNumber = 0;
  #stderr = "";

  async load(source) {
    const { exports } = await WebAssembly.instantiate(await compile(source), this.#imports());
    // Before anything of a module that is refused is used.
    const version = exports.frGetVersion?.();
    if (version !== layout.VERSION) {
      throw new FractalrayError("FAILED_PRECONDITION",
        `the module has ${version === undefined ? "no version" : `version ${versionText(version)}`}, this package ` +
        `${versionText(layout.VERSION)}; take fractalray.wasm from the same package`);
    }
    this.memory.adopt(exports);
    exports._initialize?.();
    this.memory.start();
    this.callbacks = {
      predicate: exports.frjs_Predicate(), effect: exports.frjs_Effect(), block: exports.frjs_Block(),
    };
    this.c = exports;
    const {
      frjs_MakeSegment, frjs_MakeRay, frjs_ClosestHit, frjs_ClosestHitOfRay, frjs_Occluded, frjs_Shoot, frjs_GetBlock,
      frjs_SetBlock,
    } = exports;
    this.hot = {
      frjs_MakeSegment, frjs_MakeRay, frjs_ClosestHit, frjs_ClosestHitOfRay, frjs_Occluded, frjs_Shoot, frjs_GetBlock,
      frjs_SetBlock,
    };
  }

  // ---- Results ----

  // Throws unless a result is FR_OK and no callback has thrown.
  check(result) {
    if (result !== layout.OK || this.hasThrown) this.fail(result);
  }
  // Throws what a callback has thrown, or the error of a result.
  fail(result) {
    this.rethrow();
    throw this.error(result);
  }
  rethrow() {
    if (!this.hasThrown) return;
    const thrown = this.#thrown;
    this.hasThrown = false;
    this.#thrown = undefined;
    throw thrown;
  }
  // Returns the error of the last call, which has returned `result`.
  error(result) {
    return new FractalrayError(this.resultName(result), this.lastError());
  }
  resultName(result) {
    return this.memory.readText(this.c.frGetResultName(result));
  }
  // Returns the text of the last error, without the function of C, whose name callers do not know.
  lastError() {
    return this.memory.readText(this.c.frGetLastError()).replace(/^fr\w+: /, "");
  }

  // ---- Callbacks ----

  // Returns the number of an object whose methods C calls: test(), respond() or block(). isBrief: the
  // caller removes it at the end of a call, however that ends; others are removed when they are collected.
  addOwner(owner, isBrief) {
    const number = this.#freeNumbers.pop() ?? this.#owners.length;
    this.#owners[number] = isBrief ? { deref: () => owner } : new WeakRef(owner);
    return number;
  }
  removeOwner(number) {
    if (number === this.#lastNumber) this.forgetOwner();
    this.#owners[number] = null;
    this.#freeNumbers.push(number);
  }
  // Forgets which owner was called last, at the end of a call, so that it can be collected.
  forgetOwner() {
    this.#last = null;
    this.#lastNumber = 0;
  }
  #ownerOf(number) {
    if (number !== this.#lastNumber) {
      this.#last = this.#owners[number].deref();
      this.#lastNumber = number;
    }
    return this.#last;
  }
  #keep(error, onThrow) {
    this.hasThrown = true;
    this.#thrown = error;
    return onThrow;
  }
  // Calls a method of the owner of a callback. No exception passes through the module: it is kept, and `onThrow`
  // is the answer from then on, which ends the query soon. Each method is called by its name, so that an
  // engine can inline it.
  #test(context, hit, onThrow) {
    if (this.hasThrown) return onThrow;
    try {
      return this.#ownerOf(context).test(hit);
    } catch (error) {
      return this.#keep(error, onThrow);
    }
  }
  #respond(context, hit, onThrow) {
    if (this.hasThrown) return onThrow;
    try {
      return this.#ownerOf(context).respond(hit);
    } catch (error) {
      return this.#keep(error, onThrow);
    }
  }
  #block(context, block, onThrow) {
    if (this.hasThrown) return onThrow;
    try {
      return this.#ownerOf(context).block(block);
    } catch (error) {
      return this.#keep(error, onThrow);
    }
  }

  #imports() {
    const memory = this.memory;
    const wasi = {
      fd_write: (file, vectors, count, written) => {
        let total = 0;
        for (let i = 0; i < count; ++i) {
          const at = memory.u32[(vectors >>> 2) + 2 * i], length = memory.u32[(vectors >>> 2) + 2 * i + 1];
          const text = new TextDecoder().decode(memory.u8.subarray(at, at + length));
          this.#stderr = (this.#stderr + text).slice(-STDERR_LENGTH);
          total += length;
        }
        memory.u32[written >>> 2] = total;
        return 0;
      },
      proc_exit: (status) => {
        throw new FractalrayError("INTERNAL", `the module has ended with ${status}: ${this.#stderr.trim()}`);
      },
      clock_time_get: (clock, precision, at) => {
        memory.u64[at >>> 3] = BigInt(Math.round(performance.now() * 1e6));
        return 0;
      },
      environ_sizes_get: (count, bytes) => {
        memory.u32[count >>> 2] = memory.u32[bytes >>> 2] = 0;
        return 0;
      },
      environ_get: () => 0,
      random_get: (at, bytes) => {
        memory.u8.fill(0, at >>> 0, (at >>> 0) + (bytes >>> 0));
        return 0;
      },
    };
    return {
      // wasm/imports.json lists them. Files do not exist: 8 is EBADF.
      wasi_snapshot_preview1: answering(wasi, 8),
      env: answering({ emscripten_notify_memory_growth: () => memory.refresh() }, 0),
      fractalray: {
        // Once something is thrown, everything is terminal and nothing is filtered.
        predicate: (context, hit) => this.#test(context, hit, 1),
        effect: (context, hit) => this.#respond(context, hit, layout.STOP),
        // This type is refused, so that nothing is loaded.
        block: (context, block) => this.#block(context, block, layout.NO_BLOCK_TYPE),
      },
    };
  }
}

// Returns imports of which all that are missing do nothing, and return the same number.
function answering(own, number) {
  return new Proxy(own, { get: (target, name) => target[name] ?? (() => number) });
}

export function versionText(version) {
  return `${Math.floor(version / 1e6)}.${Math.floor(version / 1000) % 1000}.${version % 1000}`;
}

// Compiles bytes, a Response, a URL, or by default the module in this package.
async function compile(source = new URL("../fractalray.wasm", import.meta.url)) {
  const given = await source;
  if (given instanceof WebAssembly.Module) return given;
  if (given instanceof ArrayBuffer || ArrayBuffer.isView(given)) return WebAssembly.compile(given);
  if (typeof given === "string" || given instanceof URL) return compileUrl(given);
  if (typeof given?.arrayBuffer === "function") return compileResponse(given);
  throw new TypeError("init: the source must be a URL, a Response, bytes or a WebAssembly.Module");
}

async function compileUrl(url) {
  if (!String(url).startsWith("file:")) return compileResponse(await fetch(url));
  // fetch() of Node does not read files.
  const { readFile } = await import(/* webpackIgnore: true */ /* @vite-ignore */ NODE_FILES);
  return WebAssembly.compile(await readFile(new URL(url)));
}

async function compileResponse(response) {
  if (response.ok === false) {
    throw new FractalrayError("NOT_FOUND", `init: ${response.url || "the module"} answers ${response.status}; ` +
      "pass the URL of fractalray.wasm");
  }
  const isTyped = response.headers?.get("content-type")?.startsWith("application/wasm");
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

export const module = new Module();
export const memory = module.memory;

let loading = null;

// Loads the module: await it once before anything else; later calls wait for the first. `source` is a
// URL, a Response or a promise of one, the bytes, or a WebAssembly.Module; by default the file
// fractalray.wasm in the package. After a failure another call tries again.
export function init(source) {
  loading ??= module.load(source).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

// Returns the version of the module, such as "0.1.0".
export function version() {
  return versionText(module.c.frGetVersion());
}

// SPDX-License-Identifier: Apache-2.0
// The program of web_native.cc, which answers commands one after another.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export class NativeProgram {
  #process;
  #waiting = [];

  constructor(program, file) {
    this.#process = spawn(program, [file], { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#waiting.shift()?.done(line));
    const fail = (why) => {
      for (const { fail } of this.#waiting.splice(0)) fail(new Error(`${program} has ended: ${why}`));
    };
    this.#process.on("error", fail).on("close", fail);
    // Its end says more.
    this.#process.stdin.on("error", () => {});
    // What it prints first.
    this.machine = this.#nextLine();
  }
  #nextLine() {
    return new Promise((done, fail) => this.#waiting.push({ done, fail }));
  }
  // Returns the words of the answer to a command.
  async ask(...words) {
    const line = this.#nextLine();
    this.#process.stdin.write(`${words.join(" ")}\n`);
    return (await line).split(" ");
  }
  close() {
    this.#process.stdin.end();
  }
}

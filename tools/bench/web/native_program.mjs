// SPDX-License-Identifier: Apache-2.0
// The program of web_native.cc, which answers commands one after another.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export class NativeProgram {
  #process;
  #waiting = [];
  #end = null;  // the error of an answer that will not come

  constructor(program, file) {
    this.#process = spawn(program, [file], { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#waiting.shift()?.done(line));
    const end = (why) => {
      this.#end ??= new Error(`${program} has ended: ${why}`);
      for (const { fail } of this.#waiting.splice(0)) fail(this.#end);
    };
    this.#process.on("error", end).on("close", (code, signal) => end(signal ?? `status ${code}`));
    // Its end says more.
    this.#process.stdin.on("error", () => {});
    // What it prints first.
    this.machine = this.#nextLine();
  }
  #nextLine() {
    return new Promise((done, fail) => {
      if (this.#end === null) this.#waiting.push({ done, fail });
      else fail(this.#end);
    });
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

// SPDX-License-Identifier: Apache-2.0
// Drives Debian's Chromium by the DevTools protocol, over two pipes: without a port, and without a package of npm.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAM = "/usr/bin/chromium";
const MOST_SECONDS = 300;  // for an answer: a whole set of scenarios on a machine that does other work
const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--no-default-browser-check",
  "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-extensions", "--mute-audio",
  "--disable-default-apps", "--password-store=basic", "--use-mock-keychain",
  // No other machine is asked for anything.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--no-proxy-server",
];

// Returns a reason to skip the tests, or false. Throws if Chromium is missing and FRACTALRAY_NO_CHROMIUM is not set.
export function reasonToSkip() {
  if (process.env.FRACTALRAY_NO_CHROMIUM === "1") return "FRACTALRAY_NO_CHROMIUM is 1: nothing is tested in Chromium";
  if (existsSync(PROGRAM)) return false;
  throw new Error(`there is no ${PROGRAM}: apt-get install chromium, or set FRACTALRAY_NO_CHROMIUM=1 to do without these tests`);
}

export class Chromium {
  #process;
  #folder;
  #number = 0;
  #waiting = new Map();
  #pages = new Map();
  #stderr = "";
  #ended;
  #end = null;  // the error that answers commands from then on

  static async start() {
    const made = new Chromium();
    await made.#start();
    return made;
  }
  async #start() {
    this.#folder = await mkdtemp(join(tmpdir(), "fractalray-chromium-"));
    this.#process = spawn(PROGRAM, [...FLAGS, `--user-data-dir=${this.#folder}/profile`, "--remote-debugging-pipe", "about:blank"],
      { stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"], env: { ...process.env, HOME: this.#folder } });
    this.#ended = new Promise((done) => {
      this.#process.on("error", done);
      this.#process.on("close", done);
    });
    this.#ended.then((how) => {
      this.#end = new Error(`Chromium has ended (${how}): ${this.#stderr}`);
      this.#fail(this.#end);
    });
    this.#process.stderr.setEncoding("utf8").on("data", (text) => { this.#stderr = (this.#stderr + text).slice(-4000); });
    // Errors of the pipes come with the end of Chromium.
    for (const pipe of this.#process.stdio.slice(3)) pipe.on("error", () => {});
    let text = "";
    this.#process.stdio[4].setEncoding("utf8").on("data", (more) => {
      const parts = (text + more).split("\0");
      text = parts.pop();
      for (const each of parts) this.#receive(JSON.parse(each));
    });
    await this.send("Browser.getVersion").then(({ product }) => { this.version = product; }, async (error) => {
      await this.close();
      throw error;
    });
  }
  // Answers the commands of a session, or all, with an error.
  #fail(error, session = undefined) {
    for (const [id, { fail, sessionId }] of this.#waiting) {
      if (session !== undefined && sessionId !== session) continue;
      this.#waiting.delete(id);
      fail(error);
    }
  }
  #receive({ id, result, error, method, params, sessionId }) {
    if (method === "Inspector.targetCrashed") this.#fail(new Error("the page has crashed"), sessionId);
    if (method !== undefined) {
      this.#pages.get(sessionId)?.receive(method, params, sessionId);
      return;
    }
    const { done, fail } = this.#waiting.get(id) ?? {};
    this.#waiting.delete(id);
    if (error === undefined) done?.(result);
    else fail?.(new Error(error.message));
  }
  // Sends a command of the protocol. Returns a promise of its result.
  send(method, params = {}, sessionId = undefined) {
    const id = ++this.#number;
    return new Promise((done, fail) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        fail(new Error(`${method} has no answer after ${MOST_SECONDS} s`));
      }, 1000 * MOST_SECONDS);
      const ends = (use) => (value) => {
        clearTimeout(timer);
        use(value);
      };
      this.#waiting.set(id, { done: ends(done), fail: ends(fail), sessionId });
      if (this.#end !== null) this.#fail(this.#end);
      else this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }
  // Opens an address in a page that shares nothing with others. Returns it once it is loaded.
  async open(url) {
    const { browserContextId } = await this.send("Target.createBrowserContext");
    const { targetId } = await this.send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await this.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page(this, sessionId, browserContextId);
    this.listen(sessionId, page);
    await page.start(url);
    return page;
  }
  listen(sessionId, page) {
    this.#pages.set(sessionId, page);
  }
  async close() {
    const timer = setTimeout(() => this.#process.kill("SIGKILL"), 10000);
    this.send("Browser.close").catch(() => {});
    await this.#ended;
    clearTimeout(timer);
    // Chromium's other processes may still write.
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

// A page, with all that it and its workers write into the console, and what the browser writes there about them.
class Page {
  #browser;
  #session;
  #context;
  #messages = [];
  #loaded = null;

  constructor(browser, session, context) {
    this.#browser = browser;
    this.#session = session;
    this.#context = context;
  }
  #send(method, params, session = this.#session) {
    return this.#browser.send(method, params, session);
  }
  async start(url) {
    await Promise.all([this.#send("Page.enable"), this.#send("Inspector.enable")]);
    await this.#listen(this.#session);
    const loaded = new Promise((done) => { this.#loaded = done; });
    const { errorText } = await this.#send("Page.navigate", { url });
    if (errorText !== undefined) throw new Error(`${url}: ${errorText}`);
    await loaded;
  }
  async #listen(session) {
    await Promise.all([this.#send("Runtime.enable", {}, session), this.#send("Log.enable", {}, session),
      this.#send("Target.setAutoAttach", { autoAttach: true, waitForDebuggerOnStart: true, flatten: true }, session)]);
  }
  receive(method, params, session) {
    if (method === "Page.loadEventFired") this.#loaded?.();
    if (method === "Runtime.consoleAPICalled") {
      this.#messages.push(`${params.type}: ${params.args.map((each) => each.value ?? each.description ?? each.type).join(" ")}`);
    }
    if (method === "Runtime.exceptionThrown") this.#messages.push(`exception: ${textOf(params.exceptionDetails)}`);
    // Workers report their own messages themselves.
    if (method === "Log.entryAdded" && params.entry.source !== "worker") {
      const { level, text, url = "" } = params.entry;
      this.#messages.push(`${level}: ${text} ${url}`.trim());
    }
    if (method === "Target.attachedToTarget") this.#attach(params.sessionId);
  }
  // Makes a worker's messages those of the page, before it runs.
  async #attach(session) {
    this.#browser.listen(session, this);
    // A worker may end at any time.
    await this.#listen(session).catch(() => {});
    await this.#send("Runtime.runIfWaitingForDebugger", {}, session).catch(() => {});
  }
  // Returns the value of an expression, awaited, as JSON has it.
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.#send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails !== undefined) throw new Error(textOf(exceptionDetails));
    return result.value;
  }
  // Calls a function that a module of the server exports.
  call(module, name, ...given) {
    return this.evaluate(`import(${JSON.stringify(module)}).then((page) => page.${name}(...${JSON.stringify(given)}))`);
  }
  // Returns all messages so far.
  async messages() {
    await this.evaluate("new Promise((done) => setTimeout(done, 50))");
    return this.#messages;
  }
  close() {
    return this.#browser.send("Target.disposeBrowserContext", { browserContextId: this.#context });
  }
}

function textOf({ text, exception }) {
  return exception?.description ?? (exception !== undefined && "value" in exception ? String(exception.value) : text);
}

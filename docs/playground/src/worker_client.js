// SPDX-License-Identifier: Apache-2.0
// The page's side of workers: each runs the page's own script, which serves instead of drawing where there is no document.

export class WorkerClient {
  #jobs = new Map();
  #next = 1;
  // source: the text of the script.
  constructor(source) {
    this.url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
    this.worker = new Worker(this.url);
    this.worker.onmessage = ({ data }) => this.#take(data);
    this.worker.onerror = (event) => {
      for (const { reject } of this.#jobs.values()) reject(new Error(event.message || "a worker has failed"));
      this.#jobs.clear();
    };
  }
  // Runs a job, and returns its result; onPart is called for what it posts on the way.
  run(job, given = {}, onPart = () => {}) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#jobs.set(id, { resolve, reject, onPart });
      this.worker.postMessage({ id, job, ...given });
    });
  }
  free() {
    this.worker.terminate();
    URL.revokeObjectURL(this.url);
  }
  #take({ id, part, result, error }) {
    const job = this.#jobs.get(id);
    if (job === undefined) return;
    if (part !== undefined) {
      job.onPart(part);
      return;
    }
    this.#jobs.delete(id);
    if (error !== undefined) job.reject(new Error(error));
    else job.resolve(result);
  }
}

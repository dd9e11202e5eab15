// SPDX-License-Identifier: Apache-2.0
// Functions of JavaScript as callbacks of the library: tests and effects of hits.

import { Response } from "./enums.js";
import { refuseType } from "./errors.js";
import { Hit } from "./hits.js";
import { memory, module } from "./module.js";
import { whenCollected } from "./owned.js";

// Functions that share a context, its `number`. C may call them as long as this object is referred to, or, if it is
// brief, until free().
export class Callbacks {
  // test: decides about a hit. effect: responds to one. `name` begins the errors of its answers. isBrief: free() ends
  // them; they are those of one call.
  constructor(test, effect, name = "the effect", isBrief = false) {
    this.onTest = test;
    this.onEffect = effect;
    this.name = name;
    this.hit = new Hit(memory, 0);
    this.number = module.addOwner(this, isBrief);
    const number = this.number;
    if (!isBrief) whenCollected(this, () => module.removeOwner(number), this);
  }
  free() {
    module.removeOwner(this.number);
  }
  test(at) {
    const hit = this.hit, before = hit.at;
    hit.at = at >>> 0;
    try {
      return this.onTest(hit) ? 1 : 0;
    } finally {
      hit.at = before;  // of a call that this one is within
    }
  }
  respond(at) {
    const hit = this.hit, before = hit.at;
    hit.at = at >>> 0;
    try {
      const response = this.onEffect(hit);
      if (response === undefined || response === null) return Response.CONTINUE;
      if (response === 0 || response === 1 || response === 2) return response;
      return refuseType(response, `the answer of ${this.name}`, "it must be a Response, or undefined");
    } finally {
      hit.at = before;
    }
  }
}

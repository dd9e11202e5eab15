// SPDX-License-Identifier: Apache-2.0
// Sets the flags and numbers among the members of options and rules, by the kinds that the C header says.

import { integer, limit, number, wide } from "./arguments.js";

const SET = {
  flag: (struct, name, value) => { struct[name] = value ? 1 : 0; },
  limit: (struct, name, value, what) => { struct[name] = limit(value, what); },
  number: (struct, name, value = 0, what) => { struct[name] = number(value, what); },
  u8: (struct, name, value = 0, what) => { struct[name] = integer(value, what, 0, 0xff); },
  u16: (struct, name, value = 0, what) => { struct[name] = integer(value, what, 0, 0xffff); },
  u64: (struct, name, value = 0, what) => { struct[`${name}Big`] = wide(value, what); },
};

// Sets a member of a struct; undefined stands for its default. kinds: those of layout.PLAIN. what: how errors call it.
export function setPlain(struct, kinds, name, value, what) {
  SET[kinds[name]](struct, name, value, what);
}

// Returns a setter for each member, by its name.
export function plainSetters(kinds) {
  return Object.fromEntries(Object.keys(kinds).map((name) =>
    [name, (struct, value) => setPlain(struct, kinds, name, value, name)]));
}

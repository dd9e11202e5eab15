// SPDX-License-Identifier: Apache-2.0
// Reads what a WebAssembly module consists of: its sections, and its functions with their names, if it has a section of names.

const SECTIONS = ["custom", "types", "imports", "functions", "tables", "memories", "globals", "exports", "start", "elements", "code", "data",
  "data count", "tags"];
const IMPORTS = 2, CODE = 10, CUSTOM = 0, FUNCTION_NAMES = 1;

// Reads a part of a module from one byte to another.
class Reader {
  constructor(bytes, at = 0, end = bytes.length) {
    this.bytes = bytes;
    this.at = at;
    this.end = end;
  }
  byte() {
    if (this.at >= this.end) throw new Error("the module ends too early");
    return this.bytes[this.at++];
  }
  // An unsigned number of 7 bits a byte, the lowest first.
  number() {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }
  text() {
    const length = this.number(), begin = this.at;
    this.at += length;
    return Buffer.from(this.bytes.subarray(begin, this.at)).toString("utf8");
  }
  // Returns a reader of a part that begins with its size.
  part() {
    const size = this.number(), begin = this.at;
    this.at += size;
    return new Reader(this.bytes, begin, this.at);
  }
  get isAtEnd() {
    return this.at >= this.end;
  }
}

// Returns {id, name, begin, end} of each section, with its head.
export function sectionsOf(bytes) {
  const reader = new Reader(bytes, 8), sections = [];
  while (!reader.isAtEnd) {
    const begin = reader.at, id = reader.byte(), content = reader.part();
    sections.push({ id, name: id === CUSTOM ? `custom: ${content.text()}` : SECTIONS[id] ?? `section ${id}`, begin, end: reader.at });
  }
  return sections;
}

// Returns a reader of the content of a section.
function contentOf(bytes, { begin }) {
  const reader = new Reader(bytes, begin);
  reader.byte();
  return reader.part();
}
function skipLimits(reader) {
  const flags = reader.byte();
  reader.number();
  if (flags & 1) reader.number();
}
// How imports of each kind are read: functions, tables, memories, globals, tags.
const SKIP_IMPORT = [
  (reader) => reader.number(), (reader) => { reader.byte(); skipLimits(reader); }, skipLimits, (reader) => { reader.byte(); reader.byte(); },
  (reader) => { reader.byte(); reader.number(); },
];
function countImportedFunctions(bytes, sections) {
  const section = sections.find(({ id }) => id === IMPORTS);
  if (section === undefined) return 0;
  const reader = contentOf(bytes, section);
  let functions = 0;
  for (let left = reader.number(); left > 0; --left) {
    reader.text();
    reader.text();
    const kind = reader.byte();
    if (kind === 0) ++functions;
    SKIP_IMPORT[kind](reader);
  }
  return functions;
}

// Returns {name, size} of each function of the module; null if it has no names.
export function functionsOf(bytes) {
  const sections = sectionsOf(bytes), names = sections.find(({ name }) => name === "custom: name"), code = sections.find(({ id }) => id === CODE);
  if (names === undefined || code === undefined) return null;
  const nameOf = new Map(), parts = contentOf(bytes, names);
  parts.text();
  while (!parts.isAtEnd) {
    const kind = parts.byte(), part = parts.part();
    if (kind !== FUNCTION_NAMES) continue;
    for (let left = part.number(); left > 0; --left) {
      const index = part.number();
      nameOf.set(index, part.text());
    }
  }
  const bodies = contentOf(bytes, code), functions = [];
  let index = countImportedFunctions(bytes, sections);
  for (let left = bodies.number(); left > 0; --left, ++index) {
    const { at, end } = bodies.part();
    functions.push({ name: nameOf.get(index) ?? "", size: end - at });
  }
  return functions;
}

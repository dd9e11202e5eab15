// SPDX-License-Identifier: Apache-2.0
// Small helpers to make elements. Text is always set as text: names may come from a dropped file.

export const byId = (id) => document.getElementById(id);

// Returns an element with properties (those with a dash are attributes) and children.
export function element(tag, given = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    if (name.includes("-") || name === "role") made.setAttribute(name, value);
    else if (name === "style") Object.assign(made.style, value);
    else made[name] = value;
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

// Replaces the rows of a table. head: texts; rows: arrays of cells, each a text or an element, or elements "tr".
export function fillTable(table, head, rows) {
  const cell = (tag) => (content) => (content instanceof Element && content.tagName === "TD" ? content : element(tag, {}, content));
  table.replaceChildren(
    element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...rows.map((row) => (row instanceof Element ? row : element("tr", {}, ...row.map(cell("td")))))));
}

export function fillSelect(select, entries) {
  select.replaceChildren(...entries.map(([value, text]) => element("option", { value }, text)));
}

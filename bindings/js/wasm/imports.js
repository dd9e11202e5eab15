// SPDX-License-Identifier: Apache-2.0
// The callbacks of callbacks.c, for the linker: a library of emscripten that only names them. src/module.js has their
// functions. All else that the module lacks is an error of the linker; imports.json has the imports that are meant.
mergeInto(LibraryManager.library, {
  predicate: function () {},
  effect: function () {},
  block: function () {},
});

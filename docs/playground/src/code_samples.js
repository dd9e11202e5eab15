// SPDX-License-Identifier: Apache-2.0
// The shot as code in five languages, with the options that differ from the defaults. The programs have their own world:
// that of the page has the block types and channels that are named.

import { REACH } from "./content.js";
import { originOf } from "./ray.js";
import { offsetOf } from "./state.js";

const FINEST = 16;
export const LANGUAGES = ["C++", "C", "Python", "JavaScript", "Lua"];

// Returns what the samples need: {origin, direction, reach} in finest blocks, and the options that are not the default.
export function shotOf(state) {
  const isAll = state.categories === 7;
  return {
    origin: originOf(state.ray, offsetOf(state)).map((part) => part * FINEST), direction: state.ray.d, reach: REACH * FINEST,
    levels: state.levels, corner: state.corner === "both" ? null : state.corner,
    channel: state.channel === "default" ? null : state.channel, categories: isAll ? null : state.categories,
    skipStart: state.skipStart, strength: state.strength, bounces: state.bounces,
  };
}

const list = (values) => values.join(", ");
const upper = (word) => word[0].toUpperCase() + word.slice(1);
const lines = (...parts) => parts.filter((part) => part !== null && part !== "").join("\n");
// Returns text if a value is given, else null.
const given = (value, text) => (value === null || value === false || value === 0 ? null : text);

function cpp({ origin, direction, reach, levels, corner, channel, categories, skipStart, strength, bounces }) {
  const noEntities = categories === 0;
  const filter = [
    given(channel, `.channel = *world.blockTypes().findChannel("${channel}")`), noEntities ? ".entities = false" : null,
    given(categories, `.categories = ${categories}`), given(skipStart, ".skip_start_inside = true"),
  ].filter(Boolean);
  const options = [
    filter.length > 0 ? `.filter = {${list(filter)}}` : null, given(corner, `.corner = CornerPolicy::k${upper(corner ?? "x")}`),
    given(strength, ".rules = &bullet"),
  ].filter(Boolean);
  return lines(
    given(strength, `// bullet: TerminalRules with a budget of ${strength}, and costs of glass, leaves and entities`),
    `absl::StatusOr<ShotResult> shot = service.shootSegment(`,
    `    Ray{.origin = {${list(origin)}},`,
    `        .direction = {${list(direction)}},`,
    `        .max_distance = ${reach}},`,
    `    LevelMask{${list(levels)}}${options.length > 0 ? `, {${list(options)}}` : ""});`,
    "if (!shot.ok()) return fail(shot.status());",
    "for (const Hit& hit : shot->hits) print(hit.level, hit.distance, hit.terminal);",
    given(bounces, `// Bounces: service.reflect(shot->segment, shot->hits.back()), and shoot again, ${bounces} times at most.`));
}

function c({ origin, direction, reach, levels, corner, channel, categories, skipStart, strength, bounces }) {
  const mask = levels.reduce((sum, level) => sum + 2 ** level, 0);
  const members = [
    given(corner, `.corner = FR_CORNER_${(corner ?? "").toUpperCase()}`), given(channel, ".channel = channel"),
    categories === 0 ? ".no_entities = 1" : null, given(categories, `.categories = ${categories}`),
    given(skipStart, ".skip_start_inside = 1"), given(strength, ".rules = bullet"), ".max_hits = 64",
  ].filter(Boolean);
  return lines(
    given(channel, `frChannel channel = 0;\nfrWorld_FindChannel(world, "${channel}", &channel);`),
    strength > 0 ? `/* bullet: an frRules* with a budget of ${strength}, and costs of glass, leaves and entities */` : null,
    `const double origin[3] = {${list(origin)}};`,
    `const double direction[3] = {${list(direction)}};`,
    `frQueryOptions options = {${list([".struct_size = sizeof options", ...members])}};`,
    "frLine line;", "frHit hits[64];", "frQueryResult result = {.struct_size = sizeof result};",
    `if (frMakeRay(origin, direction, ${reach}, NULL, &line) != FR_OK ||`,
    `    frWorld_Shoot(world, &line, ${mask}u, &options, hits, 64, &result) != FR_OK) {`,
    "  puts(frGetLastError());", "}",
    "for (uint64_t i = 0; i < result.hit_count; ++i) printf(\"%d %g\\n\", hits[i].level, hits[i].distance);",
    given(bounces, `/* Bounces: frWorld_Reflect(world, &line, &hits[result.hit_count - 1], &line), ${bounces} times at most. */`));
}

function python({ origin, direction, reach, levels, corner, channel, categories, skipStart, strength, bounces }) {
  const options = [
    given(corner, `corner=fr.Corner.${(corner ?? "").toUpperCase()}`),
    given(channel, `channel=world.block_types.channel("${channel}")`),
    categories === null ? null : `categories=${categories}`, given(skipStart, "skip_start_inside=True"), given(strength, "rules=bullet"),
  ].filter(Boolean);
  return lines(
    strength > 0 ? `# bullet: fr.Rules with a budget of ${strength}, and costs of glass, leaves and entities` : null,
    `line = fr.Line.ray((${list(origin)}), (${list(direction)}), ${reach})`,
    `shot = world.shoot(line, [${list(levels)}]${options.length > 0 ? `, fr.Options(${list(options)})` : ""})`,
    "for hit in shot:", "    print(hit.level, hit.distance, hit.terminal)",
    given(bounces, `# Bounces: line = world.reflect(shot.line, shot.hits[-1]), ${bounces} times at most.`));
}

function javascript({ origin, direction, reach, levels, corner, channel, categories, skipStart, strength, bounces }) {
  const options = [
    `levels: [${list(levels)}]`, given(corner, `corner: Corner.${(corner ?? "").toUpperCase()}`),
    given(channel, `channel: world.blockTypes.channel("${channel}")`), categories === null ? null : `categories: ${categories}`,
    given(skipStart, "skipStartInside: true"), given(strength, "rules: bullet"),
  ].filter(Boolean);
  return lines(
    strength > 0 ? `// bullet: Rules with a budget of ${strength}, and costs of glass, leaves and entities` : null,
    `const line = Line.ray([${list(origin)}], [${list(direction)}], ${reach});`,
    `const shot = world.shoot(line, { ${list(options)} });`,
    "for (const hit of shot) console.log(hit.level, hit.distance, hit.terminal);",
    given(bounces, `// Bounces: line = world.reflect(line, shot.move(shot.length - 1)), ${bounces} times at most.`));
}

function lua({ origin, direction, reach, levels, corner, channel, categories, skipStart, strength, bounces }) {
  const options = [
    given(corner, `corner = "${corner}"`), given(channel, `channel = world:add_channel("${channel}")`),
    categories === null ? null : `categories = ${categories}`, given(skipStart, "skip_start_inside = true"), given(strength, "rules = bullet"),
  ].filter(Boolean);
  return lines(
    strength > 0 ? `-- bullet: fr.rules() with a budget of ${strength}, and costs of glass, leaves and entities` : null,
    `local line = fr.ray(${list([...origin, ...direction, reach])})`,
    `for _, hit in ipairs(world:shoot(line, fr.levels(${list(levels)})${options.length > 0 ? `, {${list(options)}}` : ""})) do`,
    "  print(hit.level, hit.distance, hit.terminal)", "end",
    given(bounces, `-- Bounces: line = world:reflect(line, hit), ${bounces} times at most.`));
}

const WRITERS = { "C++": cpp, C: c, Python: python, JavaScript: javascript, Lua: lua };

// Returns the shot of a state in one of LANGUAGES.
export function codeOf(language, state) {
  if (state.ray === null) return "";
  return WRITERS[language](shotOf(state));
}

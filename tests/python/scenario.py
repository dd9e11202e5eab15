# SPDX-License-Identifier: Apache-2.0
"""Answers scenario files (docs/scenario-format.md) by the package, as the program does."""

from __future__ import annotations

import json
import math
from dataclasses import fields
from pathlib import Path
from typing import Any

import fractalray as fr
import numpy as np

CORNERS = {corner.name.lower(): corner for corner in fr.Corner}
KINDS = {kind.name.lower(): kind for kind in fr.Kind}
UNLOADED = {unloaded.name.lower(): unloaded for unloaded in fr.Unloaded}
RESPONSES = {"stop": fr.Response.STOP, "again": fr.Response.AGAIN}
CLASSES = {"continue": 0, "stop": 1, "again": 2}
MOST_CROSSINGS = 10_000_000
#: The options that scenarios have as the package has them.
OPTIONS = {each.name for each in fields(fr.Options)} - {"corner", "channel", "rules", "budgets"}
SIGHT_OPTIONS = {each.name for each in fields(fr.SightOptions)} - {
    "channel", "unloaded", "occluders", "no_blocks"
}
#: The members of answers to blasts, and of the arrays of the package.
BROKEN = ("level", "block", "ray", "steps", "power")
EXPOSED = {"distance": "distance", "from": "from_", "to": "to"}

Json = dict[str, Any]


class Scenario:
    """A world made from a file, and its queries."""

    def __init__(self, document: Json) -> None:
        self.document = document
        self.world = fr.World(document["levels"], anchor=document.get("anchor", ""))
        self.types: dict[str, int] = {}
        self.names: dict[int, str] = {0: "air"}
        self._add_types(document.get("block_types", {}))
        self._respond(document.get("responses", {}))
        self.rules = {n: NamedRules(r, self.types) for n, r in document.get("rules", {}).items()}
        for chunk in document.get("chunks", []):
            self._load(chunk)
        for entity in document.get("entities", []):
            self._add(entity)

    def _add_types(self, types: Json) -> None:
        for name, kinds in types.items():
            is_look = isinstance(kinds, str) or "default" not in kinds
            by_channel = {"default": kinds} if is_look else dict(kinds)
            if name == "air" and all(each == "empty" for each in by_channel.values()):
                for channel in by_channel:
                    self.world.block_types.add_channel(channel)
                self.types[name] = fr.AIR
                continue
            # "air" is the name of the library's own type.
            unused = name
            while unused == "air" or (unused != name and unused in types):
                unused += "'"
            boxes = {channel: boxes_of(each) for channel, each in by_channel.items()}
            own = {c: each for c, each in boxes.items() if each is not None and c != "default"}
            channels = {channel: kind_of(each) for channel, each in by_channel.items()}
            kind = channels.pop("default")
            self.types[name] = self.world.block_types.add(
                unused, kind, channels, boxes["default"], own
            )
            self.names[self.types[name]] = name

    def _respond(self, responses: dict[str, str]) -> None:
        for name, response in responses.items():
            if response in RESPONSES:
                self.world.on_block_hit(self.types[name], constant(RESPONSES[response]))
        for name, response in RESPONSES.items():
            self.world.on_entity_hit(CLASSES[name], constant(response))

    def _load(self, chunk: Json) -> None:
        level, at = chunk["level"], chunk["at"]
        if chunk.get("state") == "proto":
            if self.world.chunk(level, at).state == fr.ChunkState.LOADED:
                self.world.unload_chunk(level, at)
            self.world.load_proto_chunk(level, at)
            return
        fill = chunk.get("fill", "air")
        ids = np.full((16, 16, 16), self.types.get(fill, fr.AIR), np.uint16)
        for low, high, name in chunk.get("boxes", []):
            ids[tuple(slice(a, b + 1) for a, b in zip(low, high))] = self.types[name]
        for block, name in chunk.get("blocks", []):
            ids[tuple(block)] = self.types[name]
        self.world.load_chunks(level, at, ids)

    def _add(self, entity: Json) -> None:
        is_sphere = entity["shape"] == "sphere"
        shape = fr.Sphere(entity["radius"]) if is_sphere else fr.Box(entity["half_extents"])
        self.world.entities.add(
            entity["id"],
            shape,
            entity["center"],
            level=entity["level"],
            categories=entity.get("categories", 1),
            entity_class=CLASSES[entity.get("response", "continue")],
        )

    def answers(self) -> list[Json]:
        return [self.answer(query) for query in self.document["queries"]]

    def answer(self, query: Json) -> Json:
        try:
            return {"id": query["id"], **getattr(self, "_" + query["op"] + "_answer")(query)}
        except fr.FractalrayError as error:
            return {"id": query["id"], "error": f"{error.code}: {error}"}

    def _shoot_answer(self, query: Json) -> Json:
        line, levels = line_of(query), [level for level in query["levels"] if level < 10]
        rules = self.rules[query["rules"]] if "rules" in query else None
        shot = self.world.shoot(line, levels, self._options(query, rules))
        answer: Json = {
            "hits": [hit_json(hit, self.names) for hit in shot],
            "terminated": shot.terminated,
        }
        if query.get("spans"):
            options = self._options(query, rules)
            for hit, json_hit in zip(shot, answer["hits"]):
                json_hit["spans"] = self.world.hit_spans(shot.line, hit, options).tolist()
        if "max_hits" in query:
            answer["truncated"] = shot.truncated
        if rules is not None:
            answer["budgets"] = rules.named(shot.budgets)
            answer["stopped_at"] = shot.stopped_at
        if query.get("unknown") or query.get("stop_at_unknown"):
            answer["unknown_from"] = shot.unknown_from
        if query.get("level_parts"):
            parts = self.world.level_parts(line, levels)
            answer["level_parts"] = [
                {name: part[name].item() for name in ("level", "t0", "t1")} for part in parts
            ]
        if "origin" in query:
            answer["line"] = line_json(shot.line)
        return answer

    def _options(self, query: Json, rules: NamedRules | None) -> fr.Options:
        known = self.world.block_types.channels()
        channel = query.get("channel", "default")
        plain = {name: query[name] for name in OPTIONS & query.keys()}
        plain |= {f"no_{name}": not query[name] for name in ("blocks", "entities") if name in query}
        return fr.Options(
            corner=CORNERS[query.get("corner", "both")],
            channel=known.index(channel) if channel in known else fr.DEFAULT_CHANNEL,
            rules=rules and rules.rules,
            budgets=rules and rules.amounts(query.get("budgets", {})),
            report_unknown=query.get("unknown", False),
            **plain,
        )

    def _view_of(self, query: Json) -> tuple[fr.SightQuery, list[int], fr.SightOptions]:
        """Returns a query of sight, its levels and its options."""
        known = self.world.block_types.channels()
        channel = query.get("channel", "default")
        plain = {name: query[name] for name in SIGHT_OPTIONS & query.keys()}
        plain.update(no_blocks=not query.get("blocks", True))
        options = fr.SightOptions(
            channel=known.index(channel) if channel in known else fr.DEFAULT_CHANNEL,
            unloaded=UNLOADED.get(query.get("unloaded", "report"), -1),  # type: ignore[arg-type]
            occluders=[units_of(box) for box in query.get("occluders", [])]
            + query.get("occluder_units", []),
            **plain,
        )
        levels = [level for level in query["levels"] if level < 10]
        eye, box = query.get("eye_units"), query.get("box_units")
        if eye is None:
            eye = fr.SightQuery(query["eye"], query["eye"], query["eye"]).eye_units
        return fr.SightQuery.units(eye, *(box or units_of(query["box"]))), levels, options

    def _visible_answer(self, query: Json) -> Json:
        view = self._view_of(query)
        sight, witness = self.world.find_witness(*view)
        answer: Json = {"sight": sight.name.lower()}
        if witness is not None:
            delta = [each if -(1 << 63) <= each < 1 << 63 else str(each) for each in witness.delta]
            answer["witness"] = {"delta": delta, "unit": witness.is_unit}
        if query.get("certificate") and sight == fr.Sight.HIDDEN:
            boxes = self.world.find_certificate(*view)
            answer["certificate"] = [[box["min"].tolist(), box["max"].tolist()] for box in boxes]
        return answer

    def _exposure_answer(self, query: Json) -> Json:
        low, high = self.world.exposure(*self._view_of(query))
        return {"from": low, "to": high}

    def _blast_answer(self, query: Json) -> Json:
        resistances = [fr.UNBREAKABLE] * (max(self.names, default=0) + 1)
        for name, resistance in query["resistances"].items():
            resistances[self.types[name]] = resistance
        blast = self.world.blast(
            query["center"],
            query["radius"],
            rays_of(query["rays"]),
            resistances,
            query.get("falloff", 0),
            [level for level in query["levels"] if level < 10],
            self._options(query, None),
            max_samples=min(query.get("max_samples", MOST_CROSSINGS), MOST_CROSSINGS),
        )
        return {
            "blocks": [
                {**{name: block[name].tolist() for name in BROKEN}, "type": self.names[block["type"]]}
                for block in blast.blocks
            ],
            "entities": [
                {"entity": one["id"].item(), **{n: one[each].item() for n, each in EXPOSED.items()}}
                for one in blast.entities
            ],
            "samples": blast.samples,
            "reaches_unknown": blast.reaches_unknown,
        }

    def _walk_answer(self, query: Json) -> Json:
        corner = CORNERS[query.get("corner", "both")]
        walk = fr.Walk(query["from"], query["to"], query.get("cell", 1), corner)
        if walk.crossings > MOST_CROSSINGS:
            raise fr.ResourceExhaustedError(f"the walk crosses {walk.crossings} planes")
        cells = walk.cells()
        faces = zip(cells["face_axis"].tolist(), cells["face_sign"].tolist())
        rows = zip(cells["cell"].tolist(), cells["t"].tolist(), faces)
        return {
            "cells": [
                {"cell": cell[: walk.dimensions], "t": t, "face": face_name(*face)}
                for cell, t, face in rows
            ]
        }

    def _entity_chunks_answer(self, query: Json) -> Json:
        entity = self.world.entities.find(query["entity"])
        chunks = self.world.entities.chunks(entity).tolist()
        return {"index_level": self.world.entities.info(entity).index_level, "chunks": chunks}

    def _descend_answer(self, query: Json) -> Json:
        return self._move_answer(self.world.window.descend(query["chunk"]))

    def _climb_answer(self, query: Json) -> Json:
        return self._move_answer(self.world.window.climb())

    def _recenter_answer(self, query: Json) -> Json:
        return self._move_answer(self.world.window.recenter(query["chunk"]))

    def _move_answer(self, move: fr.WindowMove) -> Json:
        return {
            "anchor": self.world.window.anchor,
            "evicted": move.evicted,
            "dropped_chunks": move.dropped_chunks,
        }

    def _load_answer(self, query: Json) -> Json:
        self._load(query["chunk"])
        return {}

    def _add_answer(self, query: Json) -> Json:
        self._add(query["entity"])
        return {}

    def _path_answer(self, query: Json) -> Json:
        return {"path": self.world.window.path(query["level"], query["chunk"])}


class NamedRules:
    """Terminal rules whose budgets have names."""

    def __init__(self, rules: Json, types: dict[str, int]) -> None:
        self.rules = fr.Rules()
        self.start = dict(rules.get("budgets", {}))
        self.budgets = {name: self.rules.add_budget(each) for name, each in self.start.items()}
        for rule in rules.get("blocks", []):
            self.rules.set_block(types[rule["type"]], self._rule(rule), rule.get("levels"))
        for rule in rules.get("entities", []):
            self.rules.set_entities(rule["categories"], self._rule(rule), rule.get("levels"))

    def _rule(self, rule: Json) -> fr.Rule:
        if "response" in rule:
            return fr.Rule.stop() if rule["response"] == "stop" else fr.Rule.proceed()
        costs = {name: rule[name] for name in rule.keys() - {"type", "categories", "levels", "budget"}}
        return fr.Rule.cost(self.budgets[rule["budget"]], **costs)

    def amounts(self, changed: dict[str, float]) -> list[float]:
        return [float({**self.start, **changed}[name]) for name in self.budgets]

    def named(self, amounts: list[float] | None) -> dict[str, float]:
        assert amounts is not None
        return {name: amounts[self.budgets[name]] for name in sorted(self.budgets)}


def constant(response: fr.Response) -> fr.Effect:
    return lambda hit: response


def line_of(query: Json) -> fr.Line:
    if "origin" not in query:
        return fr.Line.segment(query["from"], query["to"])
    limit = query["max_distance"]
    distance = math.inf if limit is None else limit
    return fr.Line.ray(query["origin"], query["direction"], distance, query.get("bounds"))


def rays_of(rays: Any) -> Any:
    if isinstance(rays, dict):
        return fr.cube_fan(rays["cube"], rays["step"], rays["power"])
    return np.array([(ray["step"], ray["power"]) for ray in rays], fr.BLAST_RAY)


def units_of(box: Json) -> list[tuple[int, int, int]]:
    return list(fr.SightQuery(box[0], box[0], box[1]).box_units)


def line_json(line: fr.Line) -> Json:
    start = line.start_units
    delta = [b - a for a, b in zip(start, line.end_units)]
    return {"from": list(start), "delta": delta, "t_end": line.end_time}


def face_name(axis: int, sign: int) -> str | None:
    return None if axis < 0 else ("+" if sign > 0 else "-") + "xyz"[axis]


def kind_of(look: Json) -> fr.Kind:
    return KINDS[look if isinstance(look, str) else look["kind"]]


def boxes_of(look: Json) -> Json:
    """Returns the boxes of a shape; the whole cube for an object without, None for a word."""
    return None if isinstance(look, str) else look.get("boxes", [[[0, 0, 0], [1, 1, 1]]])


def hit_json(hit: fr.Hit, names: dict[int, str]) -> Json:
    if hit.is_block:
        answer: Json = {"kind": "block", "level": hit.level, "block": list(hit.block)}
        answer["type"] = names[hit.type]
    else:
        answer = {"kind": "entity", "entity": hit.id, "level": hit.level}
    answer.update(t=hit.t, t_exit=hit.t_exit)
    if hit.is_block or hit.is_box:
        answer["face"] = hit.face
    answer["terminal"] = hit.terminal
    answer["point"] = list(hit.point)
    answer["normal"] = None if hit.normal is None else list(hit.normal)
    answer["distance"] = hit.distance
    return answer


def read(path: Path) -> Scenario:
    return Scenario(json.loads(path.read_text(encoding="utf-8")))

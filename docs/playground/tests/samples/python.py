# SPDX-License-Identifier: Apache-2.0
"""The program in which a sample of the playground in Python is: its world. sample_programs.mjs puts shots after it, which print."""

import fractalray as fr

KINDS = (fr.Kind.SOLID, fr.Kind.PERMEABLE, fr.Kind.EMPTY)


def startWorld(levels):
    global world, bullet, parts, kinds, shapes, types
    world, bullet = fr.World(levels), fr.Rules()
    parts, kinds, shapes, types = [], {}, {}, [fr.AIR]


def mark(shot):
    print("=", shot)


def take_shape(has_parts):
    global parts
    if not has_parts:
        return None
    taken, parts = parts, []
    return taken


def addChannel(name):
    world.block_types.add_channel(name)


def part(*corners):
    parts.append([corners[:3], corners[3:]])


def kindIn(channel, kind, has_parts):
    shape = take_shape(has_parts)
    kinds[channel] = KINDS[kind]
    # A shape of its own: a whole cube would else have that of the type.
    shapes[channel] = [[(0, 0, 0), (1, 1, 1)]] if shape is None else shape


def addType(name, kind, has_parts):
    shape = take_shape(has_parts)
    types.append(world.block_types.add(name, KINDS[kind], kinds, shape, shapes))
    kinds.clear()
    shapes.clear()


def chunk(level, *at):
    world.load_uniform_chunk(level, at, fr.AIR)


def fill(level, x0, y0, z0, x1, y1, z1, number):
    world.fill_box(level, (x0, y0, z0), (x1, y1, z1), types[number])


def sphere(number, level, categories, x, y, z, radius):
    world.entities.add(number, fr.Sphere(radius), (x, y, z), level=level, categories=categories)


def box(number, level, categories, x, y, z, *half_extents):
    world.entities.add(number, fr.Box(half_extents), (x, y, z), level=level, categories=categories)


def budget(amount):
    global strength
    strength = bullet.add_budget(amount)


def costOfType(name, per_hit, per_block, per_pane):
    rule = fr.Rule.cost(strength, per_hit=per_hit, per_block=per_block, per_pane=bool(per_pane))
    bullet.set_block(world.block_types[name], rule)


def costOfEntities(categories, per_hit):
    bullet.set_entities(categories, fr.Rule.cost(strength, per_hit=per_hit))



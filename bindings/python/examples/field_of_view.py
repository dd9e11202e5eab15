# SPDX-License-Identifier: Apache-2.0
"""What does a watchman see? A field of view on a map, and a depth image, with Matplotlib.

    python3 field_of_view.py                    # shows a window
    python3 field_of_view.py --out view.png     # writes a picture

The cells (# %%) can be run one by one in an editor that knows them.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass

import fractalray as fr
import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LightSource

SIZE, HEIGHT, SEA = 256, 80, 18
SKY = (0.62, 0.76, 0.90)
SUN = np.array([-0.55, 0.62, -0.56])
COLORS = {
    "air": SKY,
    "stone": (0.52, 0.50, 0.49),
    "grass": (0.42, 0.58, 0.27),
    "sand": (0.85, 0.78, 0.58),
    "snow": (0.95, 0.96, 0.98),
    "water": (0.22, 0.42, 0.62),
    "trunk": (0.40, 0.29, 0.18),
    "leaves": (0.20, 0.42, 0.19),
}
IDS = {name: number for number, name in enumerate(COLORS)}


@dataclass
class Island:
    """An engine's array of ids, with the axes x, y (up) and z, and the ground in each column."""

    ids: np.ndarray
    ground: np.ndarray


# %% An island: smooth noise, higher in the middle, and trees. Nothing here is about fractalray.
def smooth_noise(rng: np.random.Generator) -> np.ndarray:
    """Returns noise from 0 to 1 whose waves are the weaker, the shorter they are."""
    frequency = np.hypot(*np.meshgrid(np.fft.fftfreq(SIZE), np.fft.fftfreq(SIZE)))
    frequency[0, 0] = np.inf
    waves = np.fft.fft2(rng.standard_normal((SIZE, SIZE))) / frequency**2.1
    noise = np.fft.ifft2(waves).real
    return (noise - noise.min()) / np.ptp(noise)


def make_island(seed: int) -> Island:
    rng = np.random.default_rng(seed)
    across = np.linspace(-1, 1, SIZE)
    edge = np.clip(1.15 - np.hypot(*np.meshgrid(across, across)), 0, 1) ** 0.7
    ground = (4 + 84 * edge * smooth_noise(rng) ** 1.5).clip(0, HEIGHT - 12).astype(int)
    y = np.arange(HEIGHT)[None, :, None]
    top = ground[:, None, :]
    cover = np.select([top <= SEA + 1, top >= 46], [IDS["sand"], IDS["snow"]], IDS["grass"])
    ids = np.select(
        [y < top - 1, y <= top, y <= SEA], [IDS["stone"], cover, IDS["water"]], IDS["air"]
    ).astype(np.uint8)
    plant_trees(ids, ground, rng)
    return Island(ids, ground)


def plant_trees(ids: np.ndarray, ground: np.ndarray, rng: np.random.Generator) -> None:
    forest = smooth_noise(rng)
    for x, z in rng.integers(4, SIZE - 4, (1500, 2)):
        y = ground[x, z]
        if not SEA + 2 < y < 40 or forest[x, z] < 0.55:
            continue
        crown = ids[x - 2 : x + 3, y + 3 : y + 6, z - 2 : z + 3]
        crown[crown == IDS["air"]] = IDS["leaves"]
        ids[x - 1 : x + 2, y + 6, z - 1 : z + 2] = IDS["leaves"]
        ids[x, y + 1 : y + 5, z] = IDS["trunk"]


def build_tower(island: Island) -> np.ndarray:
    """Builds a tower on the highest ground. Returns the eye of the watchman on top."""
    x, z = np.unravel_index(np.argmax(island.ground), island.ground.shape)
    top = min(island.ground[x, z] + 16, HEIGHT - 3)
    island.ids[x - 1 : x + 2, island.ground[x, z] : top, z - 1 : z + 2] = IDS["trunk"]
    return np.array([x + 0.5, top + 1.7, z + 0.5])


# %% The world reads the array in place: no copy, and no loop over blocks.
def make_world(island: Island) -> fr.World:
    world = fr.World(executor=fr.Executor())
    types = [fr.AIR] + [world.block_types.add(name) for name in list(COLORS)[1:]]
    world.load_chunks(0, (0, 0, 0), island.ids, types=types, source=fr.Source.BORROW)
    return world


# %% A line of sight from the eye to the top of each column of the map: 65,536 of them, one call.
def field_of_view(world: fr.World, island: Island, eye: np.ndarray) -> np.ndarray:
    """Returns which columns of the map are seen."""
    surface = np.maximum(island.ground, SEA)
    x, z = np.meshgrid(np.arange(SIZE), np.arange(SIZE), indexing="ij")
    targets = np.stack([x + 0.5, surface + 1.05, z + 0.5], axis=-1).reshape(-1, 3)
    sights = world.occluded_many(fr.Lines.segments(eye, targets))
    return (sights.answers == fr.Occlusion.CLEAR).reshape(SIZE, SIZE)


# %% A picture: a ray for each pixel, and from its hit a line of sight to the sun.
@dataclass
class View:
    depth: np.ndarray  # in blocks; NaN where there is nothing
    colors: np.ndarray


def camera_rays(heading: float, pitch: float, width: int, height: int) -> np.ndarray:
    """Returns the directions of the pixels; the heading is clockwise from +z, in degrees."""
    a, b = np.radians([heading, pitch])
    forward = np.array([np.sin(a) * np.cos(b), np.sin(b), np.cos(a) * np.cos(b)])
    right = np.array([np.cos(a), 0, -np.sin(a)])
    up = np.cross(forward, right)
    across = np.linspace(-1, 1, width)[None, :, None]
    upwards = np.linspace(1, -1, height)[:, None, None] * height / width
    return forward + 0.8 * (across * right + upwards * up)


def look(world: fr.World, eye: np.ndarray, rays: np.ndarray) -> View:
    shape = rays.shape[:2]
    hits = world.closest_hits(fr.Lines.rays(eye, rays.reshape(-1, 3), 400.0)).hits
    found = hits["kind"] != fr.HitKind.NONE
    depth = np.where(found, hits["distance"], np.nan)
    colors = np.tile(SKY, (len(hits), 1))
    colors[found] = shade(world, hits[found])
    haze = np.clip(np.nan_to_num(depth) / 400, 0, 1)[:, None] ** 1.5
    colors = colors * (1 - haze) + np.array(SKY) * haze
    return View(depth.reshape(shape), colors.reshape(*shape, 3))


def shade(world: fr.World, hits: np.ndarray) -> np.ndarray:
    """Returns the colours of hits: those of the blocks, darker where the sun does not reach."""
    starts = hits["point"] + 0.01 * hits["normal"]
    sun = world.occluded_many(fr.Lines.segments(starts, starts + 200 * SUN))
    reached = sun.answers != fr.Occlusion.BLOCKED  # UNKNOWN beyond the loaded chunks: the sky
    lit = reached * np.maximum(hits["normal"] @ SUN, 0)
    palette = np.array(list(COLORS.values()))
    return palette[hits["type"]] * (0.45 + 0.75 * lit)[:, None].clip(0, 1.2)


# %% The figure.
def draw_map(axes: plt.Axes, island: Island, seen: np.ndarray, eye: np.ndarray) -> None:
    columns = np.argmax(island.ids[:, ::-1, :] != IDS["air"], axis=1)
    top = HEIGHT - 1 - columns
    x, z = np.indices(top.shape)
    palette = np.array(list(COLORS.values()))[island.ids[x, top, z]]
    light = LightSource(azdeg=315, altdeg=40)
    colors = light.shade_rgb(palette, top.astype(float), vert_exag=0.7, blend_mode="soft")
    colors[~seen] = colors[~seen] * 0.3 + np.array([0.07, 0.08, 0.14]) * 0.7
    axes.imshow(colors.transpose(1, 0, 2), origin="lower", extent=(0, SIZE, 0, SIZE))
    axes.plot(eye[0], eye[2], "o", ms=8, mfc="#ffdd33", mec="black")
    share = 100 * np.count_nonzero(seen) / seen.size
    axes.set_title(f"Field of view: {share:.0f}% of {seen.size:,} columns are seen")


def draw_cone(axes: plt.Axes, eye: np.ndarray, rays: np.ndarray) -> None:
    """Draws the edges of the camera's view on the map."""
    for direction in (rays[0, 0], rays[0, -1]):
        x, z = direction[[0, 2]] / np.hypot(*direction[[0, 2]]) * 130
        axes.plot([eye[0], eye[0] + x], [eye[2], eye[2] + z], color="#ffdd33", lw=1, ls="--")
    axes.set(xlim=(0, SIZE), ylim=(0, SIZE), xlabel="x, in blocks", ylabel="z, in blocks")


def draw_view(figure: plt.Figure, axes: list[plt.Axes], view: View) -> None:
    axes[0].imshow(view.colors.clip(0, 1))
    axes[0].set_title("The view: a closest hit and a line of sight to the sun for each pixel")
    depth = axes[1].imshow(view.depth, cmap="magma_r")
    axes[1].set_title("Its depth image: the distance of each hit")
    axes[1].set_facecolor("#dfe6ee")
    scale = axes[1].inset_axes((0.68, 0.91, 0.28, 0.035))
    figure.colorbar(depth, cax=scale, orientation="horizontal", label="blocks")
    for each in axes:
        each.set(xticks=[], yticks=[])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", help="write the picture to this file")
    parser.add_argument("--seed", type=int, default=11, help="another island")
    parser.add_argument("--width", type=int, default=640, help="the pixels of a row of the view")
    arguments = parser.parse_args()
    if arguments.out:
        matplotlib.use("Agg")

    island = make_island(arguments.seed)
    eye = build_tower(island)
    world = make_world(island)
    rays = camera_rays(94, -22, arguments.width, arguments.width * 9 // 16)
    seen = field_of_view(world, island, eye)
    view = look(world, eye, rays)
    print(f"{np.count_nonzero(seen)} of {seen.size} columns are seen from {eye}")
    print(f"{np.count_nonzero(~np.isnan(view.depth))} of {view.depth.size} rays hit a block")

    figure = plt.figure(figsize=(15, 7.4), layout="constrained")
    grid = figure.add_gridspec(2, 2, width_ratios=(1.1, 1))
    map_axes = figure.add_subplot(grid[:, 0])
    draw_map(map_axes, island, seen, eye)
    draw_cone(map_axes, eye, rays)
    draw_view(figure, [figure.add_subplot(grid[i, 1]) for i in range(2)], view)
    figure.savefig(arguments.out, dpi=80) if arguments.out else plt.show()


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""The three bakes, compared with slow answers and on scenes whose answers are known."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import fractalray as fr
import numpy as np
import pytest
from fractalray import bake
from fractalray.bake.colors import color_of, read_colors
from fractalray.bake.png import png_of
from fractalray.bake.sky_light import directions
from fractalray.bake.tiles import halved
from test_bake_support import CHUNK, FIRST, HILLS, WIDTH, Hills, hills

UNIT = fr.UNITS_PER_BLOCK
ALL = bake.Region((-3, -1, -4), (3, 1, 2))
REGION = bake.Region((-2, -1, -3), (-1, 1, -2))


@dataclass(frozen=True)
class Scene(bake.Source):
    """A plain of 5 x 2 x 5 chunks, 16 high, with boxes of stone on it."""

    boxes: tuple[tuple[tuple[int, int, int], tuple[int, int, int]], ...] = ()
    water: bool = False

    def identity(self) -> str:
        return repr(self)

    def extent(self) -> bake.Extent:
        return bake.Extent(np.array([(x, z) for x in range(5) for z in range(5)]), (0, 1))

    @contextmanager
    def world(self, box: bake.Region) -> Iterator[fr.World]:
        world = fr.World()
        stone = world.block_types.add("default:stone")
        water = world.block_types.add("default:water_source", fr.Kind.PERMEABLE)
        world.block_types.add_channel("visible")
        for x, z in np.ndindex(5, 5):
            world.load_uniform_chunk(0, (x, 0, z), stone)
            world.load_uniform_chunk(0, (x, 1, z), fr.AIR)
        if self.water:
            world.fill_box(0, (20, 10, 20), (30, 15, 30), water)
        for low, high in self.boxes:
            world.fill_box(0, low, high, stone)
        yield world


MIDDLE = bake.Region((1, 0, 1), (3, 1, 3))


def baked(job: bake.Job, source: bake.Source, region: bake.Region) -> dict[str, np.ndarray]:
    with source.world(region.grown(job.halo)) as world:
        return dict(job.run(world, region))


def at(array: np.ndarray, region: bake.Region, x: int, z: int) -> np.ndarray:
    """Returns the element of a column of blocks."""
    return array[x - region.low_block[0], z - region.low_block[2]]


def test_heights_are_those_of_the_blocks() -> None:
    solid = hills(1)
    for job in (bake.MapTiles(), bake.SkyLight(rays=1, near_rays=1)):
        height = baked(job, HILLS, ALL)["height"]
        expected = solid.shape[1] - 1 - np.argmax(solid[:, ::-1], axis=1) + FIRST[1] * CHUNK
        expected[48:64, 64:80] = bake.NOTHING
        assert height.dtype == np.int16 and np.array_equal(height, expected)


def test_a_wall_casts_a_shadow_as_long_as_it_is_high() -> None:
    wall = Scene(boxes=(((40, 16, 20), (40, 20, 59)),))  # 5 high
    color = baked(bake.MapTiles(sun=(-1, 1, 0)), wall, MIDDLE)["color"]
    open_ground = at(color, MIDDLE, 30, 40)
    for x in (41, 42, 43, 44):  # their middles lie up to 4.5 blocks from the wall
        assert (at(color, MIDDLE, x, 40)[:3] < open_ground[:3]).all()
    assert at(color, MIDDLE, 47, 40).tolist() == open_ground.tolist()
    assert at(color, MIDDLE, 38, 40).tolist() == open_ground.tolist()
    assert (at(color, MIDDLE, 40, 40)[:3] > open_ground[:3]).all()  # a slope towards the sun
    other = baked(bake.MapTiles(sun=(1, 1, 0)), wall, MIDDLE)["color"]
    assert (at(other, MIDDLE, 38, 40)[:3] < open_ground[:3]).all()
    short = baked(bake.MapTiles(sun=(-1, 1, 0), reach=2), wall, MIDDLE)["color"]
    assert (at(short, MIDDLE, 41, 40)[:3] < open_ground[:3]).all()
    assert at(short, MIDDLE, 44, 40).tolist() == open_ground.tolist()


def test_water_is_darker_the_deeper_it_is() -> None:
    shallow = Scene(water=True, boxes=(((20, 10, 20), (25, 14, 30)),))
    made = baked(bake.MapTiles(), shallow, MIDDLE)
    blue = np.array(color_of("default:water_source"), int)
    near, deep = (at(made["color"], MIDDLE, x, 25)[:3].astype(int) for x in (24, 28))
    assert at(made["height"], MIDDLE, 24, 25) == at(made["height"], MIDDLE, 28, 25) == 15
    assert abs(deep - blue).sum() < abs(near - blue).sum()
    ground = baked(bake.SkyLight(rays=1, near_rays=1), shallow, MIDDLE)["height"]
    assert (at(ground, MIDDLE, 24, 25), at(ground, MIDDLE, 28, 25)) == (14, 9)


def test_light_of_a_plain_of_a_wall_and_of_a_shaft() -> None:
    scene = Scene(boxes=(((40, 16, 16), (42, 31, 63)),))
    plain = baked(bake.SkyLight(), Scene(), MIDDLE)
    assert (plain["sky"] == 255).all() and (plain["ambient"] == 255).all()
    wall = baked(bake.SkyLight(), scene, MIDDLE)
    assert 120 < at(wall["sky"], MIDDLE, 39, 40) < 200
    assert 100 < at(wall["ambient"], MIDDLE, 39, 40) < 200
    assert at(wall["ambient"], MIDDLE, 30, 40) == 255 > at(wall["sky"], MIDDLE, 30, 40)
    sky = [int(at(wall["sky"], MIDDLE, x, 40)) for x in range(20, 40)]
    assert sky == sorted(sky, reverse=True)


def test_a_straight_ridge_is_bright_wherever_it_is() -> None:
    """The bright lines in the picture of light are ridges, not borders of chunks or regions."""
    profiles = set()
    for crest in (37, 40, 47, 48):
        roof = tuple(((crest - d, 16, 0), (crest + d, 20 - d, 79)) for d in range(5))
        sky = baked(bake.SkyLight(), Scene(boxes=roof), MIDDLE)["sky"]
        profiles.add(tuple(int(at(sky, MIDDLE, x, 40)) for x in range(crest - 8, crest + 9)))
    (profile,) = profiles
    assert profile[8] > max(profile[7], profile[9])


def test_light_is_a_count_of_rays() -> None:
    job = bake.SkyLight(rays=7, reach=20, near_rays=5, near=3)
    made = baked(job, HILLS, REGION)
    rays = {"sky": directions(7, 20), "ambient": directions(5, 3, by_cosine=True)}
    with HILLS.world(REGION) as world:
        for x, z in ((-32, -48), (-20, -33), (-7, -18), (-1, -17)):
            y = int(at(made["height"], REGION, x, z))
            eye = np.array([x, y + 1, z]) * UNIT + (UNIT // 2, UNIT // 32, UNIT // 2)
            for name, deltas in rays.items():
                lines = (fr.Line.units(eye.tolist(), (eye + delta).tolist()) for delta in deltas)
                clear = sum(world.occluded(line) != fr.Occlusion.BLOCKED for line in lines)
                assert at(made[name], REGION, x, z) == clear * 255 // len(deltas)


def test_directions_are_even_and_upwards() -> None:
    for by_cosine, mean in ((False, 1 / 2), (True, 2 / 3)):
        vectors = directions(1000, 10, by_cosine=by_cosine) / (10 * UNIT)
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
        assert (vectors[:, 1] > 0).all()
        assert np.allclose(vectors.mean(axis=0), (0, mean, 0), atol=0.01)
    assert directions(3, 1).tolist() == directions(3, 1).tolist()


@pytest.mark.parametrize("eyes", [1, 2])
def test_sight_is_that_of_visible(eyes: int, tmp_path: Path) -> None:
    job = bake.ChunkSight(radius=2, eyes=eyes)
    bake.run(job, HILLS, tmp_path, width=3)
    made = bake.collect(tmp_path)
    table = bake.SightTable(tmp_path)
    options = fr.SightOptions(unloaded=fr.Unloaded.TRANSPARENT)
    blocks = {1: [8], 2: [4, 12]}[eyes]
    with HILLS.world(ALL) as world:
        loaded = world.loaded_chunks(0)
        for chunk in ((-3, -1, -4), (1, 0, 0), (-1, 1, 1), (3, 1, 2), (2, -1, -1)):
            seen = []
            for other in loaded[(abs(loaded - chunk) <= 2).all(axis=1)]:
                low, high = other * CHUNK, (other + 1) * CHUNK
                answers = [
                    world.visible(fr.SightQuery(eye, low, high), options=options)
                    for x in blocks
                    for y in blocks
                    for z in blocks
                    for eye in [np.array(chunk) * CHUNK + (x + 0.5, y + 0.5, z + 0.5)]
                ]
                if fr.Sight.VISIBLE in answers:
                    seen.append(tuple(other))
            assert {tuple(each) for each in table.seen_from(chunk)} == set(seen)
            assert all(table.sees(chunk, other) for other in seen)
            assert not table.sees(chunk, (99, 0, 0)) and table.sees(chunk, chunk)
            x, y, z = np.array(chunk) - FIRST
            assert np.load(made.arrays["count"])[x, z, y] == len(seen)
    assert len(table.seen_from((0, 0, 0))) == 0  # no chunks there
    with pytest.raises(fr.NotFoundError, match="outside"):
        table.seen_from((4, 0, 0))
    with pytest.raises(TypeError, match="the other chunk is 1; it must be three"):
        table.sees((0, 0, 1), 1)  # type: ignore[arg-type]


def test_sight_of_a_part_of_the_world_is_that_of_the_whole(tmp_path: Path) -> None:
    job, part = bake.ChunkSight(radius=1), tmp_path / "part"
    bake.run(job, HILLS, tmp_path / "whole", width=3)
    bake.run(job, Hills(whole=False), part, width=2, box=((-1, 0, -2), (1, 0, -1)))
    tables = []
    for out in (tmp_path / "whole", part):
        bake.collect(out)
        tables.append(bake.SightTable(out))
    for chunk in ((-1, 0, -2), (0, 0, -1), (1, 0, -1)):
        seen = [table.seen_from(chunk).tolist() for table in tables]
        assert seen[0] == seen[1] and any(y == 1 for _, y, _ in seen[0])


def test_a_table_of_sight_is_that_of_the_last_collect(tmp_path: Path) -> None:
    box = ((-1, 0, -2), (0, 0, -1))
    bake.run(bake.ChunkSight(radius=1), HILLS, tmp_path, box=box)
    with pytest.raises(fr.NotFoundError, match="collect it first"):
        bake.SightTable(tmp_path)
    bake.collect(tmp_path)
    before = bake.SightTable(tmp_path).seen_from((0, 0, -1)).tolist()
    bake.run(bake.ChunkSight(radius=2), HILLS, tmp_path, box=box)
    assert bake.SightTable(tmp_path).radius == 1
    assert bake.SightTable(tmp_path).seen_from((0, 0, -1)).tolist() == before
    bake.collect(tmp_path)
    assert bake.SightTable(tmp_path).radius == 2
    bake.run(bake.SkyLight(rays=1), HILLS, tmp_path / "light", box=box)
    bake.collect(tmp_path / "light")
    with pytest.raises(fr.NotFoundError, match="a bake of light; give one of sight"):
        bake.SightTable(tmp_path / "light")


def test_a_table_of_sight_is_whole_if_a_collect_comes_between(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    box, load, calls = ((-1, 0, -2), (0, 0, -1)), np.load, []

    def collect_and_load(path: Path, **options: str) -> np.ndarray:
        calls.append(path)
        if len(calls) == 1:
            bake.run(bake.ChunkSight(radius=2), HILLS, tmp_path, box=box)
            bake.collect(tmp_path, pictures=False)
        return load(path, **options)

    bake.run(bake.ChunkSight(radius=1), HILLS, tmp_path, box=box)
    bake.collect(tmp_path)
    monkeypatch.setattr(np, "load", collect_and_load)
    table = bake.SightTable(tmp_path)
    assert table.radius == 2 and len(calls) == 2
    seen = [each.seen_from((0, 0, -1)).tolist() for each in (table, bake.SightTable(tmp_path))]
    assert seen[0] == seen[1]


def test_what_is_farther_than_the_halo_does_not_matter() -> None:
    """All that lies outside of the region and its halo is made solid."""
    region = bake.Region((2, 0, 2), (2, 1, 2))
    jobs = (bake.MapTiles(reach=15), bake.SkyLight(reach=15), bake.ChunkSight(radius=1))
    scene = Scene(boxes=(((30, 16, 30), (33, 25, 33)), ((44, 16, 40), (44, 22, 47))))
    for job in jobs:
        assert job.halo == 1
        with scene.world(ALL) as world:
            before = job.run(world, region)
            stone = world.block_types["default:stone"]
            for x, y, z in np.ndindex(5, 4, 5):
                chunk = np.array([x, y - 1, z])
                if (abs(chunk[[0, 2]] - 2) > 1).any() or not -1 <= chunk[1] <= 2:
                    world.load_uniform_chunk(0, chunk, stone)
            world.load_uniform_chunk(0, (2, 3, 2), stone)
            after = job.run(world, region)
        assert all(np.array_equal(before[name], after[name]) for name in before)


def decoded(data: bytes) -> np.ndarray:
    """Returns the pixels of a PNG whose rows have the filter None or Up."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    parts, begin = {}, 8
    while begin < len(data):
        (length,) = struct.unpack(">I", data[begin : begin + 4])
        name, content = data[begin + 4 : begin + 8], data[begin + 8 : begin + 8 + length]
        (check,) = struct.unpack(">I", data[begin + 8 + length : begin + 12 + length])
        assert check == zlib.crc32(name + content)
        parts[name], begin = content, begin + 12 + length
    width, height, *rest = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    assert rest == [8, 6, 0, 0, 0] and list(parts) == [b"IHDR", b"IDAT", b"IEND"]
    rows = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(height, 1 + 4 * width)
    assert (rows[:, 0] == 2).all()
    return np.cumsum(rows[:, 1:], axis=0, dtype=np.uint8).reshape(height, width, 4)


def test_pictures_are_png() -> None:
    pixels = np.random.default_rng(3).integers(0, 256, (5, 7, 4), np.uint8)
    assert np.array_equal(decoded(png_of(pixels)), pixels)


def test_a_halved_picture_leaves_out_what_is_transparent() -> None:
    pixels = np.zeros((2, 4, 4), np.uint8)
    pixels[0, 0] = (200, 100, 0, 255)
    pixels[:, 2:] = (10, 20, 30, 255)
    assert halved(pixels).tolist() == [[[200, 100, 0, 63], [10, 20, 30, 255]]]


def test_tiles_show_north_up_and_the_page_lists_them(tmp_path: Path) -> None:
    bake.run(bake.MapTiles(), HILLS, tmp_path)
    made = bake.collect(tmp_path)
    color = np.load(made.arrays["color"])
    whole = np.zeros((512, 512, 4), np.uint8)  # from x = -256, and z = 255 down
    for i, k in ((-1, -1), (0, -1), (-1, 0), (0, 0)):
        pixels = decoded((tmp_path / f"tiles/map/0/{i}_{k}.png").read_bytes())
        whole[256 * (k + 1) : 256 * (k + 2), 256 * (i + 1) : 256 * (i + 2)] = pixels
    size = WIDTH * CHUNK
    for x, z in ((-48, -64), (-48, 47), (63, -64), (63, 47), (20, -5)):
        assert whole[255 - z, x + 256].tolist() == color[x + 48, z + 64].tolist()
    assert np.count_nonzero(whole[..., 3]) == size * size - 256
    assert (whole[..., 3].any(axis=1).nonzero()[0][[0, -1]] == (255 - 47, 255 + 64)).all()
    assert made.page == tmp_path / "index.html"
    data = (tmp_path / "tiles.js").read_text()
    assert made.hash in data and '"layers":["map","height"]' in data
    assert '"steps":[[[-1,-1],[-1,0],[0,-1],[0,0]]]' in data
    page = made.page.read_text()
    assert "http" not in page.replace("http.server", "") and len(page) < 10_000


def test_colors_are_chosen_by_name_and_by_file(tmp_path: Path) -> None:
    assert color_of("default:water_flowing") == color_of("default:water_source")
    assert color_of("mod:unknown1") == color_of("mod:unknown1") != color_of("mod:unknown2")
    path = tmp_path / "colors.txt"
    path.write_text("# of minetestmapper\ndefault:stone 1 2 3\n\nmod:glass 9 8 7 128 4 # glass\n")
    assert read_colors(path) == (("default:stone", "010203"), ("mod:glass", "090807"))
    dark = baked(bake.MapTiles(colors=read_colors(path)), Scene(), MIDDLE)["color"]
    assert dark[..., :3].max() <= 3
    for line in ("default:stone", "default:stone 1 2", "default:stone 1 2 256"):
        path.write_text(f"a 1 2 3\n{line}\n")
        with pytest.raises(fr.InvalidArgumentError, match="colors.txt:2: "):
            read_colors(path)
    path.write_bytes(b"default:stone 1 2 3 # caf\xe9\n")
    with pytest.raises(fr.InvalidArgumentError, match="colors.txt: .*UTF-8"):
        read_colors(path)
    with pytest.raises(fr.NotFoundError, match="colors.txt"):
        read_colors(tmp_path / "no" / "colors.txt")

-- SPDX-License-Identifier: Apache-2.0
-- Tests of the LuaJIT module. Each function of `tests` is one; a failed assert ends the program.
local fr = require("fractalray")
local shared = require("shared")
local ffi = fr.ffi

local tests = {}

local small_world, along_x = shared.small_world, shared.along_x
local blocks_hit, refuses = shared.blocks_hit, shared.refuses

function tests.closest_hit_returns_all_members()
  local world, types = small_world()
  world:set_block(0, 9, 2, 2, types.stone)
  local hit = world:closest_hit(along_x())
  assert(hit.type == types.stone and hit:is_block() and not hit:is_entity())
  assert(hit:face() == "-x" and hit.distance == 8.5 and hit.point[0] == 9 and hit.normal[0] == -1)
  local x, y, z = hit:block()
  assert(x == 9 and y == 2 and z == 2)
  assert(world:block_type_name(hit.type) == "stone" and world:find_block_type("stone") == types.stone)
  assert(world:closest_hit(fr.segment(0.5, 5.5, 5.5, 15, 5.5, 5.5)) == nil)
end

function tests.shoot_lists_hits_in_order()
  local world, types = small_world()
  world:set_block(0, 5, 2, 2, types.glass)
  world:set_block(0, 9, 2, 2, types.stone)
  world:set_block(0, 12, 2, 2, types.stone)
  local hits, result = world:shoot(along_x())
  assert(blocks_hit(hits) == "5 9" and result.terminated == 1 and hits[2].terminal == 1)
  hits, result = world:shoot(along_x(), nil, {max_hits = 1})
  assert(blocks_hit(hits) == "5" and result.truncated == 1)
end

function tests.shoot_returns_more_hits_than_its_first_buffer_holds()
  local world, types = small_world()
  for chunk = 0, 9 do world:load_chunk(0, chunk, 0, 0, types.glass) end
  local hits = world:shoot(fr.segment(0.5, 2.5, 2.5, 159.5, 2.5, 2.5))
  assert(#hits == 160 and hits[160]:block() == 159 and hits[1].start_inside == 1)
end

function tests.on_hit_edits_and_stops()
  local world, types = small_world()
  for x = 3, 9, 2 do world:set_block(0, x, 2, 2, types.glass) end
  local seen = {}
  local hits, result = world:shoot(along_x(), nil, {on_hit = function(hit)
    local x, y, z = hit:block()
    seen[#seen + 1] = x
    world:set_block(0, x, y, z, fr.AIR)
    if x == 3 then world:set_block(0, 4, y, z, types.glass) end
    return x == 7 and "stop" or nil
  end})
  assert(table.concat(seen, " ") == "3 4 5 7" and blocks_hit(hits) == "3 4 5 7")
  assert(result.terminated == 1 and hits[4].terminal == 1)
  assert(blocks_hit((world:shoot(along_x()))) == "9")
  refuses("on_hit returned go", world.shoot, world, along_x(), nil,
    {on_hit = function() return "go" end})
  refuses("mine", world.shoot, world, along_x(), nil, {on_hit = function() error("mine") end})
end

function tests.a_cursor_returns_hits_one_by_one()
  local world, types = small_world()
  world:set_block(0, 5, 2, 2, types.glass)
  local cursor = world:hits_along(along_x())
  local hit = cursor:next()
  assert(hit:block() == 5)
  world:set_block(0, 7, 2, 2, types.stone)
  assert(cursor:next(hit) == hit and hit:block() == 7)
  assert(cursor:next() == nil)
  assert(cursor:result().hit_count == 2)
  cursor:close()
end

function tests.channels_and_lines_of_sight()
  local world, types = small_world()
  world:set_block(0, 5, 2, 2, types.curtain)
  assert(world:occluded(along_x()) == "clear")
  assert(world:occluded(along_x(), nil, {channel = world:add_channel("sight")}) == "blocked")
  local beyond = fr.segment(0.5, 2.5, 2.5, 100, 2.5, 2.5)
  assert(world:occluded(beyond, nil, {report_unknown = true}) == "unknown")
  local _, unknown_from = world:closest_hit(beyond, nil, {report_unknown = true, solid_only = true})
  assert(math.abs(unknown_from - 15.5 / 99.5) < 1e-12)
end

function tests.borrowed_ids_are_read_in_place()
  local world, types = small_world()
  local ids = ffi.new("uint16_t[4096]")
  world:load_chunk(0, 0, 0, 0, {borrow = ids})
  ids[9 + 16 * 2 + 256 * 2] = types.stone
  world:refresh_block(0, 9, 2, 2)
  assert(world:closest_hit(along_x()):block() == 9 and world:get_block(0, 9, 2, 2) == types.stone)
  refuses("FAILED_PRECONDITION", world.set_block, world, 0, 1, 1, 1, types.stone)
  world:load_chunk(0, 0, 0, 0, {borrow = ids, writable = true})
  world:set_block(0, 9, 2, 2, fr.AIR)
  assert(ids[9 + 16 * 2 + 256 * 2] == 0)
end

function tests.a_box_of_ids_is_copied()
  local world, types = small_world()
  for element, known in pairs({uint8_t = {[0] = fr.AIR, types.glass, types.stone},
    uint16_t = false, uint32_t = {[0] = fr.AIR, types.glass, types.stone}}) do
    local ids = ffi.new(element .. "[?]", 20 * 3 * 2)
    ids[19 + 20 * 2 + 60 * 1] = known and 2 or types.stone  -- the last block of the box
    ids[1] = known and 1 or types.glass
    world:load_box(0, 10, -1, 5, 29, 1, 6, ids, known or nil)
    assert(world:get_block(0, 29, 1, 6) == types.stone and world:get_block(0, 11, -1, 5) == types.glass)
    assert(world:get_block(0, 10, -1, 5) == fr.AIR)
    world:load_box(0, 10, -1, 5, 29, 1, 6, ffi.new("uint16_t[120]"))
    assert(world:get_block(0, 29, 1, 6) == fr.AIR)
  end
  refuses("INVALID_ARGUMENT", world.load_box, world, 0, 0, 0, 0, 0, 0, 0, ffi.new("uint8_t[1]", 7), {[0] = fr.AIR})
end

-- Loads a chunk of one block type from an array that nothing else keeps.
local function lend_chunk(world, x, block_type)
  local ids = ffi.new("uint16_t[4096]")
  for i = 0, 4095 do ids[i] = block_type end
  world:load_chunk(0, x, 0, 0, {borrow = ids})
end

-- Frees what nothing refers to, and writes over it.
local function collect()
  collectgarbage()
  collectgarbage()
  for _ = 1, 2000 do ffi.fill(ffi.new("uint16_t[4096]"), 8192, 0xff) end
  for _ = 1, 2000 do ffi.fill(ffi.new("frWindowMove"), ffi.sizeof("frWindowMove"), 0xff) end
end

function tests.borrowed_ids_are_kept_alive()
  local world, types = small_world()
  for x = 0, 99 do lend_chunk(world, x, types.stone) end
  collect()
  for x = 0, 99 do
    world:refresh_block(0, 16 * x, 0, 0)
    assert(world:get_block(0, 16 * x, 0, 0) == types.stone)
  end
end

function tests.borrowed_ids_are_kept_alive_when_the_frame_moves()
  local world = fr.world({anchor = "888_888_888"})
  local stone = world:add_block_type("stone")
  for x = 0, 99 do lend_chunk(world, x + 1, stone) end
  world:recenter(1, 0, 0)
  world:recenter(-100, 0, 0)
  for x = 0, 99 do world:load_chunk(0, x, 0, 0) end  -- where the chunks were
  collect()
  for x = 100, 199 do assert(world:get_block(0, 16 * x, 0, 0) == stone) end
  world:unload_chunk(0, 100, 0, 0)
  local lent = 0
  for _ in pairs(world.borrowed) do lent = lent + 1 end
  assert(lent == 99)
end

function tests.a_cursor_keeps_borrowed_ids_alive()
  local cursors = {}
  for i = 1, 100 do
    local world = fr.world()
    lend_chunk(world, 0, world:add_block_type("glass", "permeable"))
    cursors[i] = world:hits_along(along_x())
  end
  collect()
  for _, cursor in ipairs(cursors) do
    local hits = 0
    while cursor:next() do hits = hits + 1 end
    assert(hits == 16)
  end
end

-- Runs a function while another one of a library raises errors, as if memory had run out.
local function without(library, name, is_refused, run)
  local original = library[name]
  library[name] = function(...)
    if is_refused(...) then error("not enough memory") end
    return original(...)
  end
  local is_fine = pcall(run)
  library[name] = original
  return is_fine
end

function tests.borrowed_ids_are_kept_alive_if_memory_runs_out_after_a_load()
  local world, types = small_world()
  for x = 0, 49 do
    local is_loaded = without(string, "format", function() return true end, function()
      lend_chunk(world, x, types.stone)
    end)
    if is_loaded then assert(world:chunk_state(0, x, 0, 0) == "loaded") end
  end
  collect()
  for x = 1, 49 do
    if world:chunk_state(0, x, 0, 0) == "loaded" then
      world:refresh_block(0, 16 * x, 0, 0)
      assert(world:get_block(0, 16 * x, 0, 0) == types.stone)
    end
  end
end

function tests.borrowed_ids_of_64_bit_indices_are_kept_alive()
  local world, types = small_world()
  for x = 1, 50 do lend_chunk(world, 0LL + x, types.stone) end
  for x = 1, 25 do world:load_chunk(0, x, 0, 0) end
  collect()
  local lent = 0
  for _ in pairs(world.borrowed) do lent = lent + 1 end
  assert(lent == 25, lent)
  for x = 26, 50 do
    world:refresh_block(0, 16 * x, 0, 0)
    assert(world:get_block(0, 16 * x, 0, 0) == types.stone)
  end
end

function tests.shoot_keeps_its_buffer_if_a_longer_one_is_refused()
  local world, types = small_world()
  for chunk = 0, 29 do world:load_chunk(0, chunk, 0, 0, types.glass) end
  local function shoot() return world:shoot(fr.segment(0.5, 2.5, 2.5, 479.5, 2.5, 2.5)) end
  assert(not without(ffi, "new", function(name) return name == "frHit[?]" end, shoot))
  assert(not without(ffi, "new", function(name) return name == "frHit[?]" end, shoot),
    "it shoots into a buffer that it does not have")
  assert(#(shoot()) == 480)
end

function tests.entities_are_hit_moved_and_removed()
  local world = small_world()
  local ball = world:add_entity({id = 7, position = {5, 2.5, 2.5}, radius = 1})
  local box = world:add_entity({id = 8, position = {9, 2.5, 2.5}, half_extents = {1, 1, 1},
    categories = 2})
  local hits = world:shoot(along_x())
  assert(#hits == 2 and hits[1].id == 7 and hits[1].distance == 3.5 and hits[2]:is_entity())
  world:move_entity(ball, 12, 2.5, 2.5)
  assert(world:closest_hit(along_x()).id == 8)
  assert(world:closest_hit(along_x(), nil, {ignore = {8}}).id == 7)
  assert(world:closest_hit(along_x(), nil, {categories = 1}).id == 7)
  assert(world:find_entity(8) == box)
  assert(world:optimize_entities() == 0, "three entities are no crowd")
  world:remove_entity(box)
  refuses("NOT_FOUND", world.move_entity, world, box, 0, 0, 0)
  assert(#(world:shoot(along_x())) == 1)
end

function tests.entities_of_earlier_hits_are_recognized_by_id_on_request()
  local function row(ids)  -- spheres along x, added in this order
    local world = small_world()
    for _, id in ipairs(ids) do
      world:add_entity({id = id, position = {4 * id, 2.5, 2.5}, radius = 1})
    end
    return world
  end
  local here, there = row({1, 2, 3}), row({3, 2, 1})
  local first = here:shoot(along_x(), nil, {max_hits = 1})
  local function resumed(by_id)
    local ids = {}
    local hits = there:shoot(along_x(), nil, {after = first, after_by_id = by_id})
    for i, hit in ipairs(hits) do ids[i] = tonumber(hit.id) end
    return table.concat(ids, " ")
  end
  assert(resumed(true) == "2 3")
  assert(resumed(false) == "2")
end

function tests.no_category_is_none()
  local world = small_world()
  world:add_entity({id = 7, position = {5, 2.5, 2.5}, radius = 1})
  world:add_entity({id = 8, position = {9, 2.5, 2.5}, radius = 1, categories = 0})
  assert(world:closest_hit(along_x(), nil, {categories = 0}) == nil)
  assert(#(world:shoot(along_x(), nil, {categories = 3})) == 1)
end

function tests.a_snapshot_stays_as_it_was()
  local world, types = small_world()
  world:set_block(0, 9, 2, 2, types.stone)
  local snapshot = world:snapshot()
  world:set_block(0, 9, 2, 2, fr.AIR)
  assert(world:closest_hit(along_x()) == nil and snapshot:closest_hit(along_x()):block() == 9)
  refuses("FAILED_PRECONDITION", snapshot.set_block, snapshot, 0, 1, 1, 1, types.stone)
end

function tests.rules_stop_a_shot()
  local world, types = small_world()
  for x = 3, 11, 2 do world:set_block(0, x, 2, 2, types.glass) end
  local rules = fr.rules()
  local panes = rules:add_budget(2)
  rules:set_block(types.glass, {budget = panes, per_hit = 1})
  assert(blocks_hit((world:shoot(along_x(), nil, {rules = rules}))) == "3 5 7")
  assert(blocks_hit((world:shoot(along_x(), nil, {rules = rules, budgets = {1}}))) == "3 5")
  rules:set_block(types.glass, "stop")
  assert(blocks_hit((world:shoot(along_x(), nil, {rules = rules}))) == "3")
end

function tests.batches_answer_as_single_calls()
  local world, types = small_world()
  for i = 0, 15 do world:set_block(0, i, (7 * i) % 16, 3, types.stone) end
  local count = 200
  local from, to = ffi.new("double[?]", 3 * count), ffi.new("double[?]", 3 * count)
  for i = 0, 3 * count - 1 do
    from[i], to[i] = (i * 7919) % 1600 / 100, (i * 104729) % 1600 / 100
  end
  local hits, answers = world:closest_hits(from, to, count), world:occluded_many(from, to, count)
  for _, ask in ipairs({world.closest_hits, world.occluded_many}) do
    refuses("lines are answered", ask, world, from, to, count, nil, {max_batch_steps = 1})
    local far = ffi.new("double[?]", 3 * count)
    ffi.copy(far, to, 24 * count)
    far[0] = 1e300
    refuses("line 0", ask, world, from, far, count)
  end
  local found = 0
  for i = 0, count - 1 do
    local line = fr.segment(from[3 * i], from[3 * i + 1], from[3 * i + 2], to[3 * i],
      to[3 * i + 1], to[3 * i + 2])
    local hit = world:closest_hit(line)
    assert((hit ~= nil) == (hits[i].kind ~= 0) and (hit ~= nil) == (answers[i] == fr.C.FR_BLOCKED))
    if hit then
      found = found + 1
      assert(hit.t == hits[i].t and hit:block() == hits[i]:block())
    end
  end
  assert(found > 10)
end

function tests.a_reflected_line_continues()
  local world, types = small_world()
  world:set_block(0, 9, 2, 2, types.stone)
  local line = along_x()
  local image = world:reflect(line, world:closest_hit(line))
  assert(fr.point(image, 1) == 9 - (15 - 9))
  assert(world:closest_hit(image) == nil)
end

function tests.rays_and_walks()
  local world, types = small_world()
  world:set_block(0, 9, 2, 2, types.stone)
  assert(world:closest_hit(fr.ray(0.5, 2.5, 2.5, 1, 0, 0)):block() == 9)
  assert(world:closest_hit(fr.ray(0.5, 2.5, 2.5, 1, 0, 0, 5)) == nil)
  local cells, crossings = fr.walk(2, {0.5, 0.5}, {2.5, 1.5})
  local words = {}
  for cell in cells do words[#words + 1] = tonumber(cell.cell[0]) .. "," .. tonumber(cell.cell[1]) end
  assert(table.concat(words, " ") == "0,0 1,0 1,1 2,1" and crossings == 3)
end

function tests.a_window_moves()
  local world = fr.world({levels = 2, anchor = "7a3_221"})
  world:add_entity({id = 6, level = 0, position = {30, 9, 9}, radius = 1})
  assert(world:levels() == 2 and world:anchor() == "7a3_221")
  world:load_chunk(1, 1, 0, 0)
  local path = world:path(1, 1, 0, 0)
  local move = world:descend(1, 0, 0)
  assert(world:anchor() == path and #move.evicted == 1 and move.evicted[1] == 6)
  world:climb()
  assert(world:anchor() == "7a3_221")
end

function tests.a_move_is_data_of_its_own()
  local world = fr.world({levels = 2, anchor = "7a3_221"})
  local moves = {}
  for i = 1, 100 do moves[i] = world:recenter(i % 2 == 1 and 1 or -1, 0, 0).frame_move end
  collect()
  for i, move in ipairs(moves) do
    assert(move.kind == fr.C.FR_RECENTER and move.levels == 2)
    assert(move.chunk[0] == (i % 2 == 1 and 1 or -1))
  end
end

function tests.a_cursor_may_be_closed_twice()
  local world = small_world()
  local cursor = world:hits_along(along_x())
  cursor:close()
  cursor:close()
  refuses("cursor is null", cursor.next, cursor)
end

function tests.queries_run_in_compiled_loops()
  local world, types = small_world()
  world:set_block(0, 9, 2, 2, types.stone)
  local line, hit, options = along_x(), ffi.new("frHit"), fr.options({solid_only = true})
  local hits = 0
  for i = 1, 20000 do
    fr.segment(0.5, 2.5, 2.5, i % 16, 2.5, 2.5, line)
    if world:closest_hit(line, 1, options, hit) then hits = hits + 1 end
  end
  assert(hits == 20000 * 7 / 16, hits)
end

function tests.many_worlds_are_collected()
  for _ = 1, 300 do
    local world, types = small_world()
    world:set_block(0, 9, 2, 2, types.stone)
    local cursor = world:snapshot():hits_along(along_x())
    assert(cursor:next():block() == 9)
    world = nil
    collectgarbage()
  end
end

shared.run(tests)

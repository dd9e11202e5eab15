-- SPDX-License-Identifier: Apache-2.0
-- The memories of fractalray.who_sees: histories of sight, which the library tries before it searches, and
-- which never change an answer. Mods need not know of them. A call continues the memory of the last call from
-- the same line of a mod, in the same channel, with the same first viewer: so calls of two mods, and those of a
-- loop over players, do not disturb each other. What is not used for a while is dropped; nothing is saved.
local fr = ...

-- As in kinds.lua.
local next, pairs, tonumber, format = next, pairs, tonumber, string.format
local getinfo = debug.getinfo
local C, new_array, fill, set_finalizer = fr.C, fr.ffi.new, fr.ffi.fill, fr.ffi.gc

local MOST_SECONDS = 10   -- that a memory is kept after its last call
local MOST_PAIRS = 500000 -- that all memories have, with some 100 bytes each
local OF_ITSELF = 50      -- what a memory takes without pairs, in pairs
local MOST_SPREAD = 2     -- slots for each viewer or target

-- `count` is how many memories there are, `pairs_kept` how many pairs they have.
local memories = {count = 0, pairs_kept = 0}

-- What all calls have asked, and how it was answered.
local COUNTS = {"pairs", "unchanged", "by_ray", "by_proof", "searched"}
memories.sums = {calls = 0, asked_again = 0}
for i = 1, #COUNTS do memories.sums[COUNTS[i]] = 0 end

---- Finding and dropping ------------------------------------------------------------------------

local kept = {}  -- by key, then by eye
local weight, now = 0, 0

local function weight_of(memory) return memory.pairs + OF_ITSELF end

local function drop(memory)
  local of_key = kept[memory.key]
  of_key[memory.eye] = nil
  if next(of_key) == nil then kept[memory.key] = nil end
  weight = weight - weight_of(memory)
  memories.count, memories.pairs_kept = memories.count - 1, memories.pairs_kept - memory.pairs
  -- At once: Lua's collector does not know how much memory it has.
  C.frDestroySightHistory(set_finalizer(memory.history, nil))
end

local function add(key, eye)
  local memory = {history = fr.sight_history(), viewers = {}, targets = {}, pairs = 0, key = key, eye = eye}
  kept[key] = kept[key] or {}
  kept[key][eye] = memory
  weight, memories.count = weight + weight_of(memory), memories.count + 1
  return memory
end

-- Calls a function with each memory, which it may drop.
local function each(call)
  for _, of_key in pairs(kept) do
    for _, memory in pairs(of_key) do call(memory) end
  end
end

-- Drops the memories that were not used the longest until the others are small enough, or there is none but
-- `but`.
local function shrink(but)
  while weight > MOST_PAIRS and memories.count > 1 do
    local oldest
    each(function(memory)
      if memory ~= but and (not oldest or memory.used < oldest.used) then oldest = memory end
    end)
    drop(oldest)
  end
end

local since = 0
-- Drops what is too old, once in a second.
function memories.next_step(seconds)
  now, since = now + seconds, since + seconds
  if since < 1 then return end
  since = 0
  each(function(memory)
    if now - memory.used > MOST_SECONDS then drop(memory) end
  end)
end

-- Returns the memory for a call of a mod, nil if it is to have none. `name` is what the mod has named it, nil,
-- or false for none; `first_eye` stands for the first viewer, nil if there is none. It must be called by the
-- function that the mod has called: level 3 is the mod.
function memories.of_call(name, channel, first_eye, viewer_count, target_count)
  if name == false or first_eye == nil or viewer_count * target_count > MOST_PAIRS then return nil end
  local key, eye
  if name then
    key, eye = format("%d=%s", channel, name), true
  else
    local line = getinfo(3, "Sl")
    key = line and format("%d@%s:%d", channel, line.short_src, line.currentline) or channel
    eye = first_eye
  end
  local memory = kept[key] and kept[key][eye] or add(key, eye)
  memory.used = now
  return memory
end

---- Slots ---------------------------------------------------------------------------------------

-- Returns the slots of members, by their numbers, how many slots there are, and for the next call the slots by
-- member. Histories know viewers and targets by their slots, so a member keeps the slot that it had in the last
-- call, `last`, wherever it is in the list now; others get those that are free.
local function slots_of(members, last)
  local slots, taken, by_member, count = {}, {}, {}, #members
  for i = 1, count do
    local slot = last[members[i]]
    if slot and slot <= MOST_SPREAD * count and not taken[slot] then slots[i], taken[slot] = slot, true end
  end
  local free, most = 1, 0
  for i = 1, count do
    local slot = slots[i]
    if not slot then
      while taken[free] do free = free + 1 end
      slot = free
      slots[i], taken[slot] = slot, true
    end
    -- One that is listed twice has two slots.
    by_member[members[i]] = by_member[members[i]] or slot
    if slot > most then most = slot end
  end
  return slots, most, by_member
end

-- Returns the eyes in the order of slots, and how many each slot has: one or none.
local function eyes_in(slots, width, eyes)
  local counts, by_slot = new_array("uint32_t[?]", width), {}
  for i = 1, #slots do counts[slots[i] - 1], by_slot[slots[i]] = 1, i end
  local sorted, position = new_array("double[?]", 3 * #slots), 0
  for slot = 1, width do
    local i = by_slot[slot]
    if i then
      for axis = 0, 2 do sorted[position + axis] = eyes[3 * (i - 1) + axis] end
      position = position + 3
    end
  end
  return sorted, counts
end

-- Returns the boxes in the order of slots, those of free slots around the origin.
local function boxes_in(slots, width, boxes)
  local sorted = new_array("double[?]", 6 * width)
  for slot = 0, width - 1 do
    for axis = 3, 5 do sorted[6 * slot + axis] = 1 end
  end
  for i = 1, #slots do
    local to, from = 6 * (slots[i] - 1), 6 * (i - 1)
    for at = 0, 5 do sorted[to + at] = boxes[from + at] end
  end
  return sorted
end

---- Asking --------------------------------------------------------------------------------------

-- Adds counts of the library to the sums. Returns them as a table.
local function counted(stats)
  local counts, sums = {asked_again = 0}, memories.sums
  for i = 1, #COUNTS do
    local name = COUNTS[i]
    counts[name] = tonumber(stats[name])
    sums[name] = sums[name] + counts[name]
  end
  sums.calls = sums.calls + 1
  return counts
end

-- Asks world:visible_boxes. `asked` has the arrays eyes, boxes and left_out, and the lists viewers and targets
-- of what each stands for: an object, or a number for a position. Returns a function of the numbers of a viewer
-- and a target, which answers FR_SIGHT_..., and a table of counts. The memory may be nil.
function memories.ask(memory, world, asked, options)
  local viewers, targets = asked.viewers, asked.targets
  if not memory then
    options.left_out = asked.left_out
    local answers, stats = world:visible_boxes(asked.eyes, #viewers, asked.boxes, #targets, nil, options)
    return function(i, j) return answers[(i - 1) * #targets + j - 1] end, counted(stats)
  end
  local rows, height, next_viewers = slots_of(viewers, memory.viewers)
  local columns, width, next_targets = slots_of(targets, memory.targets)
  local left_out = new_array("uint8_t[?]", height * width)
  fill(left_out, height * width, 1)
  for i = 1, #rows do
    local row = (rows[i] - 1) * width - 1
    for j = 1, #columns do left_out[row + columns[j]] = asked.left_out[(i - 1) * #columns + j - 1] end
  end
  local eyes, counts = eyes_in(rows, height, asked.eyes)
  options.left_out, options.eye_counts, options.history = left_out, counts, memory.history
  local answers, stats = world:visible_boxes(eyes, height, boxes_in(columns, width, asked.boxes), width, nil,
    options)
  memory.viewers, memory.targets = next_viewers, next_targets
  local pairs_kept = tonumber(stats.pairs)
  weight, memories.pairs_kept = weight + pairs_kept - memory.pairs, memories.pairs_kept + pairs_kept - memory.pairs
  memory.pairs = pairs_kept
  shrink(memory)
  return function(i, j) return answers[(rows[i] - 1) * width + columns[j] - 1] end, counted(stats)
end

-- Counts a pair whose nodes were not mirrored, so that it was asked again.
function memories.count_again(counts)
  counts.asked_again = counts.asked_again + 1
  memories.sums.asked_again = memories.sums.asked_again + 1
end

-- Returns how the pairs of all calls were answered, as a text.
function memories.text()
  local sums = memories.sums
  local function percent(name) return 100 * sums[name] / (sums.pairs > 0 and sums.pairs or 1) end
  return format("%.0f pairs in %.0f calls of who_sees: %.1f %% unchanged, %.1f %% by a ray, %.1f %% by a proof, "
    .. "%.1f %% searched; %.0f asked again, as nodes were not mirrored. %d memories have %d pairs", sums.pairs,
    sums.calls, percent("unchanged"), percent("by_ray"), percent("by_proof"), percent("searched"),
    sums.asked_again, memories.count, memories.pairs_kept)
end

return memories

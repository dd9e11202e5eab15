-- SPDX-License-Identifier: Apache-2.0
-- The nodes and the object of the test's world.
local function register(name, def)
  def.description, def.drop = name, ""
  minetest.register_node("nodes:" .. name, def)
end

register("stone", {groups = {dig_immediate = 3}})
register("glass", {drawtype = "glasslike", groups = {pane = 1, dig_immediate = 3}})
register("plant", {drawtype = "plantlike", walkable = false,
  selection_box = {type = "regular"}, groups = {soft = 1, dig_immediate = 3}})
register("hidden", {drawtype = "airlike", pointable = false, walkable = false})
register("slab", {drawtype = "nodebox", paramtype = "light",
  node_box = {type = "fixed", fixed = {-0.5, -0.5, -0.5, 0.5, 0, 0.5}}})

-- Its collision box cannot be read.
register("odd", {collision_box = {type = "fixed", fixed = {-0.5, -0.5, -0.5, 0.5, 5000, 0.5}}})

minetest.register_alias("nodes:window", "nodes:glass")

-- Each of their 1,024 ways to stand is a type of its own.
for i = 1, 8 do
  register("layer_" .. i, {drawtype = "nodebox", paramtype2 = "leveled", node_box = {type = "leveled",
    fixed = {-0.5, -0.5, -0.5, 0.5, 0.5, 0.5}}})
end
register("fence", {drawtype = "nodebox", connects_to = {"nodes:fence", "nodes:layer_1"}, node_box = {
  type = "connected", fixed = {-0.125, -0.5, -0.125, 0.125, 0.5, 0.125},
  connect_right = {0.125, -0.25, -0.125, 0.5, 0.25, 0.125}}})

-- Luanti's raycast examines so many nodes around a line that it does not miss the largest
-- selection box of any node. This one is that of the beds of minetest_game.
register("bed", {drawtype = "nodebox", paramtype2 = "facedir", selection_box = {type = "fixed",
  fixed = {-0.5, -0.5, -0.5, 0.5, 0.06, 1.5}}})

-- A still liquid, as the test compares while nothing flows; and one that flows.
register("water", {drawtype = "liquid", walkable = false, pointable = false, buildable_to = true,
  liquidtype = "source", liquid_alternative_source = "nodes:water",
  liquid_alternative_flowing = "nodes:water", liquid_range = 0})
for _, kind in ipairs({"source", "flowing"}) do
  register("oil_" .. kind, {drawtype = kind == "source" and "liquid" or "flowingliquid",
    special_tiles = {{name = "x.png"}, {name = "x.png"}}, paramtype2 = "flowingliquid",
    walkable = false, pointable = false, buildable_to = true, liquidtype = kind,
    liquid_alternative_source = "nodes:oil_source",
    liquid_alternative_flowing = "nodes:oil_flowing", liquid_range = 2, liquid_viscosity = 0})
end

minetest.register_entity("nodes:thing", {
  initial_properties = {physical = false, static_save = false},
  on_activate = function(self, box)
    self.object:set_properties({selectionbox = minetest.deserialize(box)})
  end,
})

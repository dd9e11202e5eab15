-- SPDX-License-Identifier: Apache-2.0
-- Keeps a function that changes nodes from before fractalray wraps it: changes by it are noticed by
-- no hook.
earlier = {set_node = minetest.set_node}

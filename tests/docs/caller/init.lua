-- SPDX-License-Identifier: Apache-2.0
-- Types the chat command of docs/embedding.md, writes the answer to answer.txt in the world's folder,
-- and shuts the server down. Ends without an answer after 20 seconds.
function minetest.chat_send_player(_, text)
  local file = assert(io.open(minetest.get_worldpath() .. "/answer.txt", "wb"))
  file:write(text, "\n")
  file:close()
  minetest.request_shutdown()
end

minetest.after(0, function() minetest.registered_chatcommands.shot.func("somebody") end)
minetest.after(20, minetest.request_shutdown)

-- Opens a program in Neovim as set up by the documentation, asks for everything, and writes the answers as JSON.
local program, answers = vim.env.GPKIT_PROGRAM, vim.env.GPKIT_ANSWERS

vim.cmd("filetype on")
vim.cmd("edit " .. program)
vim.wait(20000, function() return #vim.diagnostic.get(0) > 0 end)

local function ask(method, extra)
  local asked = { textDocument = vim.lsp.util.make_text_document_params() }
  local given = vim.lsp.buf_request_sync(0, method, vim.tbl_extend("error", asked, extra or {}), 10000)
  local _, first = next(given or {})
  return first and first.result or vim.NIL
end

local found = {}
for _, each in ipairs(vim.diagnostic.get(0)) do
  table.insert(found, { line = each.lnum, column = each.col, message = each.message })
end
local place = { position = { line = 1, character = 8 } }
local written = {
  filetype = vim.bo.filetype,
  found = found,
  hover = ask("textDocument/hover", place),
  completion = ask("textDocument/completion", place),
  symbols = ask("textDocument/documentSymbol"),
  actions = ask("textDocument/codeAction", {
    range = { start = { line = 2, character = 6 }, ["end"] = { line = 2, character = 7 } },
    context = { diagnostics = {} },
  }),
}
vim.fn.writefile({ vim.fn.json_encode(written) }, answers)
vim.cmd("qall!")

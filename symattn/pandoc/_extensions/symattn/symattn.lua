--[[ A filter for Pandoc and Quarto: a case of attention is rendered where a document has it.

    ```{.symattn file=case.toml only="A,Z"}
    ```

Without `file` the block itself is the case. Attributes and the classes `no-head` and `elide` are options of
`symattn derive`, which must be on the PATH. HTML gets MathML, LaTeX gets LaTeX, other formats what Pandoc
reads of the Markdown. Files are looked for in Pandoc's resource path.
]]

local OPTIONS = {detail = true, digits = true, lang = true, only = true, significant = true, width = true}
local FLAGS = {"no-head", "elide"}
local HTML = {epub = true, epub2 = true, epub3 = true, revealjs = true, slidy = true, slideous = true,
  dzslides = true, s5 = true}
local LATEX = {latex = true, beamer = true}

--- The opening fences of blocks with the class, as tables of file and line, in the order of the documents.
local function fences()
  local found = {}
  for _, path in ipairs(quarto and {quarto.doc.input_file} or PANDOC_STATE.input_files) do
    local open, number = nil, 0
    local file = io.open(path)
    for text in file and file:lines() or function() end do
      number = number + 1
      local fence, info = text:match("^[%s>]*[%-%*+]?%s*([`~][`~][`~]+)(.*)$")
      if open and fence and #fence >= #open and fence:sub(1, 1) == open:sub(1, 1) and not info:find("%S") then
        open = nil
      elseif fence and not open then
        open = fence
        if (info .. " "):find("%.symattn[%s}]") then
          found[#found + 1] = {file = path, line = number}
        end
      end
    end
    if file then file:close() end
  end
  return found
end

local places, seen, packages, styled = nil, 0, {}, false

--- Stop with the place of the block.
local function fail(place, message)
  local spot = place and ("%s:%d: "):format(place.file, place.line) or ("block %d of symattn: "):format(seen)
  error(spot .. message, 0)
end

--- The path of a file, in the first folder of the resource path that has it.
local function located(name)
  for _, folder in ipairs(PANDOC_STATE.resource_path or {}) do
    local path = pandoc.path.join({folder, name})
    local file = io.open(path)
    if file then
      file:close()
      return path
    end
  end
  return name
end

--- What `symattn derive` prints for a block in a format.
local function derived(block, place, format)
  local file = block.attributes.file
  if (file ~= nil) == (block.text:find("%S") ~= nil) then
    fail(place, "symattn: write file=case.toml, or the case in the block" .. (file and ", and not both" or ""))
  end
  local arguments = {"derive", file and located(file) or "-"}
  for _, each in ipairs(format) do arguments[#arguments + 1] = each end
  for key, value in pairs(block.attributes) do
    if OPTIONS[key] then
      arguments[#arguments + 1] = "--" .. key .. "=" .. value
    elseif key ~= "file" then
      fail(place, "symattn: no attribute " .. key .. "; there are file, detail, digits, lang, only, significant and width")
    end
  end
  for _, flag in ipairs(FLAGS) do
    if block.classes:includes(flag) then arguments[#arguments + 1] = "--" .. flag end
  end
  -- as many lines above the case as in the document, so that messages have its lines
  local input = file and "" or ("\n"):rep(place and place.line or 0) .. block.text .. "\n"
  local ran, output = pcall(pandoc.pipe, "symattn", arguments, input)
  if not ran then
    local status = type(output) == "table" and output.error_code
    fail(place, status and status ~= 127 and "symattn failed; what is wrong is said above"
      or "the program symattn is not on the PATH (pip install symattn)")
  end
  return output
end

local function render(block)
  if not block.classes:includes("symattn") then return nil end
  seen, places = seen + 1, places or fences()
  local place = places[seen]
  if FORMAT:find("^html") or HTML[FORMAT] then
    local html = derived(block, place, {"--html", "--fragment", "--static"})
    if styled then html = html:gsub("^<style>.-</style>\n", "") end
    styled = true
    return pandoc.RawBlock("html", html)
  elseif LATEX[FORMAT] then
    local width = block.attributes.width and {} or {"--width=120"} -- millimetres, of the class article
    local latex = derived(block, place, {"--latex", table.unpack(width)})
    for package in latex:gmatch("\n%%   (\\usepackage[^\n]*)") do
      -- templates load xcolor without options; its option `table` does no more than this
      packages[package:gsub("%[table%]{xcolor}", "{colortbl}"):gsub("  %(.*$", "")] = true
    end
    return pandoc.RawBlock("latex", latex)
  end
  -- other formats know no colours in formulas
  local markdown = derived(block, place, {"--markdown"}):gsub("\\textcolor{%a+}", "")
  return pandoc.read(markdown, "markdown").blocks
end

--- The packages that the cases need, for the preamble.
local function with_packages(meta)
  local lines = {}
  for package in pairs(packages) do lines[#lines + 1] = package end
  if #lines == 0 then return nil end
  table.sort(lines)
  local source = table.concat(lines, "\n")
  if quarto then
    quarto.doc.include_text("in-header", source)
    return nil
  end
  local included = meta["header-includes"] or pandoc.MetaList({})
  if pandoc.utils.type(included) ~= "List" then included = pandoc.MetaList({included}) end
  included[#included + 1] = pandoc.MetaBlocks({pandoc.RawBlock("latex", source)})
  meta["header-includes"] = included
  return meta
end

return {{CodeBlock = render}, {Meta = with_packages}}

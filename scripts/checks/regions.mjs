const START = /^\s*(?:\/\/|#) #region (\S+)\s*$/
const END = /^\s*(?:\/\/|#) #endregion\b/

/**
 * The lines between `// #region name` and its `// #endregion`, dedented and
 * without the markers of regions inside; undefined when there is no such
 * region, or no end to it.
 * @param {string} source
 * @param {string} name
 */
export function readRegion(source, name) {
  const lines = source.split('\n')
  const start = lines.findIndex((line) => START.exec(line)?.[1] === name)
  if (start < 0) return undefined
  const inside = []
  let depth = 1
  for (const line of lines.slice(start + 1)) {
    if (START.test(line)) depth += 1
    else if (END.test(line)) depth -= 1
    else inside.push(line)
    if (depth === 0) return dedent(inside)
  }
  return undefined
}

/** @param {readonly string[]} lines */
function dedent(lines) {
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length)
  const indent = Math.min(...indents)
  return lines
    .map((line) => line.slice(indent).trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/g, '')
}

/** A skill that the user asks for by name. */
export interface SlashCommand {
  readonly name: string
  /** The rest of its line. */
  readonly args: string
}

/**
 * A line that begins with `/name`, alone or followed by a space and arguments.
 * Names are those of skills, so that `/usr/bin` and `/ x` are words.
 */
const linePattern = /^[ \t]*\/([a-z0-9]+(?:-[a-z0-9]+)*)(?:[ \t]+(.*))?$/s

/** What opens a fence; one of ` has no further ` in its line. */
const fencePattern = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})(.*)$/s

/** What a text asks for, in order. Lines within ``` or ~~~ fences are not read. */
export function slashCommandsIn(text: string): readonly SlashCommand[] {
  const found: SlashCommand[] = []
  let fence: string | undefined
  for (const line of text.split(/\r\n?|\n/)) {
    const [, mark, rest = ''] = fencePattern.exec(line) ?? []
    if (fence !== undefined) {
      // As many of the same signs, or more, and nothing else.
      const isEnd = mark?.startsWith(fence) && rest.trim() === ''
      if (isEnd) fence = undefined
      continue
    }
    fence = mark
    const [, name, args = ''] = linePattern.exec(line) ?? []
    if (name !== undefined) found.push({ name, args: args.trim() })
  }
  return found
}

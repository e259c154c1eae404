import type { JsonObject, JsonValue, ToolResult } from 'hookline/lifecycle'

/** How a tool of ours is called, and called with, in Claude Code's words. */
export interface ToolAlias {
  readonly name: string
  /** Our argument to theirs, where the names differ. */
  readonly args?: Readonly<Record<string, string>>
  /** Those of their arguments that are paths, which have to be absolute. */
  readonly paths?: readonly string[]
  /**
   * Further arguments that scripts look for, made of ours. A hook that changes
   * them changes nothing.
   */
  readonly derived?: (args: JsonObject) => JsonObject
  /** The text of a failed call; default: as the model reads it. */
  readonly error?: (text: string) => string
  /** The structured result; default: the tool's own data, else its text. */
  readonly response?: (
    result: ToolResult,
    input: JsonObject,
  ) => JsonValue | undefined
}

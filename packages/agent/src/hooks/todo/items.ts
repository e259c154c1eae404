import { truncate } from 'hookline'
import type { JsonObject } from 'hookline/lifecycle'

/** One thing to do. */
export interface TodoItem {
  readonly text: string
  readonly status: TodoStatus
}

export type TodoStatus = 'pending' | 'in_progress' | 'done'

const marks: Readonly<Record<TodoStatus, string>> = {
  pending: '[ ]',
  in_progress: '[>]',
  done: '[x]',
}

export function todoSchema(maxItems: number): JsonObject {
  return {
    type: 'object',
    properties: {
      items: {
        type: 'array',
        maxItems,
        description: 'The whole list, in the order of work.',
        items: {
          type: 'object',
          properties: {
            text: { type: 'string', minLength: 1, maxLength: 300 },
            status: { enum: Object.keys(marks) },
          },
          required: ['text', 'status'],
          additionalProperties: false,
        },
      },
    },
    required: ['items'],
    additionalProperties: false,
  }
}

/** The items of a call. Its arguments fit the schema, or it did not run. */
export function itemsOf({ items }: JsonObject): readonly TodoItem[] {
  return items as unknown as readonly TodoItem[] // as the schema says
}

export function openItems(items: readonly TodoItem[]): readonly TodoItem[] {
  return items.filter(({ status }) => status !== 'done')
}

// Prompts have room for 12 000 characters, and not for this list alone.
const maxShown = 8_000
// A mark, a line end, and what says that it was cut.
const besideText = 6

/**
 * The list as far as there is room for it: of a long one what is done is left
 * out, and items are cut, so that no open one is missing.
 */
export function shown(items: readonly TodoItem[]): string {
  const whole = rendered(items)
  if (whole.length <= maxShown) return whole
  const open = openItems(items)
  const room = Math.floor(maxShown / open.length) - besideText
  const lines = open.map(({ text, status }) => {
    const { text: start, cut } = truncate(text, room)
    return { status, text: cut ? `${start}…` : start }
  })
  const note = `(${items.length - open.length} items that are done are left out, and long ones are cut.)`
  return `${rendered(lines)}\n${note}`
}

export function rendered(items: readonly TodoItem[]): string {
  const lines = items.map(({ text, status }) => {
    // One item is one line, whatever is in it.
    return `${marks[status]} ${text.replaceAll(/\s+/g, ' ')}`
  })
  return lines.join('\n')
}

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

export function rendered(items: readonly TodoItem[]): string {
  const lines = items.map(({ text, status }) => {
    // One item is one line, whatever is in it.
    return `${marks[status]} ${text.replaceAll(/\s+/g, ' ')}`
  })
  return lines.join('\n')
}

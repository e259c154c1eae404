import { defineCell, defineHook, proceed } from 'hookline'
import {
  compactionPost,
  promptContext,
  toolBundle,
  toolPostCall,
  turnPrePromptContext,
  turnPreToolMaterialization,
  turnStop,
} from 'hookline/lifecycle'
import {
  defineHooks,
  described,
  flag,
  number,
  object,
  text,
} from '../../define-hooks.ts'
import { defineTool } from '../../index.ts'
import { createRounds } from '../shared/turns/rounds.ts'
import {
  itemsOf,
  openItems,
  rendered,
  shown,
  type TodoItem,
  todoSchema,
} from './items.ts'

export interface TodoOptions {
  /** What the tool is called. */
  readonly tool?: string
  /** How many items a list has at most. */
  readonly maxItems?: number
  /** Whether a turn goes on while there are open items. */
  readonly keepsGoing?: boolean
  /** How often it does. */
  readonly maxRounds?: number
}

const options = object<TodoOptions>(
  {
    tool: described(
      text({
        pattern: /^[a-zA-Z0-9_-]{1,64}$/,
        kind: 'letters, digits, _ and -',
        maxLength: 64,
      }),
      'What the tool is called; default: todo.',
    ),
    maxItems: described(
      number({ isWhole: true, min: 1, max: 100 }),
      'How many items a list has at most; default: 30.',
    ),
    keepsGoing: described(
      flag,
      'Whether a turn goes on while there are open items; default: false.',
    ),
    maxRounds: described(
      number({ isWhole: true, min: 1, max: 3 }),
      'How often it does; default: 1.',
    ),
  },
  [],
)

/** A list of things to do that the model keeps, and does not lose. */
export const todo = defineHooks<TodoOptions>({
  name: 'todo',
  description: 'Gives agents a list of things to do, and does not lose it.',
  options,
  create(given, { name }) {
    const { tool = 'todo', maxItems = 30, maxRounds = 1 } = given
    const handler = { version: '1' }
    const list = defineCell<readonly TodoItem[]>(`${name}:list`, {
      initial: () => [],
      scope: 'session',
    })
    const rounds = createRounds(name, maxRounds)
    const bound = defineTool({
      name: tool,
      description:
        'Keeps the list of things to do. Give the whole list each time; it takes the place of the one before. Use it for work of several steps, and keep it true: one item in progress, done only what is done.',
      input: todoSchema(maxItems),
      safety: 'read_only',
      idempotent: true,
      execute(args) {
        const items = itemsOf(args)
        if (items.length === 0) return 'The list is empty now.'
        return `${openItems(items).length} of ${items.length} are open.\n${rendered(items)}`
      },
    })
    const remind = (items: readonly TodoItem[]) => {
      if (openItems(items).length === 0) return []
      const content = `The list of the tool ${tool}, as you last wrote it:\n${shown(items)}`
      return [promptContext({ id: 'list', domain: name, content })]
    }

    const offer = defineHook({
      name: `${name}:offer`,
      on: turnPreToolMaterialization,
      handler,
      capabilities: ['tools'],
      run({ toolNames, abilities }, { contribute, diagnose }) {
        if (toolNames.includes(tool)) {
          diagnose('name-taken', `There is another tool named "${tool}".`)
        } else if (abilities.tools) contribute(toolBundle({ tools: [bound] }))
        return proceed
      },
    })
    const keep = defineHook({
      name: `${name}:keep`,
      on: toolPostCall,
      handler,
      // If it cannot be kept, the model must not believe that it was.
      onFailure: 'closed',
      // What hooks make of the result does not change the list.
      beforeWrites: true,
      match: ({ call, status }) =>
        call.owner === `${name}:offer` && status === 'executed',
      async run({ call, result }, { state }) {
        if (result.isError) return proceed
        await state.update(list, () => itemsOf(call.args))
        return proceed
      },
    })
    const recall = defineHook({
      name: `${name}:recall`,
      on: turnPrePromptContext,
      handler,
      capabilities: ['context'],
      async run(_, { state, contribute }) {
        for (const one of remind(await state.get(list))) contribute(one)
        return proceed
      },
    })
    const restore = defineHook({
      name: `${name}:restore`,
      on: compactionPost,
      handler,
      capabilities: ['context'],
      async run(_, { state, contribute }) {
        for (const one of remind(await state.get(list))) contribute(one)
        return proceed
      },
    })
    const goOn = defineHook({
      name: `${name}:go-on`,
      on: turnStop,
      handler,
      async run(input, { state }) {
        if (!(await rounds.areLeft(state, input))) return proceed
        const open = openItems(await state.get(list))
        if (open.length === 0) return proceed
        return await rounds.goOn(
          state,
          `These items of your list are open:\n${shown(open)}\nDo them; or write the list as it is now, and say why they stay open.`,
        )
      },
    })
    return [offer, keep, recall, restore, ...(given.keepsGoing ? [goOn] : [])]
  },
})

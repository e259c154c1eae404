import { defineHook, proceed } from 'hookline'
import { turnInput } from 'hookline/lifecycle'
import { createFakeClock } from 'hookline/testing'
import { expect, test } from 'vitest'
import { defineHooks, flag, object } from '../define-hooks.ts'
import { createAgent } from '../index.ts'
import { scriptedModel } from '../testing/index.ts'

interface SeenOptions {
  readonly asks?: boolean
}

const seen: unknown[] = []

const watch = defineHooks({
  name: 'watch',
  description: 'Looks at inputs.',
  options: object<SeenOptions>({ asks: flag }, []),
  create: ({ asks = false }, { name, clock, callModel }) => [
    defineHook({
      name: `${name}:input`,
      on: turnInput,
      async run(_, context) {
        seen.push([name, clock.now(), clock.wallAt(clock.now())])
        if (!asks) return proceed
        const messages = [
          { role: 'user', content: [{ type: 'text', text: 'Well?' }] },
        ] as const
        const { content } = await callModel(context, {
          ...{ model: 'given/model', system: '', messages, tools: [] },
          settings: {},
        })
        seen.push(content)
        return proceed
      },
    }),
  ],
})

test('hooks have the clock and the models of the runtime they are in', async () => {
  const clock = createFakeClock()
  await clock.advance(500)
  const model = scriptedModel([{ text: 'Well.' }, { text: 'Done.' }])
  const plugins = [watch({ asks: true }), watch({}, { name: 'watching' })]
  const agent = createAgent({ model, plugins, clock })
  seen.length = 0
  expect((await agent.run('Go.').result).text).toBe('Done.')
  const now = [clock.now(), clock.wallAt(clock.now())]
  expect(seen).toEqual([
    ['watch', ...now],
    [{ type: 'text', text: 'Well.' }],
    ['watching', ...now],
  ])
  await agent.close()
})

test('options that do not fit are refused at once', () => {
  const wrong = { ask: true } as SeenOptions
  expect(() => watch(wrong)).toThrow(
    /options of "watch" do not fit: .*"ask".*"asks"/,
  )
  expect(() => watch(Object(7))).toThrow('options')
})

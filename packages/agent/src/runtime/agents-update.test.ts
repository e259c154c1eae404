import { defineHook, proceed, reject } from 'hookline'
import { agentRegister, agentUnregister, toolGuard } from 'hookline/lifecycle'
import { describe, expect, test } from 'vitest'
import { createRuntime } from '../index.ts'
import { scriptedModel } from '../testing/index.ts'
import { gate, mainConfig, openStage } from './fixtures/stage.ts'
import { tool } from './fixtures/tools.ts'

/** A turn that waits between its two steps. */
async function openWaiting() {
  const waiting = gate()
  const slow = tool('slow', async () => {
    await waiting.pass()
    return 'done'
  })
  const other = tool('other', async () => 'done')
  const asked: string[] = []
  let calls = 0
  const model = scriptedModel(({ model: name, tools = [] }) => {
    asked.push(`${name}: ${tools.map((one) => one.name).join(' ')}`)
    calls++
    return calls === 1 ? { calls: [{ tool: 'slow' }] } : { text: 'Done.' }
  })
  const runtime = createRuntime({
    models: { resolve: () => model },
    tools: [slow, other],
  })
  await runtime.register({ ...mainConfig, tools: ['slow'], model: 'old' })
  const session = await runtime.openSession({ agent: mainConfig.name })
  return { runtime, session, waiting, asked }
}

describe('an agent that is given another config', () => {
  test('ends its turn with what it began with, and takes the next with the new one', async () => {
    const { runtime, session, waiting, asked } = await openWaiting()
    const turn = session.send('Go.')
    await waiting.reached
    await runtime.update({ ...mainConfig, tools: ['other'], model: 'new' })
    expect(runtime.agents[0]?.model).toBe('new')
    waiting.open()
    expect((await turn.result).status).toBe('succeeded')
    await session.send('Again.').result
    expect(asked).toEqual(['old: slow', 'old: slow', 'new: other'])
    await runtime.close()
  })

  test('tells hooks what it is now, once, and that it goes, once', async () => {
    const log: string[] = []
    const came = defineHook({
      name: 'came',
      on: agentRegister,
      run: ({ config }) => {
        log.push(`+${config.model}`)
        return proceed
      },
    })
    const went = defineHook({
      name: 'went',
      on: agentUnregister,
      run: ({ config }) => {
        log.push(`-${config.model}`)
        return proceed
      },
    })
    const runtime = createRuntime({ hooks: [came, went] })
    await runtime.register({ ...mainConfig, model: 'old' })
    await runtime.update({ ...mainConfig, model: 'new' })
    await runtime.close()
    expect(log).toEqual(['+old', '+new', '-new'])
  })

  test('stays as it is where a hook fails, and hooks know it as it is', async () => {
    const known: string[] = []
    const picky = defineHook({
      name: 'picky',
      on: agentRegister,
      run: ({ config }) => {
        if (config.model === 'bad') throw new Error('Not this one.')
        known.push(config.model)
        return proceed
      },
    })
    const runtime = createRuntime({ hooks: [picky] })
    await runtime.register({ ...mainConfig, model: 'good' })
    const update = runtime.update({ ...mainConfig, model: 'bad' })
    await expect(update).rejects.toMatchObject({ code: 'registration-refused' })
    expect(runtime.agents[0]?.model).toBe('good')
    expect(known).toEqual(['good', 'good'])
    await runtime.close()
  })

  test('has the hooks that it is given, and no longer those it had', async () => {
    const deny = (name: string) =>
      defineHook({ name, on: toolGuard, run: () => reject('No.') })
    const runtime = createRuntime()
    await runtime.register(mainConfig, { hooks: [deny('old')] })
    await runtime.update(mainConfig, { hooks: [deny('new')] })
    const names = () =>
      runtime.tableOf(mainConfig.name).hooks.map(({ name }) => name)
    expect(names()).toEqual(['new'])
    runtime.swapHooks([])
    expect(names()).toEqual(['new'])
    await runtime.close()
  })

  test('is an error where there is none of that name', async () => {
    const runtime = createRuntime()
    const update = runtime.update(mainConfig)
    await expect(update).rejects.toMatchObject({ code: 'unknown-agent' })
    await runtime.close()
  })
})

test('an agent that leaves and waits takes no more turns, and lets those that run end', async () => {
  const waiting = gate()
  const slow = tool('slow', async () => {
    await waiting.pass()
    return 'done'
  })
  const { runtime, session } = await openStage(
    [{ calls: [{ tool: 'slow' }] }, { text: 'Done.' }],
    { tools: [slow] },
  )
  const turn = session.send('Go.')
  await waiting.reached
  const left = runtime.unregister(mainConfig.name, { waits: true })
  expect(() => session.send('More.')).toThrow('takes no more turns')
  waiting.open()
  expect((await turn.result).status).toBe('succeeded')
  await left
  expect(runtime.agents).toEqual([])
  await runtime.close()
})

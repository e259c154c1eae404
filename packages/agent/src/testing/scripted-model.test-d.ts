import { parseScript, type ScriptStep, scriptedModel } from './index.ts'

scriptedModel([{ text: 'a', calls: [{ tool: 'b', args: { c: [1] } }] }])
scriptedModel((request, call) => ({ text: `${request.model} ${call}` }))
scriptedModel(async () => ({ error: { code: 'timeout' } }))
scriptedModel(await parseScript('[]'), { loop: true })

// @ts-expect-error a misspelt key is no part of a step
scriptedModel([{ txt: 'a' }])

// @ts-expect-error an error is one of those that models have
scriptedModel([{ error: { code: 'broken' } }])

// @ts-expect-error arguments are JSON
scriptedModel([{ calls: [{ tool: 'a', args: { at: new Date() } }] }])

const step: ScriptStep = { waitFor: Promise.resolve() }
scriptedModel([step])

// @ts-expect-error what was asked is there to be read
scriptedModel([step]).requests.pop()

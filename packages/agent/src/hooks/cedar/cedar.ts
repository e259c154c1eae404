import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { ask, defineHook, proceed, reject } from 'hookline'
import { type AgentScope, type SealedCall, toolGuard } from 'hookline/lifecycle'
import {
  defineHooks,
  described,
  type HooksHost,
  object,
  text,
  word,
} from '../../define-hooks.ts'
import { AgentError } from '../../index.ts'
import { type CedarRecord, cedarRecord } from './cedar-data.ts'

type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')

export interface CedarOptions {
  /** The policies themselves, or `file`. */
  readonly policies?: string
  /** A file with policies. */
  readonly file?: string
  /** What follows where the policies do not permit a call; default: `reject`. */
  readonly onDeny?: 'reject' | 'ask'
}

const options = object<CedarOptions>(
  {
    policies: described(
      text({ maxLength: 500_000 }),
      'The policies themselves, or file.',
    ),
    file: described(text({ maxLength: 4_000 }), 'A file with policies.'),
    onDeny: described(
      word(['reject', 'ask']),
      'What follows where policies do not permit a call; default: reject.',
    ),
  },
  [],
)

/** Policies in Cedar decide which calls of tools may run. */
export const cedar = defineHooks({
  name: 'cedar',
  description: 'Policies in Cedar decide which calls of tools may run.',
  options,
  files: ({ file }) => (file === undefined ? [] : [file]),
  create({ onDeny = 'reject', ...given }, { name, folder }) {
    const engine = loadCedar()
    const staticPolicies = readPolicies({ name, folder }, given)
    const parsed = engine.checkParsePolicySet({ staticPolicies })
    if (parsed.type === 'failure') {
      const said = parsed.errors.map(({ message }) => message).join(' ')
      const message = `The policies of "${name}" cannot be read: ${said}`
      throw new AgentError('invalid-config', message)
    }
    const guard = defineHook({
      name: `${name}:guard`,
      on: toolGuard,
      handler: { version: '1' },
      run(call, { scope }) {
        const answer = engine.isAuthorized({
          ...requestOf(call, scope),
          policies: { staticPolicies },
        })
        if (answer.type === 'failure') {
          throw new Error('Cedar could not read the call.')
        }
        const { decision, diagnostics } = answer.response
        const [broken] = diagnostics.errors
        // Cedar leaves out what fails, and it may have been a forbid.
        if (broken !== undefined) {
          throw new Error(`The policy "${broken.policyId}" failed.`)
        }
        if (decision === 'allow') return proceed
        const by = diagnostics.reason.join(', ')
        const why = by === '' ? 'no policy permits it' : `forbidden by ${by}`
        if (onDeny === 'reject') return reject(`Not allowed: ${why}.`)
        return ask(`May "${call.tool}" run all the same: ${why}?`)
      },
    })
    return [guard]
  },
})

function requestOf(call: SealedCall, scope: AgentScope) {
  const { tool, owner, safety, args } = call
  const { agent, parents = [], origin, actor, cwd } = scope
  const principal = { type: 'Agent', id: agent }
  const resource = { type: 'Tool', id: tool }
  const context: CedarRecord = {
    args: cedarRecord(args),
    origin,
    ...(actor && { actor: { kind: actor.kind, id: actor.id } }),
    ...(cwd !== undefined && { cwd }),
  }
  // An agent may work for one of its own name, which is no circle to Cedar.
  const others = new Set(parents.filter((one) => one !== agent))
  const above = Array.from(others, (id) => ({ type: 'Agent', id }))
  return {
    principal,
    action: { type: 'Action', id: 'call' },
    resource,
    context,
    entities: [
      { uid: principal, attrs: {}, parents: above },
      { uid: resource, attrs: { owner, safety }, parents: [] },
    ],
  }
}

function readPolicies(
  { name, folder }: Pick<HooksHost, 'name' | 'folder'>,
  { policies, file }: Pick<CedarOptions, 'policies' | 'file'>,
): string {
  if ((policies === undefined) === (file === undefined)) {
    const message = `The options of "${name}" have to have either policies or file.`
    throw new AgentError('invalid-config', message)
  }
  if (policies !== undefined) return policies
  try {
    return readFileSync(resolve(folder, file ?? ''), 'utf8')
  } catch (cause) {
    const message = `The file with the policies of "${name}" cannot be read.`
    throw new AgentError('invalid-config', message, cause)
  }
}

/** At once, so that policies that are wrong are found before any call. */
function loadCedar(): Cedar {
  const name = '@cedar-policy/cedar-wasm'
  try {
    // The compiler cannot see what is loaded here; the package has its types.
    return createRequire(import.meta.url)(`${name}/nodejs`) as Cedar
  } catch (cause) {
    const message = `The hooks "cedar" need the package ${name}; install it with: npm install ${name}`
    throw new AgentError('missing-package', message, cause)
  }
}

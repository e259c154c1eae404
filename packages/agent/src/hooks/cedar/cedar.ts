import { hash } from 'node:crypto'
import { defineHook, proceed } from 'hookline'
import { toolGuard } from 'hookline/lifecycle'
import {
  defineHooks,
  described,
  type HooksHost,
  object,
  text,
  word,
} from '../../define-hooks.ts'
import { AgentError } from '../../index.ts'
import { type CallFacts, factsOf } from '../shared/policies/call-facts.ts'
import { loadPackage } from '../shared/policies/find-package.ts'
import {
  notPermitted,
  type OnDeny,
  policyFailure,
} from '../shared/policies/policy-answer.ts'
import { readPolicyFile } from '../shared/policies/policy-file.ts'
import { type CedarRecord, cedarRecord } from './cedar-data.ts'

type Cedar = typeof import('@cedar-policy/cedar-wasm/nodejs')

export interface CedarOptions {
  /** The policies themselves, or `file`. */
  readonly policies?: string
  /** A file with policies. */
  readonly file?: string
  /** What follows where the policies do not permit a call; default: `reject`. */
  readonly onDeny?: OnDeny
}

const maxPolicies = 500_000

const options = object<CedarOptions>(
  {
    policies: described(
      text({ maxLength: maxPolicies }),
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
    // Cedar keeps what it has read for good, so that the same is kept once.
    const preparsedPolicySetId = `hookline:${hash('sha256', staticPolicies)}`
    const policies = { staticPolicies }
    const parsed = engine.preparsePolicySet(preparsedPolicySetId, policies)
    if (parsed.type === 'failure') {
      const said = parsed.errors.map(({ message }) => message).join(' ')
      const message = `The policies of "${name}" cannot be read: ${said}`
      throw new AgentError('invalid-config', message)
    }
    const guard = defineHook({
      name: `${name}:guard`,
      on: toolGuard,
      handler: { version: '1' },
      run(call, { scope, diagnose }) {
        try {
          const facts = factsOf(call, scope)
          const why = denialOf(engine, preparsedPolicySetId, facts)
          if (why === undefined) return proceed
          return notPermitted(call, why, onDeny)
        } catch (cause) {
          throw policyFailure(diagnose, cause)
        }
      },
    })
    return [guard]
  },
})

/** Why policies do not permit a call; undefined: they do. */
function denialOf(
  engine: Cedar,
  preparsedPolicySetId: string,
  facts: CallFacts,
): string | undefined {
  const request = { ...requestOf(facts), preparsedPolicySetId }
  const answer = engine.statefulIsAuthorized(request)
  if (answer.type === 'failure') {
    throw new Error('Cedar could not read the call.')
  }
  const { decision, diagnostics } = answer.response
  const [broken] = diagnostics.errors
  // Cedar leaves out what fails, and it may have been a forbid.
  if (broken !== undefined) {
    throw new Error(`The policy "${broken.policyId}" failed.`)
  }
  if (decision === 'allow') return undefined
  const by = diagnostics.reason.join(', ')
  return by === '' ? 'no policy permits it' : `forbidden by ${by}`
}

function requestOf(facts: CallFacts) {
  const { tool, owner, safety, args, agent, parents } = facts
  const { origin, actor, cwd } = facts
  const principal = { type: 'Agent', id: agent }
  const resource = { type: 'Tool', id: tool }
  const context: CedarRecord = {
    args: cedarRecord(args),
    origin,
    ...(actor && { actor: { ...actor } }),
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
  const wanted = { path: file ?? '', what: 'policies', maxBytes: maxPolicies }
  return readPolicyFile({ name, folder }, wanted).toString()
}

/** At once, so that policies that are wrong are found before any call. */
function loadCedar(): Cedar {
  const name = '@cedar-policy/cedar-wasm'
  // The compiler cannot see what is loaded here; the package has its types.
  return loadPackage('cedar', name, '/nodejs') as Cedar
}

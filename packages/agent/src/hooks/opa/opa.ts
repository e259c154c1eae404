import { ask, defineHook, proceed, reject } from 'hookline'
import { type SealedCall, toolGuard } from 'hookline/lifecycle'
import { defineHooks, type HooksHost } from '../../define-hooks.ts'
import { AgentError } from '../../index.ts'
import { factsOf } from '../shared/policies/call-facts.ts'
import { findPackage } from '../shared/policies/find-package.ts'
import {
  notPermitted,
  type OnDeny,
  policyFailure,
} from '../shared/policies/policy-answer.ts'
import { readPolicyFile } from '../shared/policies/policy-file.ts'
import { type AskServer, createServer, ruleUrl } from './ask-server.ts'
import { type Decision, decisionOf } from './decision.ts'
import { type OpaOptions, options } from './options.ts'
import { createRunner } from './policy-runner.ts'
import { readParts } from './read-bundle.ts'
import { startThread } from './threaded-policy.ts'
import { compilePolicy } from './web-assembly.ts'

/** A policy of the Open Policy Agent decides which calls of tools may run. */
export const opa = defineHooks({
  name: 'opa',
  description:
    'A policy of the Open Policy Agent decides which calls of tools may run.',
  options,
  files: ({ policy, data }) =>
    [policy, data].filter((file) => file !== undefined),
  create(given, host) {
    const { name } = host
    const { onDeny = 'reject' } = given
    const evaluate = openPolicy(given, host)
    const guard = defineHook({
      name: `${name}:guard`,
      on: toolGuard,
      handler: { version: '1' },
      async run(call, { scope, signal, diagnose }) {
        try {
          const facts = factsOf(call, scope)
          const result = await evaluate(facts, { signal, diagnose })
          return answerTo(decisionOf(result), call, onDeny)
        } catch (cause) {
          throw policyFailure(diagnose, cause)
        }
      },
    })
    return [guard]
  },
})

function answerTo(decision: Decision, call: SealedCall, onDeny: OnDeny) {
  switch (decision.type) {
    case 'allow':
      return proceed
    case 'ask':
      return ask(`May "${call.tool}" run: ${decision.why}?`)
    case 'deny':
      return notPermitted(call, decision.why, onDeny)
    case 'unclear':
      // Nobody is asked about what nobody understands.
      return reject(`Not allowed: ${decision.why}.`)
  }
}

function openPolicy(given: OpaOptions, host: HooksHost): AskServer {
  const { policy, server } = given
  if (server !== undefined && policy === undefined) {
    return openServer({ ...given, server }, host)
  }
  if (policy !== undefined && server === undefined) {
    return openFile({ ...given, policy }, host)
  }
  throw misfit(host, 'have to have either policy or server')
}

const defaultTimeoutMs = 2_000

function openServer(
  given: OpaOptions & { readonly server: string },
  host: HooksHost,
): AskServer {
  const { server, entrypoint, data, maxMemoryMb, tokenEnv } = given
  const { timeoutMs = defaultTimeoutMs } = given
  if (entrypoint === undefined) throw misfit(host, 'have no entrypoint')
  if (data !== undefined || maxMemoryMb !== undefined) {
    throw misfit(host, 'have data or maxMemoryMb, which are for policy')
  }
  const token = tokenEnv === undefined ? undefined : process.env[tokenEnv]
  if (tokenEnv !== undefined && !token) {
    throw misfit(host, `name the variable "${tokenEnv}", which is not set`)
  }
  let url: string
  try {
    url = ruleUrl(server, entrypoint)
  } catch (cause) {
    const { message } = cause as Error
    throw misfit(host, `have a server that ${message}`, cause)
  }
  return createServer({ url, token, timeoutMs, clock: host.clock })
}

const maxFileBytes = 64 * 1_048_576
const maxReply = 65_536

function openFile(
  given: OpaOptions & { readonly policy: string },
  host: HooksHost,
): AskServer {
  const { policy: path, entrypoint, maxMemoryMb = 64 } = given
  const { timeoutMs = defaultTimeoutMs, tokenEnv, data: dataPath } = given
  if (tokenEnv !== undefined) {
    throw misfit(host, 'have tokenEnv, which is for server')
  }
  const packageFile = findPackage('opa', '@open-policy-agent/opa-wasm')
  const maxBytes = maxFileBytes
  const bytes = readPolicyFile(host, { path, what: 'policy', maxBytes })
  const ownData =
    dataPath === undefined
      ? undefined
      : readPolicyFile(host, { path: dataPath, what: 'data', maxBytes })
  try {
    const { wasm, data } = readParts(bytes)
    const policyData = ownData ?? data
    const thread = {
      ...{ packageFile, module: compilePolicy(wasm), maxMemoryMb, maxReply },
      ...(policyData && { data: policyData }),
      ...(entrypoint !== undefined && { entrypoint }),
    }
    const start = () => startThread(thread)
    const runner = createRunner({ clock: host.clock, timeoutMs, start })
    return async (input, { signal }) =>
      resultIn(await runner.evaluate(JSON.stringify(input), signal))
  } catch (cause) {
    // What reads it throws errors only.
    const { message } = cause as Error
    const text = `The policy of "${host.name}" cannot be used: ${message}`
    throw new AgentError('invalid-config', text, cause)
  }
}

/** OPA has a list of results: one, or none where the rule came to nothing. */
function resultIn(text: string): unknown {
  // The thread writes JSON.
  const results: unknown = JSON.parse(text)
  if (!Array.isArray(results) || results.length > 1) {
    throw new Error('The policy came to something that is no result.')
  }
  return results.length === 0 ? undefined : Object(results[0]).result
}

function misfit(
  { name }: Pick<HooksHost, 'name'>,
  problem: string,
  cause?: unknown,
): AgentError {
  const message = `The options of "${name}" ${problem}.`
  return new AgentError('invalid-config', message, { cause })
}

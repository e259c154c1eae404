import {
  defineHooks,
  described,
  list,
  object,
  text,
  word,
} from '../define-hooks.ts'
import {
  type ScanAction,
  type ScanPlace,
  scanActions,
  scanHooks,
  scanPlaces,
} from '../scan/scan-hooks.ts'
import {
  createSecretFinder,
  type SecretKind,
  secretKinds,
  secretWaitingChars,
} from '../scan/secrets/find-secrets.ts'

export interface SecretScanOptions {
  /** What happens to a secret; default: it is redacted. */
  readonly action?: ScanAction
  /** Where secrets are looked for; default: everywhere. */
  readonly at?: readonly ScanPlace[]
  /** Kinds of secrets that are let pass. */
  readonly except?: readonly SecretKind[]
  /** Names whose values are secrets, beside those that are known. */
  readonly names?: readonly string[]
}

const options = object<SecretScanOptions>(
  {
    action: described(
      word(scanActions),
      'What happens to a secret: it is replaced, what holds it is refused, or it is only noted; default: redact.',
    ),
    at: described(
      list(word(scanPlaces), { min: 1, max: scanPlaces.length }),
      'Where secrets are looked for; default: everywhere.',
    ),
    except: described(
      list(word(secretKinds), { max: secretKinds.length }),
      'Kinds of secrets that are let pass.',
    ),
    names: described(
      list(text({ maxLength: 64 }), { max: 100 }),
      'Names whose values are secrets, beside those that are known.',
    ),
  },
  [],
)

/** Keys and tokens stay out of what models and people read, and tools get. */
export const secretScan = defineHooks({
  name: 'secret-scan',
  description: 'Finds keys, tokens and passwords, and takes them out.',
  options,
  create({ action = 'redact', at = scanPlaces, except, names }, { name }) {
    const finder = createSecretFinder({
      ...(except && { except }),
      ...(names && { names }),
    })
    return scanHooks({
      ...{ name, action, places: [...new Set(at)], ...finder },
      what: 'what looks like a secret',
      code: 'secret-found',
      waiting: secretWaitingChars,
      replacement: () => (_, kind) => `[secret:${kind}]`,
    })
  },
})

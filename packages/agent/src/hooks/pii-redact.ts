import { createHmac, randomBytes } from 'node:crypto'
import { defineCell, type State } from 'hookline'
import {
  defineHooks,
  described,
  flag,
  list,
  object,
  word,
} from '../define-hooks.ts'
import { foldSigns } from '../scan/folded-text.ts'
import {
  createPiiFinder,
  type PiiKind,
  piiKinds,
  piiWaitingChars,
} from '../scan/pii/find-pii.ts'
import {
  type Replacement,
  type ScanAction,
  type ScanPlace,
  scanActions,
  scanHooks,
  scanPlaces,
} from '../scan/scan-hooks.ts'

export interface PiiRedactOptions {
  /** Kinds that are looked for, or not; default: all are. */
  readonly kinds?: { readonly [K in PiiKind]?: boolean }
  /** What happens to what is found; default: it is redacted. */
  readonly action?: ScanAction
  /** Where it is looked for; default: everywhere. */
  readonly at?: readonly ScanPlace[]
}

const wanted = (what: string) => described(flag, `Whether ${what} are found.`)

const options = object<PiiRedactOptions>(
  {
    kinds: described(
      object<NonNullable<PiiRedactOptions['kinds']>>(
        {
          address: wanted('postal addresses'),
          'birth-date': wanted('dates of birth'),
          card: wanted('numbers of payment cards'),
          email: wanted('addresses of mail'),
          iban: wanted('numbers of bank accounts'),
          ip: wanted('addresses of machines'),
          'national-id': wanted('numbers that states give to people'),
          phone: wanted('numbers of telephones'),
        },
        [],
      ),
      'Kinds that are looked for, or not; default: all are.',
    ),
    action: described(
      word(scanActions),
      'What happens to what is found: it is replaced, what holds it is refused, or it is only noted; default: redact.',
    ),
    at: described(
      list(word(scanPlaces), { min: 1, max: scanPlaces.length }),
      'Where it is looked for; default: everywhere.',
    ),
  },
  [],
)

/** What tells who somebody is becomes a mark: equal values, equal marks. */
export const piiRedact = defineHooks({
  name: 'pii-redact',
  description: 'Finds personal data, and puts marks in its place.',
  options,
  create({ kinds = {}, action = 'redact', at = scanPlaces }, { name }) {
    const chosen = piiKinds.filter((kind) => kinds[kind] !== false)
    const salts = defineCell(name, { initial: () => '', scope: 'session' })
    return scanHooks({
      ...{ name, action, places: [...new Set(at)] },
      find: createPiiFinder(chosen),
      what: 'personal data',
      code: 'personal-data-found',
      waiting: piiWaitingChars(chosen),
      replacement: async (state: State) => {
        const fresh = randomBytes(16).toString('hex')
        const salt = await state.update(salts, (before) => before || fresh)
        return marksOf(salt)
      },
    })
  },
})

/**
 * A keyed hash, so that a session needs to remember its key only, and no value.
 * Sub-agents are sessions of their own: a mark of theirs is never taken for
 * another value's.
 */
function marksOf(salt: string): Replacement {
  return (found, kind) => {
    const plain = foldSigns(found)?.text ?? found
    const value = plain.toLowerCase().replace(/[\s().-]/g, '')
    const hash = createHmac('sha256', salt).update(`${kind}:${value}`)
    return `[${kind}:${hash.digest('hex').slice(0, 8)}]`
  }
}

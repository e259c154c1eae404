import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import { cutText } from '../../data/cut-text.ts'
import { StoreError } from '../store-error.ts'
import {
  encryptedMark,
  keyIdOf,
  type Payloads,
  type Place,
  plainPayloads,
} from './payloads.ts'

export interface PayloadsOptions {
  /** The newest first: it writes, all of them read. None: payloads are plain. */
  readonly keys?: readonly PayloadKey[]
  /**
   * Also read what was written before there were keys. Whoever can write to the
   * database can then pass off plain payloads. Default: false.
   */
  readonly readsPlain?: boolean
}

export interface PayloadKey {
  /** Stands in the payloads that it wrote. */
  readonly id: string
  /** 32 random bytes, or those in base64. */
  readonly secret: Uint8Array | string
}

/** Payloads in AES-256-GCM, bound to their rows; without keys in plain JSON. */
export function createPayloads(options: PayloadsOptions = {}): Payloads {
  const { keys = [], readsPlain = false } = options
  const [newest, ...older] = keys.map(deriveKeys)
  if (newest === undefined) return plainPayloads
  const ring = new Map([newest, ...older].map((one) => [one.id, one]))
  if (ring.size !== keys.length) {
    const message = 'Two keys of the payloads have one id; rename one.'
    throw new StoreError('invalid-options', message)
  }
  return {
    write: (value, place) =>
      encrypt(newest, plainPayloads.write(value, place), place),
    read(text, place): unknown {
      if (text.startsWith(encryptedMark)) {
        return JSON.parse(decrypt(ring, text, place))
      }
      if (readsPlain) return plainPayloads.read(text, place)
      const message = `A payload of ${place[0]} is not encrypted; set \`readsPlain\` if it is from before there were keys.`
      throw new StoreError('wrong-key', message)
    },
    wordForms: (word) =>
      [newest, ...older].map(({ words }) =>
        createHmac('sha256', words).update(word).digest('hex').slice(0, 32),
      ),
  }
}

interface DerivedKeys {
  readonly id: string
  readonly payloads: Uint8Array
  readonly words: Uint8Array
}

const keyBytes = 32
const ivBytes = 12
const tagBytes = 16

/** One key for each use, so that no use tells anything about another. */
function deriveKeys({ id, secret }: PayloadKey): DerivedKeys {
  const bytes =
    typeof secret === 'string' ? Buffer.from(secret, 'base64') : secret
  if (!/^[\w-]{1,64}$/.test(id) || bytes.length !== keyBytes) {
    const message =
      'A key of the payloads needs an id of letters, digits, "_" and "-", and 32 bytes.'
    throw new StoreError('invalid-options', message)
  }
  const derive = (use: string) =>
    new Uint8Array(hkdfSync('sha256', bytes, '', `hookline ${use}`, keyBytes))
  return { id, payloads: derive('payloads'), words: derive('words') }
}

function encrypt(key: DerivedKeys, text: string, place: Place): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key.payloads, iv)
  cipher.setAAD(Buffer.from(JSON.stringify(place)))
  const body = [iv, cipher.update(text, 'utf8'), cipher.final()]
  const bytes = Buffer.concat([...body, cipher.getAuthTag()])
  return `${encryptedMark}${key.id}:${bytes.toString('base64')}`
}

function decrypt(
  ring: ReadonlyMap<string, DerivedKeys>,
  text: string,
  place: Place,
): string {
  const id = keyIdOf(text)
  const body = text.slice(encryptedMark.length + id.length + 1)
  const key = ring.get(id)
  if (key === undefined) {
    const message = `A payload of ${place[0]} was written with the key "${cutText(id, 64)}", which the store does not have; give it that key as well.`
    throw new StoreError('wrong-key', message)
  }
  const bytes = Buffer.from(body, 'base64')
  try {
    const iv = bytes.subarray(0, ivBytes)
    const decipher = createDecipheriv('aes-256-gcm', key.payloads, iv, {
      authTagLength: tagBytes,
    })
    decipher.setAAD(Buffer.from(JSON.stringify(place)))
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    const start = decipher.update(bytes.subarray(ivBytes, -tagBytes))
    return Buffer.concat([start, decipher.final()]).toString('utf8')
  } catch (error) {
    const message = `A payload of ${place[0]} was not written for its row with the key "${id}".`
    throw new StoreError('wrong-key', message, error)
  }
}

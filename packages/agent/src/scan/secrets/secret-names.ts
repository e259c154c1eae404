// Compared with names in lower case, of letters and digits only.
const anywhere =
  /passw(?:or)?d|passphrase|seedphrase|mnemonic|passcode|secret|apikey|privatekey|accesskey|accountkey|signingkey|encryptionkey|sharedkey|credential|authorization|connectionstring/
const atTheEnd = /(?:token|cookie|cookies|pwd|jwt|bearer|signature)\d*$/
/** The hook that ships, as in `secret-scan:arguments`, has a name and no value. */
const ofHooks = /secretscan$/
const exactly = /^(?:auth|pass|pw|pin|otp|sig|dsn)$/

const maxNameChars = 64
const maxKnown = 2_000

/** Tells by its name whether a value is a secret. */
export type IsSecretName = (name: string) => boolean

/** @param names further ones, which count in any spelling and as endings */
export function createSecretNames(names: readonly string[]): IsSecretName {
  const endings = names.map(plain).filter((name) => name !== '')
  const judge = (name: string) => {
    const bare = plain(name)
    if (ofHooks.test(bare)) return false
    if (anywhere.test(bare) || atTheEnd.test(bare)) return true
    return exactly.test(bare) || endings.some((end) => bare.endsWith(end))
  }
  // The same names come again and again, and are known faster than judged.
  const known = new Map<string, boolean>()
  return (name) => {
    const found = known.get(name)
    if (found !== undefined) return found
    if (known.size >= maxKnown) known.clear()
    const isSecret = judge(name)
    known.set(name, isSecret)
    return isSecret
  }
}

/** The end of a name says what it is. */
function plain(name: string): string {
  const end = name.slice(-maxNameChars).toLowerCase()
  return end.replace(/[^a-z0-9]/g, '')
}

import { useEffect, useState } from 'react'

/** The SHA-256 of a text; undefined: not known yet, or nothing to be known. */
export function useHash(text: string | undefined): string | undefined {
  const [hash, setHash] = useState<string | undefined>(undefined)
  useEffect(() => {
    // A page that came from elsewhere, unencrypted, has no such thing.
    if (text === undefined || !window.isSecureContext) return
    let isOver = false
    const bytes = new TextEncoder().encode(text)
    crypto.subtle.digest('SHA-256', bytes).then(
      (digest) => {
        if (!isOver) setHash(hexOf(digest))
      },
      () => undefined,
    )
    return () => {
      isOver = true
    }
  }, [text])
  return hash
}

function hexOf(digest: ArrayBuffer): string {
  return Array.from(new Uint8Array(digest), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

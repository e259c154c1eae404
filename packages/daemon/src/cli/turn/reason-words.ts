/** What programs read as a code, as people read it; other words as they are. */
export function reasonWords(reason: string): string {
  const [, failed] = /^hook_error:([\w-]+)$/.exec(reason) ?? []
  return failed === undefined
    ? reason
    : `a hook failed (${failed}), which counts as a refusal; "hookline runs --state failed" says which`
}

/** Both as one sentence, however the second one ends. */
export function sentence(what: string, why: string): string {
  const end = /[.!?…]$/.test(why) ? '' : '.'
  return `${what}: ${reasonWords(why)}${end}`
}

type Variables = Readonly<Record<string, string>>

/** Headers whose `$NAME` stands for a variable, where the file names it. */
export function fillHeaders(
  headers: Variables,
  allowed: readonly string[],
  env: Variables,
): Variables {
  const value = (name: string) =>
    allowed.includes(name) && Object.hasOwn(env, name) ? env[name] : undefined
  return Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [
      name,
      text.replace(
        /\$\{(\w+)\}|\$([A-Za-z_]\w*)/g,
        // What is not allowed is left out, so that it is not sent by its name.
        (_, braced?: string, bare?: string) =>
          value(braced ?? bare ?? '') ?? '',
      ),
    ]),
  )
}

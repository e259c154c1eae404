interface SavedFile {
  readonly name: string
  readonly parts: readonly (string | Blob)[]
  readonly type: string
}

/** Made in the page: nothing is sent anywhere. */
export function saveFile({ name, parts, type }: SavedFile): void {
  const url = URL.createObjectURL(new Blob([...parts], { type }))
  const link = document.createElement('a')
  link.href = url
  // What others have named is no path.
  link.download = name.replaceAll(/[^\w.-]+/g, '-').slice(0, 120)
  link.click()
  // The browser has to have begun to read it.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

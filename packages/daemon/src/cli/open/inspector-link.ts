/**
 * An address that lets a browser in once. What is behind the "#" stays in the
 * browser: it is sent to nobody, and the page takes it out of the address.
 */
export function inspectorLink(url: string, code: string, path = '/'): string {
  const link = new URL(path, `${url}/`)
  link.hash = `code=${code}`
  return link.href
}

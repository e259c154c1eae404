/**
 * What nobody else has. Not `crypto.randomUUID`: browsers keep that from pages
 * that came over plain HTTP from another machine.
 */
export function randomKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}

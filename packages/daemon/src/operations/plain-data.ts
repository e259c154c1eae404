/** A copy as it goes over the wire: what is undefined is not there. */
export function plainData<T extends object>(
  value: T,
): Readonly<Record<string, unknown>> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown> // an object stays one
}

/** Whether it is of this class. What is thrown at whoever looks is of none. */
export function isA<T>(
  value: unknown,
  kind: abstract new (...args: never[]) => T,
): value is T {
  try {
    return value instanceof kind
  } catch {
    return false
  }
}

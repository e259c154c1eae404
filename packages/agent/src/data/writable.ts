/**
 * The same while it is being made: what is optional is set where there is some.
 * Spread in, each of these would cost as much as the rest of a small object.
 */
export type Writable<T> = { -readonly [K in keyof T]: T[K] }

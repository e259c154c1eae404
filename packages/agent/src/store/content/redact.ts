/** Takes secrets out of text and data. What it gives can be shown. */
export interface Redactor {
  /** Also escapes what could forge a line of a log, or steer a terminal. */
  text(text: string): string
  /** Plain data in, plain data of the same shape out. */
  data(value: unknown): unknown
}

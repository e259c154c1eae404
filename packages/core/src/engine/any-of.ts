/** What a field gives where more than one value is the input's own. */
export class AnyOf {
  readonly values: readonly unknown[]

  constructor(values: readonly unknown[]) {
    this.values = values
  }
}

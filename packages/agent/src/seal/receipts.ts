import { AgentError } from '../ports/agent-error.ts'

/**
 * Mints receipts, and takes them back. A receipt proves that every gate has let
 * one value pass; it is for that very object, and good for once.
 */
export interface Receipts {
  mint(value: object): Receipt
  /** Throws, and raises an alarm, unless the receipt is for this very value. */
  redeem(receipt: Receipt | undefined, value: object): void
}

/** Opaque: only whoever minted it can tell what it is for. */
export class Receipt {
  // biome-ignore lint/style/useReadonlyClassProperties: it is taken back
  #receipts: Receipts | undefined
  readonly #value: object

  constructor(receipts: Receipts, value: object) {
    this.#receipts = receipts
    this.#value = value
  }

  /** Whether it was minted here, for this value, and not used before. */
  static use(receipt: unknown, receipts: Receipts, value: object): boolean {
    const isReceipt = typeof receipt === 'object' && receipt !== null
    if (!isReceipt || !(#value in receipt)) return false
    const isValid = receipt.#receipts === receipts && receipt.#value === value
    receipt.#receipts = undefined
    return isValid
  }
}

export function createReceipts(alarm: (about: string) => void): Receipts {
  const receipts: Receipts = {
    mint: (value) => new Receipt(receipts, value),
    redeem(receipt, value) {
      if (Receipt.use(receipt, receipts, value)) return
      alarm(Object(value).tool ?? Object(value).model ?? 'something')
      const message = 'Nothing runs that the gates have not let pass.'
      throw new AgentError('no-receipt', message)
    },
  }
  return receipts
}

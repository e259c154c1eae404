import { AgentError } from '../ports/agent-error.ts'

/** Proof that every gate has let something pass. Opaque, and good for once. */
export interface Receipt {
  readonly '~receipt': true
}

/**
 * Mints receipts and takes them back. A receipt stands for one value, by
 * identity; only the gates' own code has the minting half.
 */
export interface Receipts {
  mint(value: object): Receipt
  /** Throws, and raises an alarm, unless the receipt is for this very value. */
  redeem(receipt: Receipt | undefined, value: object): void
}

export function createReceipts(alarm: (about: string) => void): Receipts {
  const open = new WeakMap<Receipt, object>()
  return {
    mint(value) {
      const receipt: Receipt = Object.freeze({ '~receipt': true })
      open.set(receipt, value)
      return receipt
    },
    redeem(receipt, value) {
      const isValid = receipt !== undefined && open.get(receipt) === value
      if (receipt !== undefined) open.delete(receipt)
      if (isValid) return
      alarm('no-receipt')
      const message = 'Nothing runs that the gates have not let pass.'
      throw new AgentError('no-receipt', message)
    },
  }
}

import { OsError } from './os-error.ts'

const maxWriteBytes = 10 * 1_024 * 1_024

export function checkSize(sizeBytes: number): void {
  if (sizeBytes <= maxWriteBytes) return
  throw new OsError(
    `A file of more than ${maxWriteBytes} bytes is not written.`,
  )
}

import { StoreError } from '../store/store-error.ts'

/** The engine is optional: only who shares jobs through it installs it. */
export async function loadBullmq(): Promise<typeof import('bullmq')> {
  try {
    return await import('bullmq')
  } catch (error) {
    const message =
      'The queue needs the package bullmq; install it with: npm install bullmq'
    throw new StoreError('missing-package', message, error)
  }
}

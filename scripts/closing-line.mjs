/** @import { Reporter, TestModule } from 'vitest/node' */

/**
 * Ends the output with `N passed, N failed, N skipped`. What broke outside a
 * test (a file that does not load, an unhandled error) counts as failed.
 * @implements {Reporter}
 */
export class ClosingLine {
  /**
   * @param {ReadonlyArray<TestModule>} modules
   * @param {ReadonlyArray<unknown>} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      count.failed += module.errors().length
      for (const suite of module.children.allSuites()) {
        count.failed += suite.errors().length
      }
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        count[state === 'pending' ? 'skipped' : state] += 1
      }
    }
    const { passed, failed, skipped } = count
    console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
  }
}

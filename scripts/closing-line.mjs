/** @import { Reporter, TestCase, TestModule, Vitest } from 'vitest/node' */

/**
 * Ends the output with `N passed, N failed, N skipped`. What broke outside a
 * test (a file that does not load, an unhandled error) counts as failed. A run
 * that skipped a test fails, unless a name filter left it out.
 * @implements {Reporter}
 */
export class ClosingLine {
  /** @type {Vitest | undefined} */
  #vitest

  /** @param {Vitest} vitest */
  onInit(vitest) {
    this.#vitest = vitest
  }

  /**
   * @param {ReadonlyArray<TestModule>} modules
   * @param {ReadonlyArray<unknown>} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    let passed = 0
    let failed = unhandledErrors.length
    /** @type {TestCase[]} */
    const skipped = []
    for (const module of modules) {
      failed += module.errors().length
      for (const suite of module.children.allSuites()) {
        failed += suite.errors().length
      }
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed += 1
        else if (state === 'failed') failed += 1
        else skipped.push(test)
      }
    }
    const isFiltered = this.#vitest?.getGlobalTestNamePattern() !== undefined
    // One that is pending was not skipped: somebody ended the run.
    const names = skipped
      .filter((test) => test.result().state === 'skipped')
      .map((test) => `\n  ${describeSkipped(test)}`)
    if (names.length > 0 && !isFiltered) {
      process.exitCode = 1
      console.log(
        `A run without a name filter skips nothing; these tests did not run:${names.join('')}`,
      )
    }
    console.log(`${passed} passed, ${failed} failed, ${skipped.length} skipped`)
  }
}

/** @param {TestCase} test */
function describeSkipped(test) {
  const result = test.result()
  const why = result.state === 'skipped' && result.note
  const name = `${test.module.relativeModuleId}: ${test.fullName}`
  return why ? `${name} (${why})` : name
}

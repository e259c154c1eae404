// Holds the catalogue of faults and the names of the tests to each other.
import { checkFaults } from './checks/faults.mjs'
import { report } from './checks/report.mjs'

/** What the tests of each layer show by now: all layers are finished. */
const SHOWN = /** @type {const} */ ({
  core: 'all',
  agent: 'all',
  handlers: 'all',
  store: 'all',
  daemon: 'all',
  inspector: 'all',
})

const { problems, summary } = checkFaults(process.cwd(), SHOWN)
report(problems, summary)

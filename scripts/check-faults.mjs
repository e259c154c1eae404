// Holds the catalogue of faults and the names of the tests to each other.
import { checkFaults } from './checks/faults.mjs'
import { report } from './checks/report.mjs'

/** What the tests of each layer show by now; a layer is a folder of packages. */
const SHOWN = {
  core: /** @type {const} */ ('all'),
  agent: [
    ...['I8', 'F011', 'F012', 'F014', 'F019', 'F041', 'F042', 'F045', 'F119'],
    ...['F129', 'F131', 'F133', 'F136', 'F138', 'F139', 'F140', 'F180'],
    ...['F185', 'F188', 'F191', 'T16', 'T17', 'T18', 'T19', 'T27'],
  ],
}

const { problems, summary } = checkFaults(process.cwd(), SHOWN)
report(problems, summary)

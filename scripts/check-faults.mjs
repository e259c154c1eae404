// Holds the catalogue of faults and the names of the tests to each other.
import { checkFaults } from './checks/faults.mjs'
import { report } from './checks/report.mjs'

/** The layers whose every fault has a test; each is a folder of packages. */
const FINISHED_LAYERS = ['core']

const { problems, summary } = checkFaults(process.cwd(), FINISHED_LAYERS)
report(problems, summary)

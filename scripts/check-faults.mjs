// Holds the catalogue of faults and the names of the tests to each other.
import { checkFaults } from './checks/faults.mjs'
import { report } from './checks/report.mjs'

/** What the tests of each layer show by now. */
const SHOWN = {
  core: /** @type {const} */ ('all'),
  agent: [
    ...['I8', 'F011', 'F012', 'F014', 'F019', 'F041', 'F042', 'F045', 'F119'],
    ...['F129', 'F131', 'F133', 'F136', 'F138', 'F139', 'F140', 'F141'],
    ...['F142', 'F145'],
    ...['F180', 'F184', 'F185', 'F186', 'F188', 'F191'],
    ...['T16', 'T17', 'T18', 'T19', 'T27', 'T50', 'T52'],
    ...['T55'],
  ],
  store: [
    ...['F139', 'F143', 'F144', 'F146', 'F147', 'F148', 'F149', 'F151', 'F152'],
    ...['F153', 'F154', 'F155', 'F157', 'F158', 'F159', 'F160', 'F161', 'F162'],
    ...['F164', 'F165', 'F166', 'F167', 'F168', 'F169', 'F171', 'F172', 'F173'],
    ...[
      'F174',
      'F176',
      'F177',
      'F178',
      'F179',
      'F180',
      'F182',
      'F183',
      'F184',
      'F185',
    ],
    ...[
      'F188',
      'F189',
      'F190',
      'F191',
      'F203',
      'F205',
      'F210',
      'F212',
      'F213',
      'F214',
      'F215',
    ],
    ...[
      'T26',
      'T47',
      'T48',
      'T49',
      'T50',
      'T51',
      'T52',
      'T54',
      'T55',
      'T56',
      'T59',
    ],
    ...['T60'],
  ],
}

const { problems, summary } = checkFaults(process.cwd(), SHOWN)
report(problems, summary)

// Holds the catalogue of faults and the names of the tests to each other.
import { checkFaults } from './checks/faults.mjs'
import { report } from './checks/report.mjs'

/** What the tests of each layer show by now. */
const SHOWN = {
  core: /** @type {const} */ ('all'),
  agent: listed(`
    F011 F012 F014 F019 F041 F042 F045 F106 F119 F123 F129 F131 F133 F136
    F138 F139 F140 F141 F142 F145 F146 F180 F182 F184 F185 F186 F188 F191 F203
    I2 I3 I5 I6 I8 T08 T09 T10 T11 T14 T16 T17 T18 T19 T21 T22 T25 T26 T27 T30
    T31 T33 T34 T36 T38 T39 T47 T50 T52 T55 T59`),
  handlers: /** @type {const} */ ('all'),
  store: listed(`
    F121 F122 F139 F141 F142 F143 F144 F145 F146 F147 F148 F149 F151
    F152 F153 F154 F155 F157 F158 F159 F160 F161 F162 F164 F165 F166
    F167 F168 F169 F171 F172 F173 F174 F176 F177 F178 F179 F180 F182
    F183 F184 F185 F186 F188 F189 F190 F191 F203 F205 F210 F212 F213
    F214 F215 I3 I5 I6 T26 T32 T47 T48 T49 T50 T51 T52 T54 T55 T56 T59
    T60`),
  daemon: listed(`
    F010 F013 F020 F023 F024 F080 F113 F117 F118 F121 F122 F126 F127 F128
    F145 F147 F162 F167 F173 F176 F177 F180 F182 F183 F185 F189 F192 F193
    F194 F196 F197 F198 F199 F201 F202 F203 F205 F206 F207 F208 F209 F214
    F215 I1 I6 I7 T01 T02 T06 T08 T10 T11 T12 T14 T15 T26 T32 T41 T42 T43
    T44 T46 T47 T48 T49 T51 T54 T55 T56`),
  inspector: /** @type {const} */ ('all'),
}

/** @param {string} ids */
function listed(ids) {
  return ids.trim().split(/\s+/)
}

const { problems, summary } = checkFaults(process.cwd(), SHOWN)
report(problems, summary)

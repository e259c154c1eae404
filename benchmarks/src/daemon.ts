// What the daemon adds: to a turn, to a stream, to the start of a command.
import { measureStarts } from './daemon/starts.ts'
import { measureStreams } from './daemon/streams.ts'
import { measureTurns } from './daemon/turns.ts'

const round = (value: number, digits = 2) => Number(value.toFixed(digits))

const turns = await measureTurns()
console.log(
  `A turn: ${round(turns.inProcess)} ms in process, ${round(turns.throughHttp)} ms through HTTP (p50); ` +
    `${round(turns.overhead)} ms more; ` +
    `${round(turns.perSecond.inProcess, 0)} and ${round(turns.perSecond.throughHttp, 0)} a second, one after the other.`,
)

const streams = await measureStreams(2_000)
console.log(
  `${streams.streams} streams: ${round(streams.kbPerStream, 1)} kB each; each was told ${streams.itemsEach} items, ` +
    `${round(streams.itemsPerSecond, 0)} a second for all; the loop was held up ${round(streams.maxLoopBlockMs, 1)} ms at worst ` +
    `(${round(streams.openBlockMs, 1)} ms while they came, ${round(streams.closeBlockMs, 1)} ms while all left at once).`,
)

const starts = await measureStarts()
console.log(
  `Starts: node ${round(starts.bare, 1)} ms, hookline --version ${round(starts.version, 1)} ms, bridge ${round(starts.bridge, 1)} ms (p50).`,
)

console.log(
  JSON.stringify({
    overheadMsP50: round(turns.overhead),
    kbPerStream: round(streams.kbPerStream, 1),
    maxLoopBlockMs: round(streams.maxLoopBlockMs, 1),
    bridgeMs: round(starts.bridge - starts.bare, 1),
    versionMs: round(starts.version - starts.bare, 1),
  }),
)

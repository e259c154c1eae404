import { ProtocolError } from '../../protocol/errors.ts'
import type { InputOf } from '../../protocol/operations.ts'

type Moment = InputOf<'testHook'>

/** What a point is given, made of what was said; throws where that is too little. */
export function madeUpInput(point: string, moment: Moment): unknown {
  if (moment.input !== undefined) return moment.input
  const make = makers[point]
  if (make !== undefined) return make(moment)
  const message = `A hook at ${point} is given more than can be made up. Give all of it as JSON with --input; "hookline runs show" shows what hooks were given.`
  throw new ProtocolError('bad-request', message)
}

type Maker = (moment: Moment) => unknown

const makers: Readonly<Record<string, Maker>> = {
  'tool.pre_call': (moment) => ({ ...callOf(moment), grant }),
  'tool.guard': (moment) => ({
    ...callOf(moment),
    grant,
    definitionHash: 'test',
    seal: 'test',
  }),
  'tool.post_call': (moment) => ({
    call: callOf(moment),
    result: {
      content: [{ type: 'text', text: moment.text ?? '' }],
      isError: false,
    },
    status: 'executed',
    elapsedMs: 0,
  }),
  'turn.input': said,
  'turn.pre_turn': said,
}

const grant = { decision: 'allow', sandbox: 'none', roots: [], network: [] }

function callOf({ tool, owner, safety, args }: Moment) {
  if (tool === undefined) {
    const message = `It is not said which tool is called; for example: --tool shell --args '{"command":"ls"}'.`
    throw new ProtocolError('bad-request', message)
  }
  return {
    id: 'test',
    tool,
    owner: owner ?? 'test',
    safety: safety ?? 'mutating',
    args: args ?? {},
  }
}

function said({ text }: Moment) {
  if (text !== undefined) return { content: [{ type: 'text', text }] }
  const message =
    'It is not said what the user says; for example: --text "Deploy it.".'
  throw new ProtocolError('bad-request', message)
}

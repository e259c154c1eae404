import { nearestName } from '../../data/nearest-name.ts'
import { events, firingValues, subjectValues } from '../claude-code/events.ts'
import { readClaudeMatcher } from '../claude-code/matcher.ts'
import type { ForeignHook } from '../dialect.ts'
import type { RegexEngine } from '../foreign-regex.ts'
import { fits, type Matcher } from '../matcher.ts'
import { type Remark, remark } from './remark.ts'
import { knownTools } from './tool-names.ts'

/** What a matcher does not do, although it looks as if. */
export function checkMatcher(
  { event, matcher }: ForeignHook,
  regex: RegexEngine,
): readonly Remark[] {
  if (matcher === undefined || matcher === '' || matcher === '*') return []
  const { subject } = events[event] ?? {}
  if (subject === undefined) {
    const message = `A matcher has no effect at ${event}: the hook runs every time.`
    return [remark('warning', 'matcher-ignored', message, 'Leave it out.')]
  }
  const read = readClaudeMatcher(matcher, event, regex)
  if (subject !== 'tool') return checkValues(event, read)
  const meant = checkIntent(matcher, read)
  return meant.length > 0 ? meant : checkTools(matcher, read)
}

function checkValues(event: string, matcher: Matcher): readonly Remark[] {
  const known = subjectValues[event]
  if (known === undefined) return checkEventName(matcher)
  const firing = firingValues[event] ?? known
  if (matcher.type === 'names') {
    const isOften = matcher.names.some((name) => firing.includes(name))
    const severity = isOften ? 'note' : 'warning'
    return matcher.names.flatMap((name) => checkValue(name, event, severity))
  }
  if (firing.some((value) => fits(matcher, value))) return []
  const message = `The matcher fits nothing that ${event} is asked about here.`
  return [
    remark(
      'error',
      'matcher-value',
      message,
      `There is: ${firing.join(', ')}.`,
    ),
  ]
}

/** Where any name may be meant, that of an event hardly is. */
function checkEventName(matcher: Matcher): readonly Remark[] {
  const names = matcher.type === 'names' ? matcher.names : []
  return names
    .filter((name) => Object.hasOwn(events, name))
    .map((name) => {
      const message = `"${name}" is an event, and no name that the matcher is compared with, so that it never fits.`
      return remark('warning', 'matcher-value', message, 'Leave it out.')
    })
}

/** Severity: of a value that there is, but not here. */
function checkValue(
  name: string,
  event: string,
  severity: Remark['severity'],
): readonly Remark[] {
  const known = subjectValues[event] ?? []
  if (firingValues[event]?.includes(name)) return []
  if (known.includes(name)) {
    const message = `${event} never happens with "${name}" here.`
    return [remark(severity, 'matcher-value', message)]
  }
  const nearest = nearestName(name, known)
  const message = `${event} knows no "${name}", so that it never fits.`
  const hint = nearest ?? known.join(', ')
  return [remark('error', 'matcher-value', message, `There is: ${hint}.`)]
}

/** Things that people take a matcher for. */
function checkIntent(matcher: string, read: Matcher): readonly Remark[] {
  if (/^[A-Za-z_]\w*\(.+\)$/.test(matcher)) {
    const message =
      'A permission rule is no matcher: as one it is a regular expression that fits no tool.'
    const [, tool = ''] = /^(\w+)\(/.exec(matcher) ?? []
    const suggestion = `"matcher": "${tool}", and in the hook "if": "${matcher}"`
    return [remark('error', 'rule-in-matcher', message, suggestion)]
  }
  if (/==|&&|!=|\btool(?:_name)?\s*[=~]/.test(matcher)) {
    const effect = fits(read, 'Bash') && fits(read, 'Read') ? 'every' : 'no'
    const message = `A matcher is no expression: as the regular expression that it is, it fits ${effect} tool.`
    return [
      remark('error', 'matcher-expression', message, '"matcher": "Edit|Write"'),
    ]
  }
  if (/\|\s*\|/.test(matcher)) return [emptyAlternative(matcher)]
  if (/\.\w{1,4}$|^\.?\/|\*\*|\/\*/.test(matcher)) {
    const message =
      'A matcher is compared with the name of the tool, never with the name of a file.'
    const suggestion =
      '"matcher": "Edit|Write", and in the hook "if": "Edit(*.ts)"'
    return [remark('error', 'file-matcher', message, suggestion)]
  }
  if (/(?<![.)\]}])\*/.test(matcher)) {
    const message =
      'A "*" is no wildcard here: in a regular expression it repeats the sign before it.'
    const suggestion = `"matcher": "${matcher.replaceAll(/(?<![.)\]}])\*/g, '.*')}"`
    return [remark('warning', 'glob-matcher', message, suggestion)]
  }
  return []
}

function emptyAlternative(matcher: string): Remark {
  const isNames = /^[A-Za-z0-9_\- ,|]+$/.test(matcher)
  const effect = isNames
    ? 'the empty name between them fits no tool'
    : 'the empty alternative fits every tool'
  const message = `Alternatives are separated by one "|"; with two, ${effect}.`
  const suggestion = `"matcher": "${matcher.replaceAll(/\s*\|\s*\|\s*/g, '|')}"`
  return remark(
    isNames ? 'warning' : 'error',
    'empty-alternative',
    message,
    suggestion,
  )
}

function checkTools(text: string, matcher: Matcher): readonly Remark[] {
  switch (matcher.type) {
    case 'all':
      return []
    case 'invalid': {
      const message = `The matcher ${matcher.problem}, and so it fits nothing.`
      return [remark('error', 'bad-matcher', message)]
    }
    case 'names':
      return matcher.names.flatMap(checkName)
    case 'regex':
      return [...checkLinear(matcher.isLinear), ...checkAnchors(text, matcher)]
  }
}

function checkLinear(isLinear: boolean): readonly Remark[] {
  if (isLinear) return []
  const message =
    'The matcher has a look-around or a back-reference, so that it is tried only for a moment, and taken to fit what it is not done with by then.'
  return [remark('note', 'regex-not-linear', message)]
}

/** Tools that a pattern fits only because it may stand anywhere in a name. */
function checkAnchors(text: string, matcher: Matcher): readonly Remark[] {
  if (/^\^|\$$|^\.\*/.test(text) || text.includes('mcp__')) return []
  const starts = text.split('|').map((one) => one.replace(/^\(+/, ''))
  const isMeant = (tool: string) =>
    starts.some((start) => tool.startsWith(start.match(/^\w*/)?.[0] ?? ''))
  const others = knownTools.filter(
    (tool) => fits(matcher, tool) && !isMeant(tool),
  )
  if (others.length === 0) return []
  const message = `The matcher is a regular expression that may stand anywhere in a name, so that it also fits ${others.join(', ')}.`
  return [remark('note', 'not-anchored', message, `"matcher": "^(${text})$"`)]
}

function checkName(name: string): readonly Remark[] {
  if (name === '' || knownTools.includes(name) || name === '*') return []
  if (/^mcp__[^_]+(?:_[^_]+)*$/.test(name)) {
    const message = `"${name}" is the name of a server, and fits none of its tools.`
    const suggestion = `"matcher": "${name}__.*"`
    return [remark('error', 'mcp-server-only', message, suggestion)]
  }
  if (name.startsWith('mcp__')) return []
  const lower = name.toLowerCase()
  const same = knownTools.find((tool) => tool.toLowerCase() === lower)
  if (same !== undefined) {
    const message = `Names of tools have capitals: "${name}" fits no tool.`
    return [remark('error', 'tool-name-case', message, `"matcher": "${same}"`)]
  }
  const nearest = nearestName(name, knownTools)
  if (nearest === undefined) return []
  const message = `No tool of the product is called "${name}".`
  return [
    remark('warning', 'unknown-tool', message, `Did you mean "${nearest}"?`),
  ]
}

import type {
  BuiltinDefinition,
  CommandDefinition,
  HandlerDefinition,
  HttpDefinition,
  ModuleDefinition,
  PromptDefinition,
  SandboxDefinition,
} from '../handlers/definition.ts'
import { checkBuiltin, checkCommand, checkHttp } from './check-handler.ts'
import { jsonObject, list, object, record } from './shape/containers.ts'
import { flag, number, text, word } from './shape/scalars.ts'
import { described, type Shape } from './shape/shape.ts'
import { byType } from './shape/unions.ts'

/** No character that a system call would take for the end. */
const part = text({
  pattern: /^[^\0]*$/,
  kind: 'text without a zero character',
  mayBeEmpty: true,
})
const path = text({
  pattern: /^[^\0]+$/,
  kind: 'a path',
  maxLength: 4096,
})
const variablePattern = /^[A-Za-z_][A-Za-z0-9_]*$/
const variable = text({
  pattern: variablePattern,
  kind: 'the name of a variable',
  maxLength: 200,
})

const maxVariables = 100

export const variableNames = list(variable, { max: maxVariables })
export const variableValues = record(part, {
  keys: variablePattern,
  kind: 'name of a variable',
  max: maxVariables,
})

const bytes = number({ isWhole: true, min: 1, max: 2 ** 30 })
const argv = list(part, { min: 1, max: 1000 })

/** Timers of more than this fire at once. */
export const milliseconds = number({ min: 1, max: 2 ** 31 - 1 })

const sandbox = object<SandboxDefinition>(
  {
    network: described(flag, 'Whether it may use the network; default: no.'),
    writable: described(list(path), 'Folders it may write to.'),
    readOnly: described(list(path), 'What within them it may only read.'),
    hidden: described(list(path), 'Folders it does not see at all.'),
    maxProcesses: described(
      number({ isWhole: true, min: 1, max: 100_000 }),
      'At the same time; default: 256.',
    ),
    maxMemoryMb: described(
      number({ isWhole: true, min: 1, max: 2 ** 24 }),
      'Of each process, and of all together; default: 2048.',
    ),
    maxDiskMb: described(
      number({ isWhole: true, min: 1, max: 2 ** 24 }),
      'Of each file that it writes, and of its own /tmp; default: 1024.',
    ),
  },
  [],
)

const command = object<CommandDefinition>(
  {
    type: word(['command']),
    argv: described(
      argv,
      'The program and its arguments; no shell reads them. A program with a relative path starts at the folder of this file.',
    ),
    windowsArgv: described(argv, 'In place of argv on Windows.'),
    shell: described(part, 'In place of argv: a script for a shell.'),
    mode: described(
      word(['spawn', 'resident']),
      'resident: one process for all calls, a line of JSON each.',
    ),
    framing: described(
      word(['line', 'size']),
      'How a resident process is given each envelope. size: its size in bytes comes first, on a line, for scripts that read lines slowly, such as those of bash.',
    ),
    env: described(
      variableNames,
      'Variables of the environment that it gets beside the harmless ones.',
    ),
    setEnv: described(variableValues, 'Further variables, as they are.'),
    cwd: described(
      path,
      'Where it runs; default: the folder of the session. A relative path starts at the folder of this file.',
    ),
    sandbox: described(
      sandbox,
      'Confined by bubblewrap; where that is missing it does not run at all.',
    ),
    graceMs: described(milliseconds, 'From asking it to end to ending it.'),
    maxStdoutBytes: bytes,
    maxStderrBytes: bytes,
  },
  ['type'],
)

const http = object<HttpDefinition>(
  {
    type: word(['http']),
    url: described(
      text({ pattern: /^https?:/, kind: 'an http or https address' }),
      'Where the envelope is posted to; https, or http to this machine.',
    ),
    headers: described(
      record(
        text({
          pattern: /^[\t\x20-\x7e\x80-\xff]*$/,
          kind: 'a line of text',
          mayBeEmpty: true,
        }),
        {
          keys: /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/,
          kind: 'name of a header',
          max: 100,
        },
      ),
      'Further headers; they can name variables, which env has to name, too.',
    ),
    env: described(variableNames, 'Variables that headers may name.'),
    secretEnv: described(
      variable,
      'The variable with the key that requests are signed with.',
    ),
    mustSign: described(flag, 'Whether the reply has to be signed as well.'),
    allowPrivate: described(
      flag,
      'Whether addresses in private ranges may be asked.',
    ),
    mayRepeat: described(
      flag,
      'Whether the server knows a run it has seen, so that a lost request is sent once more.',
    ),
    concurrency: number({ isWhole: true, min: 1, max: 1000 }),
    maxBodyBytes: bytes,
  },
  ['type', 'url'],
)

const prompt = object<PromptDefinition>(
  {
    type: word(['prompt']),
    model: described(text(), 'The name of a model.'),
    template: described(
      text({ maxLength: 100_000 }),
      'What the model is told. {{input.…}} stands for a value of what the point is given, such as {{input.args.command}} or {{input.reply}}; {{scope.…}}, {{point}} and {{hook}} can be named, too. Where something can be refused there has to be a value, but for {{input.…?}}, which may be missing. Without any place, all of it goes below the text.',
    ),
    maxOutputTokens: number({ isWhole: true, min: 1, max: 1_000_000 }),
    mustAgree: flag,
  },
  ['type', 'model', 'template'],
)

const module = object<ModuleDefinition>(
  {
    type: word(['module']),
    file: described(path, 'A TypeScript or JavaScript file.'),
    export: described(
      text({ pattern: /^[A-Za-z_$][\w$]*$/, kind: 'the name of an export' }),
      'Which of its exports runs; default: run.',
    ),
    isolation: described(
      word(['thread', 'process-wide']),
      'Default: in a thread for its file, which can be ended.',
    ),
    env: described(
      variableNames,
      'Variables of the environment that its thread gets.',
    ),
    maxMemoryMb: number({ isWhole: true, min: 1, max: 2 ** 20 }),
  },
  ['type', 'file'],
)

const builtin = object<BuiltinDefinition>(
  {
    type: word(['builtin']),
    name: described(text({ maxLength: 200 }), 'The name it is registered by.'),
    options: jsonObject,
  },
  ['type', 'name'],
)

/** What a hook calls. The names of builtins are known where they are registered. */
export function handlerShape(
  builtins: readonly string[] | undefined,
): Shape<HandlerDefinition> {
  return described(
    byType<HandlerDefinition>({
      command: checkCommand(command),
      http: checkHttp(http),
      prompt,
      module,
      builtin: checkBuiltin(builtin, builtins),
    }),
    'What the hook calls.',
  )
}

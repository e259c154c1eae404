import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const languages = ['bash', 'python', 'node'] as const
export type Language = (typeof languages)[number]

/** The same hook in three languages: it reads the moment, and lets it go on. */
export interface Program {
  readonly language: Language
  /** Answers once, and ends. */
  readonly once: readonly string[]
  /** Answers every envelope that it reads. */
  readonly resident: readonly string[]
  readonly framing: 'line' | 'size'
}

const bashOnce = `read -r moment
echo '{"type":"proceed"}'
`
const bashResident = `LC_ALL=C
while read -r size && IFS= read -r -N "$size" moment; do
  run=\${moment#*\\"run\\":\\"}
  echo "{\\"type\\":\\"proceed\\",\\"run\\":\\"\${run%%\\"*}\\"}"
done
`
const pythonOnce = `import json, sys
json.load(sys.stdin)
print(json.dumps({"type": "proceed"}))
`
const pythonResident = `import json, sys
for line in sys.stdin:
    moment = json.loads(line)
    print(json.dumps({"type": "proceed", "run": moment["run"]}), flush=True)
`
const nodeOnce = `import { readFileSync } from 'node:fs'
JSON.parse(readFileSync(0, 'utf8'))
console.log(JSON.stringify({ type: 'proceed' }))
`
const nodeResident = `import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const { run } = JSON.parse(line)
  console.log(JSON.stringify({ type: 'proceed', run }))
}
`

/** Writes them to a folder. */
export function writePrograms(folder: string): readonly Program[] {
  const write = (name: string, text: string) => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }
  return [
    {
      language: 'bash',
      once: ['bash', write('once.sh', bashOnce)],
      resident: ['bash', write('resident.sh', bashResident)],
      framing: 'size',
    },
    {
      language: 'python',
      once: ['python3', write('once.py', pythonOnce)],
      resident: ['python3', write('resident.py', pythonResident)],
      framing: 'line',
    },
    {
      language: 'node',
      once: [process.execPath, write('once.mjs', nodeOnce)],
      resident: [process.execPath, write('resident.mjs', nodeResident)],
      framing: 'line',
    },
  ]
}

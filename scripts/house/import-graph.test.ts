import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkDocs, syncDocs } from '../checks/docs.mjs'
import { temporaryTree } from '../checks/temporary-tree.ts'
import { drawImports } from './import-graph.mjs'

const imports = (...specifiers: string[]) =>
  specifiers.map((one) => `import '${one}'`).join('\n')

const project = {
  'packages/core/src/index.ts': imports('./table/order.ts'),
  'packages/core/src/engine/run.ts': '',
  'packages/core/src/engine/run.test.ts': imports('../table/order.ts'),
  'packages/core/src/judge/read.ts': imports('../engine/run.ts'),
  'packages/core/src/table/order.ts': imports(
    '../judge/read.ts',
    '../engine/run.ts',
  ),
  'packages/agent/src/hook-set/open.ts': imports('hookline/lifecycle'),
  'packages/agent/src/hook-set/fixtures/bench.ts': imports('../../loop/go.ts'),
  'packages/agent/src/loop/go.ts':
    "import type { A } from '../hook-set/open.ts'",
  'packages/daemon/src/cli/main.ts': imports(
    'hookline',
    '@hookline/agent/config',
  ),
}

test('folders are drawn with what they import, and packages with theirs', () => {
  expect(drawImports(temporaryTree(project)).split('\n')).toEqual([
    'flowchart TB',
    '  subgraph agent',
    '    agent_hook_set["hook-set/"]',
    '    agent_loop["loop/"]',
    '    agent_loop --> agent_hook_set',
    '  end',
    '  subgraph core',
    '    core_engine["engine/"]',
    '    core_judge["judge/"]',
    '    core_table["table/"]',
    '    core_judge --> core_engine',
    '    core_table --> core_judge',
    '  end',
    '  subgraph daemon',
    '    daemon_cli["cli/"]',
    '  end',
    '  agent --> core',
    '  daemon --> agent',
  ])
})

test('folders that import each other keep what they import besides', () => {
  const drawn = drawImports(
    temporaryTree({
      'packages/web/src/app/main.ts': imports('../views/a.ts', '../ui/box.ts'),
      'packages/web/src/views/a.ts': imports('../app/main.ts', '../ui/box.ts'),
      'packages/web/src/ui/box.ts': '',
    }),
  )
  const edges = drawn.split('\n').filter((line) => line.includes('-->'))
  expect(edges.map((line) => line.trim())).toEqual([
    'web_app --> web_ui',
    'web_app --> web_views',
    'web_views --> web_app',
    'web_views --> web_ui',
  ])
})

test('the picture in a document is held to the sources, and written from them', () => {
  const page = '<!-- drawn imports -->\n```mermaid\nflowchart TB\n```\n'
  const root = temporaryTree({ ...project, 'ARCHITECTURE.md': page })
  expect(checkDocs(root).problems).toEqual([
    {
      file: 'ARCHITECTURE.md',
      line: 2,
      message: 'The code differs from drawn imports; run npm run docs:sync.',
    },
  ])
  expect(syncDocs(root)).toEqual(['ARCHITECTURE.md'])
  expect(checkDocs(root).problems).toEqual([])
  const written = readFileSync(`${root}/ARCHITECTURE.md`, 'utf8')
  expect(written).toContain('core_judge --> core_engine')
})

test('a picture that nobody draws is a problem', () => {
  const page = '<!-- drawn horses -->\n```mermaid\nflowchart TB\n```\n'
  const root = temporaryTree({ ...project, 'ARCHITECTURE.md': page })
  expect(checkDocs(root).problems).toMatchObject([
    { message: 'There is no drawn horses.' },
  ])
})

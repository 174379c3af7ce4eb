import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { checkArguments } from '../../src/cli/check-arguments.ts'
import { rootCommand } from '../../src/cli/command-tree.ts'
import { argumentsOf, findCommand } from '../../src/cli/find-command.ts'
import { type Block, readPage } from '../docs/markdown.ts'
import { isMissing } from '../support/missing.ts'
import { loadWith, readText, readYaml, root } from './deploy-files.ts'
import { askHelm } from './rendered-chart.ts'
import { runChecker, succeeds } from './run-checker.ts'

/** Nothing of these pages can run in a test, because it installs things or needs a cluster; so it is checked otherwise. */
const pages = ['deploying', 'sizing'].map(name => readPage(join(root, 'docs', `${name}.md`)))
const blocks = pages.flatMap(page => page.blocks)
const shell = blocks.filter(({ language }) => language === 'sh')

const folder = mkdtempSync(join(tmpdir(), 'rialto-pages-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the pages about deploying', () => {
  test('have no block that nothing looks at', () => {
    const kinds = new Set(blocks.map(({ language, words }) => [language, ...words].join(' ')))
    expect([...kinds].sort()).toEqual(['ini drop-in', 'sh', 'sql', 'yaml config', 'yaml values'])
  })

  test.each(shell.map(named))('are right about the shell in %s', (_, { text }) => {
    expect(runChecker('bash', ['-n'], { input: text })).toEqual({ code: 0, output: '' })
  })

  test.each(shell.flatMap(commandsOf))('name in %s a command that there is', async (_, line) => {
    const words = runChecker('bash', ['-c', `printf '%s\\n' ${line}`])
      .output.trimEnd()
      .split('\n')
    const found = await findCommand(rootCommand, words)
    const known = await argumentsOf(found.command)
    expect(() => checkArguments(found.words, known)).not.toThrow()
  })

  test('name files that there are', () => {
    const text = pages.map(({ path }) => readText(path.slice(root.length))).join('\n')
    const paths = new Set(text.match(/\b(?:deploy\/[\w./-]*\w|compose\.yaml)/g))
    expect(paths.size).toBeGreaterThan(8)
    // The operator makes this one.
    paths.delete('deploy/compose/engines.env')
    expect([...paths].filter(path => !existsSync(join(root, path)))).toEqual([])
  })

  test('name gateways of compose.yaml', () => {
    const { services } = readYaml<{ services: object }>('compose.yaml')
    const asked = shell.flatMap(({ text }) => text.match(/\bgateway-\d\b/g) ?? [])
    expect(new Set(asked)).toEqual(new Set(Object.keys(services).filter(name => name.startsWith('gateway-'))))
  })

  test.each(blocks.filter(({ words }) => words.includes('config')).map(named))(
    'configure a gateway in %s',
    (_, { text }) => {
      expect(() => loadWith(text, {})).not.toThrow()
    },
  )

  test
    .skipIf(isMissing(succeeds('helm', ['version']), 'Helm is not installed'))
    .each(blocks.filter(({ words }) => words.includes('values')).map(named))(
    'give in %s values that the chart takes',
    (_, { text }) => {
      const verdict = askHelm(parse(text))
      expect(verdict, verdict.output).toMatchObject({ code: 0 })
    },
  )

  test
    .skipIf(isMissing(succeeds('systemd-analyze', ['--version']), 'systemd is not installed'))
    .each(blocks.filter(({ language }) => language === 'ini').map(named))(
    'change in %s what systemd lets be changed',
    (_, { text }) => {
      const complaints = verifyWith(text).split('\n')
      const newer = /Unknown key (?:name )?'Restart(?:Steps|MaxDelaySec)'/
      expect(complaints.filter(line => line !== '' && !newer.test(line))).toEqual([])
    },
  )
})

describe('docs/sizing.md', () => {
  test('shows no figure without the command that measures it', () => {
    const table = pages[1]?.tables.find(({ head }) => head[0] === 'Figure')
    expect(table?.rows.length).toBeGreaterThan(0)
    for (const [figure, , command] of table?.rows ?? []) expect(command, figure).toMatch(/`[^`]+`/)
  })
})

/** What systemd says of the unit with this beside it. */
function verifyWith(dropIn: string): string {
  const unit = join(folder, 'rialto.service')
  mkdirSync(`${unit}.d`, { recursive: true })
  writeFileSync(unit, readText('deploy/systemd/rialto.service').replace('/usr/bin/node', process.execPath))
  writeFileSync(join(`${unit}.d`, 'change.conf'), dropIn)
  return runChecker('systemd-analyze', ['verify', '--man=no', unit]).output
}

/** The commands of the gateway in a block, without the word `rialto`. */
function commandsOf(block: Block): [string, string][] {
  const lines = block.text.replaceAll(/\\\n\s*/g, '').split('\n')
  return lines.flatMap(line => {
    const words = /^(?:(?:docker compose exec|kubectl) .*(?:gateway-\d|--) )?rialto ([^#]+)/.exec(line)?.[1]?.trim()
    return words === undefined ? [] : [[`${block.page}:${block.line} rialto ${words}`, words] as [string, string]]
  })
}

function named(block: Block): [string, Block] {
  return [`${block.page}:${block.line}`, block]
}

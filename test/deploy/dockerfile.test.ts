import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readText, root } from './deploy-files.ts'
import { runChecker } from './run-checker.ts'

interface Instruction {
  readonly name: string
  readonly text: string
}

interface Stage {
  readonly from: string
  readonly instructions: readonly Instruction[]
}

const stages = readStages(readText('Dockerfile'))
const last = stages.at(-1)
if (last === undefined) throw new Error('the Dockerfile has no stage')
const engines = (JSON.parse(readText('package.json')) as { engines: { node: string } }).engines
const ignored = readText('.dockerignore').split('\n')

const folder = mkdtempSync(join(tmpdir(), 'rialto-image-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the image', () => {
  test('is made of one base, whose Node is one that the package takes', () => {
    const base = /^ARG NODE_IMAGE=node:(\d+)-/m.exec(readText('Dockerfile'))?.[1]
    expect(engines.node).toBe('>=20.19')
    expect(Number(base)).toBeGreaterThanOrEqual(20)
    expect(new Set(stages.map(({ from }) => from)).size).toBe(1)
  })

  test('has no program of the build in it, and only packages that the gateway runs with', () => {
    expect(textsOf(last, 'RUN').join()).not.toContain('npm')
    const packages = stages.find(({ instructions }) => instructions.some(({ text }) => text.includes('--omit=dev')))
    expect(packages?.from).toBeDefined()
    expect(textsOf(last, 'COPY')).toContain('--from=dependencies /opt/rialto/node_modules node_modules')
  })

  test('runs the gateway, not as root, and so that signals reach it', () => {
    expect(textsOf(last, 'USER')).toEqual(['1000:1000'])
    const afterUser = last.instructions.slice(last.instructions.findIndex(({ name }) => name === 'USER') + 1)
    expect(afterUser.map(({ name }) => name)).toEqual(['EXPOSE', 'ENTRYPOINT', 'CMD'])
    expect(JSON.parse(textsOf(last, 'ENTRYPOINT')[0] ?? '')).toEqual(['node', '/opt/rialto/bin/rialto.js'])
    expect(JSON.parse(textsOf(last, 'CMD')[0] ?? '')).toEqual(['serve', '--host', '0.0.0.0'])
  })

  test('holds all that a command needs', () => {
    for (const [source = '', target = ''] of copied(last)) {
      if (target === 'node_modules') symlinkSync(join(root, source), join(folder, target))
      else cpSync(join(root, source), join(folder, target), { recursive: true })
    }
    const { version } = JSON.parse(readText('package.json')) as { version: string }
    const program = join(folder, 'bin/rialto.js')
    expect(runChecker(process.execPath, [program, '--version'])).toEqual({ code: 0, output: `${version}\n` })
    const made = runChecker(process.execPath, [program, 'init', 'rialto.yaml'], { cwd: folder })
    expect(made, made.output).toMatchObject({ code: 0 })
  })
})

describe('what Docker is sent', () => {
  test('is what the image is built from, and nothing else', () => {
    expect(ignored).toContain('*')
    const allowed = ignored.filter(line => line.startsWith('!')).map(line => line.slice(1))
    const needed = stages.flatMap(copiedFromContext)
    expect(new Set(allowed)).toEqual(new Set(needed))
  })
})

function readStages(text: string): Stage[] {
  const joined = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '')
  const stages: { from: string; instructions: Instruction[] }[] = []
  for (const line of joined.split('\n').filter(candidate => candidate !== '')) {
    const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (name === 'FROM') stages.push({ from: rest.split(' ')[0] ?? '', instructions: [] })
    else stages.at(-1)?.instructions.push({ name, text: rest })
  }
  return stages
}

function textsOf({ instructions }: Stage, name: string): string[] {
  return instructions.flatMap(instruction => (instruction.name === name ? instruction.text : []))
}

/** Source and target of each COPY of one thing, both relative to the repository and to /opt/rialto. */
function copied(stage: Stage): string[][] {
  return textsOf(stage, 'COPY').map(text =>
    text
      .replace(/^--from=\w+ /, '')
      .replace('/opt/rialto/', '')
      .split(' '),
  )
}

function copiedFromContext(stage: Stage): string[] {
  return textsOf(stage, 'COPY').flatMap(text => (text.startsWith('--from=') ? [] : text.split(' ').slice(0, -1)))
}

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { startChild } from '../../src/adapters/documents/pool/child-process.ts'
import { mayChangeUser } from '../../src/adapters/documents/pool/child-user.ts'
import { buildWalls } from '../../src/adapters/documents/pool/walls.ts'
import { buildDocuments } from '../support/documents/built-documents.ts'
import { waitFor } from '../support/wait-for.ts'

const limits = { memoryBytesMax: 512 * 1_048_576, cpuMsMax: 10_000, wallMsMax: 15_000 }
const walls = await buildWalls(limits)
const stands = Object.fromEntries(walls.list.map(({ name, stands }) => [name, stands]))
const command = walls.command()
/** The same walls around another program. */
const wordsFor = (script: string) => {
  const { arguments: words } = walls.command()
  return [
    ...words.slice(
      0,
      words.findIndex(word => word.endsWith('document-child.js')),
    ),
    '-e',
    script,
  ]
}

function run(script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command.file, wordsFor(script), { stdio: ['ignore', 'pipe', 'ignore'], env: {} })
    let output = ''
    child.stdout.on('data', piece => {
      output += piece
    })
    child.on('error', reject)
    child.on('close', () => resolve(output))
  })
}

/** Says whether an attempt worked, whichever way it fails. */
const attempt = (code: string) =>
  `(async () => { try { ${code}; console.log('yes') } catch { console.log('no') } process.exit() })()`

it('on Linux all walls stand, where the system’s own programs are there', () => {
  expect(Object.keys(stands).sort()).toEqual([
    'control_group',
    'files',
    'kernel_limits',
    'memory_watch',
    'network',
    'orphans',
    'user',
  ])
  if (process.platform === 'linux') expect(stands).toMatchObject({ files: true, memory_watch: true })
})

it('a child reaches nobody, this machine included', async () => {
  const server = createServer(socket => socket.destroy()).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const dial = `await new Promise((done, failed) => require('node:net').connect(${port}, '127.0.0.1', done).on('error', failed))`
  const answer = await run(attempt(dial))
  server.close()
  expect(answer).toBe(stands['network'] ? 'no\n' : 'yes\n')
})

it.each([
  ['reads nothing but the program', `require('node:fs').readFileSync('/etc/passwd')`],
  ['writes nothing', `require('node:fs').writeFileSync('${join(tmpdir(), 'rialto-walls-test')}', 'x')`],
  ['starts nothing', `require('node:child_process').execFileSync('/bin/true')`],
])('a child %s', async (_, code) => {
  expect(await run(attempt(code))).toBe(stands['files'] ? 'no\n' : 'yes\n')
})

it('a child is a user of its own where the gateway is root, another one than most other children, and may do nothing as it', async () => {
  const identity = `console.log([process.getuid(), process.getgid(), process.getgroups().length].join(' '))`
  const [uid = 0, gid, groups] = (await run(identity)).trim().split(' ').map(Number)
  if (!stands['user']) return void expect(uid).toBe(process.getuid?.())
  expect(uid).toBeGreaterThanOrEqual(60_600)
  expect([gid, groups]).toEqual([uid, 1])
  const others = new Set(
    Array.from({ length: 20 }, () => walls.command().arguments.find(word => word.startsWith('--reuid'))),
  )
  expect(others.size).toBeGreaterThan(5)
  expect(await run(attempt(`process.kill(${process.pid}, 0)`))).toBe('no\n')
})

it('a gateway that is root gives children a user of their own, where it keeps the rights to end them', () => {
  const root = process.getuid?.() === 0
  expect(mayChangeUser('CapEff:\t000001ffffffffff\n')).toBe(root)
  for (const capabilities of ['0000000000000000', '00000000000000c0', '0000000000000020'])
    expect(mayChangeUser(`CapEff:\t${capabilities}\n`)).toBe(false)
  expect(mayChangeUser('')).toBe(false)
})

it('a child has nothing open that the gateway has, nor what the gateway was started with', async () => {
  const built = await buildDocuments()
  const parent = `
    const { buildWalls, startChild } = await import('${built.address}')
    const held = await (await import('node:fs/promises')).open('${import.meta.filename}')
    const server = (await import('node:net')).createServer().listen(0, '127.0.0.1')
    const { command } = await buildWalls(${JSON.stringify(limits)})
    console.log(startChild(command(), null).pid)
    setInterval(() => held.fd + server.address().port, 1_000)`
  const extra = await open(import.meta.filename)
  const stdio = ['ignore', 'pipe', 'ignore', ...Array<'ignore'>(17).fill('ignore'), extra.fd] as const
  const gateway = spawn(process.execPath, ['--input-type=module', '-e', parent], { stdio: [...stdio] })
  try {
    const pid = `${await once(gateway.stdout as Readable, 'data')}`.trim()
    const sharedFiles = () => {
      const own = openOf(`${gateway.pid}`)
      expect(own.filter(target => target === import.meta.filename)).toHaveLength(2)
      return openOf(pid).filter(target => own.includes(target) && !/^(\/dev\/null$|anon_inode:)/.test(target))
    }
    await waitFor('the child to have closed what it was given', () => sharedFiles().length === 0)
  } finally {
    gateway.kill('SIGKILL')
    await extra.close()
    built.remove()
  }
})

/** What a process has open, as the kernel names it. */
function openOf(pid: string): readonly string[] {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).flatMap(name => {
    try {
      return [readlinkSync(join(folder, name))]
    } catch {
      return []
    }
  })
}

it('a child has nothing of the gateway’s environment', async () => {
  process.env['RIALTO_WALLS_TEST'] = 'secret'
  const script = 'console.log(Object.keys(process.env).sort().join(" "))'
  const child = startChild({ file: process.execPath, arguments: ['-e', script] }, null)
  expect(`${await once(child.stdout, 'data')}`).toBe('MALLOC_ARENA_MAX VIPS_DISC_THRESHOLD\n')
  await child.exited
})

it('a child that computes does not outlive a gateway that was killed', async () => {
  const spin = wordsFor("process.stdout.write('up\\n'); for (;;) {}")
  const parent = `
    const child = require('node:child_process').spawn(${JSON.stringify(command.file)}, ${JSON.stringify(spin)}, { stdio: ['ignore', 'pipe', 'ignore'], detached: true, env: {} })
    child.stdout.once('data', () => console.log(child.pid))`
  const gateway = spawn(process.execPath, ['-e', parent], { stdio: ['ignore', 'pipe', 'ignore'] })
  const pid = Number(await new Promise(resolve => gateway.stdout.once('data', resolve)))
  gateway.kill('SIGKILL')
  if (!stands['orphans']) return void process.kill(pid, 'SIGKILL')
  await waitFor('the child to end', () => {
    try {
      return !process.kill(pid, 0)
    } catch {
      return true
    }
  })
})

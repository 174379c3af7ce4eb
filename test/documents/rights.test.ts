import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { buildDocuments } from '../support/documents/built-documents.ts'
import { missing } from '../support/missing.ts'

const built = await buildDocuments()
afterAll(built.remove)

/** A gateway's reader in a process of its own, which says what it read, or why it did not. */
const reading = `
  const { openDocuments, systemClock: clock, systemTimers: timers } = await import('${built.address}')
  const limits = { memoryBytesMax: 536_870_912, cpuMsMax: 10_000, wallMsMax: 60_000 }
  const documents = openDocuments({ childrenMax: 1, ...limits, clock, timers })
  const read = async text => {
    const document = { bytes: Buffer.from(text), name: null, mediaType: null, accountId: 'a' }
    const reading = await documents.reader.read(document, AbortSignal.timeout(60_000))
    console.log(reading.kind === 'text' ? reading.text : reading.reason)
  }
`

async function run(words: readonly string[], script: string): Promise<string> {
  const [file = process.execPath, ...rest] = [...words, process.execPath]
  const { stdout } = await promisify(execFile)(file, [...rest, '--input-type=module', '-e', reading + script])
  return stdout.trim()
}

function works(file: string, ...words: string[]): boolean {
  try {
    execFileSync(file, [...words, process.execPath, '--version'])
    return true
  } catch {
    return false
  }
}

describe('a gateway reads files', () => {
  const without = (...names: string[]) => {
    const list = names.map(name => `-${name}`).join(',')
    return ['setpriv', `--bounding-set=${list}`, `--inh-caps=${list}`]
  }

  it.for<[string, string[]]>([
    ['as it was started', []],
    ['as root that may not make namespaces, as in a container', without('sys_admin')],
    ['as root that may not become another user', without('sys_admin', 'setuid')],
    ['as root that may do nothing that root may', without('all')],
    ['as a user who is not root', ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']],
    ['without further rights', ['setpriv', '--no-new-privs']],
    ['without util-linux', ['env', 'PATH=/nowhere']],
  ])('%s', async ([, words], ctx) => {
    const [file, ...rest] = words
    if (file !== undefined && !works(file, ...rest)) return ctx.skip(missing(`${words.join(' ')} does not work here`))
    expect(await run(words, 'await read("words"); await documents.close()')).toBe('words')
  })
})

it('a machine without room for a process says so for the moment, and ends no gateway', async ctx => {
  if (!works('prlimit', '--nofile=256')) return ctx.skip(missing('prlimit does not work here'))
  const script = `
    const { closeSync, openSync } = await import('node:fs')
    const fill = () => { const open = []; for (;;) try { open.push(openSync('/')) } catch { return open } }
    const empty = open => { for (const descriptor of open) closeSync(descriptor) }
    const before = fill()
    await read('one')
    empty(before)
    await read('two')
    await new Promise(resolve => setTimeout(resolve, 300))
    const between = fill()
    await read('three')
    await read('four')
    empty(between)
    await read('five')
    await documents.close()`
  expect((await run(['prlimit', '--nofile=256'], script)).split('\n')).toEqual(['busy', 'two', 'three', 'busy', 'five'])
})

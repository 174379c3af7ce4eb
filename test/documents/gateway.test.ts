import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pageOf, pdfFile } from '../support/documents/pdf-file.ts'
import { useGateway } from '../support/gateway/index.ts'
import { isMissing } from '../support/missing.ts'
import { waitFor } from '../support/wait-for.ts'

/** There is no folder for passing files: nothing may need one. */
const gateway = useGateway({
  environment: { TMPDIR: '/nowhere' },
  settings: { documents: { maxChildren: 2 } },
  accounts: { other: {} },
})
const pages = Array.from({ length: 20 }, (_, at) => pageOf([`page ${at + 1}`, ...Array(40).fill('some more words')]))
const slowFile = pdfFile(pages)

async function send(bytes: Uint8Array, account = 'main'): Promise<Response> {
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(bytes)]), 'file')
  const headers = { authorization: `Bearer ${gateway.account(account).key}` }
  return fetch(`${gateway.url}/api/v1/augment/text-parser`, { method: 'POST', body: form, headers })
}

/** The children that read files, or wait for one. */
function readersOf(gatewayPid: number): readonly number[] {
  const pids = readFileSync(`/proc/${gatewayPid}/task/${gatewayPid}/children`, 'latin1').split(' ').filter(Boolean)
  return pids.map(Number).filter(isReader)
}

function isReader(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('dist/document-child.js')
  } catch {
    return false
  }
}

async function spentNano(): Promise<bigint> {
  return BigInt((await gateway.client.credits(gateway.account('main').key)).usedNano)
}

describe.skipIf(isMissing(process.platform === 'linux', 'only Linux shows the children of a process'))(
  'the running gateway',
  () => {
    it('says of a file whose process is killed that it broke off, charges nothing, and reads it when it comes again', async () => {
      expect((await send(Buffer.from('first'))).status).toBe(200)
      const before = await spentNano()
      const answer = send(slowFile)
      const ended = answer.then(() => true)
      await waitFor('the answer', () => {
        for (const pid of readersOf(gateway.process.pid)) process.kill(pid, 'SIGKILL')
        return Promise.race([ended, Promise.resolve(false)])
      })
      const { status, text } = await answer.then(async answer => ({ status: answer.status, text: await answer.text() }))
      expect(status).toBe(400)
      expect(text).toContain('reading it broke off')
      expect(await spentNano()).toBe(before)
      expect((await send(slowFile)).status).toBe(200)
    })

    it('reads a file once for the account that sent it, and anew for another', async () => {
      const file = Buffer.from('words that two accounts have')
      expect((await send(file)).status).toBe(200)
      const ready = await waitFor('one child to be ready and no other', () => theOnly(readersOf(gateway.process.pid)))
      expect(await (await send(file)).json()).toMatchObject({ text: `${file}` })
      expect(readersOf(gateway.process.pid)).toEqual([ready])
      expect(await (await send(file, 'other')).json()).toMatchObject({ text: `${file}` })
      await waitFor('the child that was ready to be used', () => !readersOf(gateway.process.pid).includes(ready))
    })

    it('lets nobody wait behind a hundred files of somebody else', async () => {
      let answered = 0
      const hundred = Array.from({ length: 100 }, async (_, at) => {
        const answer = await send(Buffer.from(`number ${at}`))
        if (answer.status === 200) answered += 1
        return { status: answer.status, text: await answer.text() }
      })
      await waitFor('some of them to be read', () => answered > 0)
      expect((await send(Buffer.from('the only one'), 'other')).status).toBe(200)
      expect(answered).toBeLessThan(20)
      const answers = await Promise.all(hundred)
      const refused = answers.filter(({ status }) => status !== 200)
      expect(answers.length - refused.length).toBeGreaterThanOrEqual(20)
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]))
      for (const { text } of refused) expect(text).toContain('Too many files are being read now')
    })

    it('that is told to stop answers what it has begun, and leaves no process', async () => {
      const answers = Promise.all([0, 1].map(at => send(pdfFile([...pages, pageOf([`stop ${at}`])]))))
      const readers = await waitFor('two files to be read', () => atLeastTwo(readersOf(gateway.process.pid)))
      gateway.process.signal('SIGTERM')
      expect((await answers).map(({ status }) => status)).toEqual([200, 200])
      const answeredAt = performance.now()
      expect(await gateway.process.exited).toEqual({ code: 0, signal: null })
      expect(performance.now() - answeredAt).toBeLessThan(9_000)
      expect(readers.filter(isReader)).toEqual([])
      await gateway.serve()
    })

    it('that is killed leaves no process either', async () => {
      const answers = [0, 1].map(at => send(pdfFile([...pages, pageOf([`kill ${at}`])])).catch(() => null))
      const readers = await waitFor('two files to be read', () => atLeastTwo(readersOf(gateway.process.pid)))
      await gateway.process.kill()
      await waitFor('its children to be gone', () => !readers.some(isReader))
      await Promise.all(answers)
      await gateway.serve()
    })
  },
)

function theOnly(pids: readonly number[]): number | undefined {
  return pids.length === 1 ? pids[0] : undefined
}

function atLeastTwo(pids: readonly number[]): readonly number[] | null {
  return pids.length >= 2 ? pids : null
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFreePort } from '../support/gateway/free-port.ts'
import { isMissing } from '../support/missing.ts'
import { openSse } from '../support/read-sse.ts'
import { waitFor } from '../support/wait-for.ts'
import { type DocsGateway, pageSettings, startDocsGateway } from './docs-gateway.ts'
import { pageNamed } from './pages.ts'

const startMs = 120_000
const program = 'nginx'
const hasNginx = spawnSync(program, ['-v']).status === 0
const block = pageNamed('operating').blocks.find(({ language }) => language === 'nginx')

describe.skipIf(isMissing(hasNginx, 'nginx is not installed'))(
  'the configuration of nginx in docs/operating.md',
  () => {
    let docs: DocsGateway
    let nginx: ChildProcess
    let folder: string
    let url: string

    beforeAll(async () => {
      docs = await startDocsGateway(pageSettings)
      folder = await mkdtemp(join(tmpdir(), 'rialto-nginx-'))
      const port = await findFreePort()
      url = `http://127.0.0.1:${port}`
      const file = join(folder, 'nginx.conf')
      await writeFile(file, wholeConfig(folder, { port, gatewayPort: docs.gateway.port }))
      nginx = spawn(program, ['-e', 'stderr', '-p', folder, '-c', file], { stdio: 'ignore' })
      await waitFor('nginx', () => nginx.exitCode !== null || answers(url), { withinMs: 10_000 })
    }, startMs)
    afterAll(async () => {
      if (nginx?.exitCode === null) {
        nginx.kill('SIGTERM')
        await once(nginx, 'exit')
      }
      await docs?.close()
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    }, startMs)

    test('passes each event on while the answer still grows', async () => {
      const reading = await openSse({
        url: `${url}/v1/chat/completions`,
        headers: { authorization: `Bearer ${docs.gateway.account('reader').key}`, 'content-type': 'application/json' },
        body: { model: 'rialto/sandbox', stream: true, messages: [{ role: 'user', content: 'sandbox:slow=200ms' }] },
      })
      await reading.receive(2)
      expect(reading.endedAt).toBeUndefined()
      expect(await reading.ended).toBe('complete')
      expect(reading.doneCount).toBe(1)
      expect(reading.violations).toEqual([])
    })

    test('keeps the metrics inside', async () => {
      const answer = await fetch(`${url}/metrics`)
      expect(answer.status).toBe(403)
    })
  },
)

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health/live`).catch(() => null)
  return answer?.status === 200
}

/** What the page shows, on free ports and without its certificate, and what nginx needs around it to run as anybody. */
function wholeConfig(folder: string, { port, gatewayPort }: { port: number; gatewayPort: number }): string {
  const server = (block?.text ?? '')
    .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
    .replaceAll(/^ *ssl_.*$/gm, '')
    .replace('127.0.0.1:8402', `127.0.0.1:${gatewayPort}`)
  const user = userInfo().username === 'root' ? 'user root root;' : ''
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    name => `${name}_temp_path ${folder}/${name};`,
  )
  return `${user}
worker_processes 1;
daemon off;
error_log stderr error;
pid ${folder}/nginx.pid;
events {}
http {
access_log off;
${temporary.join('\n')}
${server}
}
`
}

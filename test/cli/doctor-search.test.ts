import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { atEnd } from '../support/at-end.ts'
import { startMockSearch } from '../support/mock-search/mock-search.ts'
import { rialto, useInstallation } from './installation.ts'

const installation = useInstallation()

interface Report {
  readonly checks: readonly { name: string; ok: boolean; detail: string; mend: string | null }[]
}

it('doctor asks each search provider once, those that cost only when told to, and says how to mend what fails', async () => {
  const searxng = await startMockSearch('searxng')
  const brave = await startMockSearch('brave')
  const tavily = await startMockSearch('tavily')
  const exa = await startMockSearch('exa')
  const serper = await startMockSearch('serper')
  atEnd(() => Promise.all([searxng, brave, tavily, exa, serper].map(one => one.close())))
  const gone = await startMockSearch('kagi')
  await gone.close()
  const providers = { brave, tavily, exa, serper, kagi: gone }
  const settings = Object.entries(providers).map(([name, { address }]) => [name, { apiKey: 'k', baseUrl: address }])
  const own = { provider: 'searxng', baseUrl: searxng.address, autoModel: 'rialto/nix' }
  const search = { ...own, providers: Object.fromEntries(settings) }
  await writeFile(installation.configFile, JSON.stringify({ search }))
  const examine = async (...more: string[]) => {
    const { stdout } = await rialto(installation, ['doctor', '--json', ...more])
    const { checks } = JSON.parse(stdout) as Report
    return new Map(checks.map(({ name, ok, detail, mend }) => [name, { ok, detail, mend }]))
  }

  const free = await examine()
  expect(free.get('search searxng')).toEqual({ ok: true, detail: 'answered a search', mend: null })
  expect(free.get('search embedded')).toMatchObject({ ok: true, detail: expect.stringContaining('rialto index add') })
  expect(free.get('search brave')).toMatchObject({ ok: true, detail: expect.stringContaining('--search asks it') })
  expect(free.get('search autoModel')).toMatchObject({ ok: false, detail: expect.stringContaining('rialto/nix') })
  expect([searxng, brave].map(({ questions }) => questions.length)).toEqual([1, 0])

  searxng.behave({ kind: 'status', status: 403 })
  tavily.behave({ kind: 'status', status: 401 })
  exa.behave({ kind: 'status', status: 429 })
  serper.behave({ kind: 'body', body: '<html>log in</html>' })
  const asked = await examine('--search')
  expect(asked.get('search brave')).toEqual({ ok: true, detail: 'answered a search', mend: null })
  expect(asked.get('search searxng')).toMatchObject({ ok: false, mend: expect.stringContaining('search.formats') })
  expect(asked.get('search tavily')).toMatchObject({ ok: false, mend: expect.stringContaining('apiKey') })
  expect(asked.get('search exa')).toMatchObject({ ok: false, detail: expect.stringContaining('429') })
  expect(asked.get('search serper')).toMatchObject({ ok: false, mend: 'correct its baseUrl' })
  expect(asked.get('search kagi')).toMatchObject({ ok: false, detail: expect.stringContaining('cannot be reached') })
  expect(brave.questions).toHaveLength(1)
}, 60_000)

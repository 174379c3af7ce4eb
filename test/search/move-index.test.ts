import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createEmbeddedProvider } from '../../src/adapters/search/index/embedded-provider.ts'
import { openPostgresIndex } from '../../src/adapters/search/index/postgres/postgres-index.ts'
import { openSqliteIndex } from '../../src/adapters/search/index/sqlite/sqlite-index.ts'
import type { SearchIndex } from '../../src/domain/search/search-index.ts'
import { cutDocument } from '../../src/domain/search/text/cut-document.ts'
import { Secret } from '../../src/lib/secret.ts'
import { useInstallation } from '../cli/installation.ts'
import { MigrateProcess, migrate } from '../cli/move/migrate-process.ts'
import { addCustomer, openSqlite } from '../conformance/open-test-storage.ts'
import { atEnd } from '../support/at-end.ts'
import { createDatabase, describePostgres } from '../support/postgres/index.ts'

const installation = useInstallation()

const pages = {
  'index:leave.md': '# Leave\n\nEverybody has thirty days of holiday.\n\n## Parents\n\nA year, paid in part.',
  'index:travel.md': '# Travel\n\nTrains before planes. Receipts within thirty days.',
  'https://hr.example/規程': '# 休暇規程\n\n有給休暇は年間三十日です。申請は上司へ。',
  'index:old.md': '# Old rules\n\nNobody smokes in the cellar.',
}
const questions = [
  'thirty-one days of holiday',
  'receipts of trains',
  '有給休暇は何日ですか',
  'parents',
  'who smokes here',
]
const wishes = { limit: 5, language: null, freshness: null }

async function put(index: SearchIndex, address: string, markdown: string, addedAtMs: number): Promise<void> {
  const { title, chunks } = cutDocument(markdown)
  await index.put({ address, title: title ?? address, chunks, addedAtMs })
}

async function answersOf(index: SearchIndex) {
  const provider = createEmbeddedProvider(index)
  return Promise.all(questions.map(question => provider.search(question, wishes, AbortSignal.timeout(20_000))))
}

async function contentOf(index: SearchIndex) {
  const documents = await index.list(null, 100)
  return { documents, whole: await Promise.all(documents.map(({ address }) => index.read(address))) }
}

describePostgres('the search index of a deployment that is moved to PostgreSQL', () => {
  it('comes along: the same documents, parts and answers, also where the move was interrupted', async () => {
    const { url } = await createDatabase()
    const data = join(installation.folder, 'data')
    await mkdir(data, { recursive: true })
    const storage = await openSqlite(join(data, 'rialto.db'))
    await addCustomer(storage, { balanceNano: 5n })
    await storage.close()
    const before = openSqliteIndex(join(data, 'search-index.db'))
    const after = openPostgresIndex(new Secret(url))
    atEnd(() => Promise.all([before.close(), after.close()]))
    for (const [address, markdown] of Object.entries(pages)) await put(before, address, markdown, 1)

    const interrupted = new MigrateProcess(installation, { url, failpoint: 'move.before_commit' })
    expect(await interrupted.ended).toMatchObject({ signal: 'SIGKILL' })
    expect(await after.list(null, 100)).toHaveLength(4)
    await put(before, 'index:leave.md', pages['index:leave.md'].replace('thirty', 'thirty-one'), 2)
    await before.remove('index:old.md')

    const moved = await migrate(installation, { url, parameters: ['--json'] })
    expect([moved.code, JSON.parse(moved.stdout)]).toEqual([0, expect.objectContaining({ ok: true, documents: 3 })])
    expect(await contentOf(after)).toEqual(await contentOf(before))
    const answers = await answersOf(after)
    expect(answers).toEqual(await answersOf(before))
    expect(answers[0]).toHaveProperty('results.0.content', 'Everybody has thirty-one days of holiday.')
    expect(answers.at(-1)).toMatchObject({ failure: 'empty' })
  }, 60_000)
})

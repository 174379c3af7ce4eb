import { expect, it } from 'vitest'
import { createEmbeddedProvider } from '../../src/adapters/search/index/embedded-provider.ts'
import type { DocumentToIndex, SearchIndex } from '../../src/domain/search/search-index.ts'
import { cutDocument } from '../../src/domain/search/text/cut-document.ts'

const wishes = { limit: 10, language: null, freshness: null }
const patience = () => AbortSignal.timeout(20_000)

function document(address: string, markdown: string): DocumentToIndex {
  const { title, chunks } = cutDocument(markdown)
  return { address, title: title ?? address, chunks, addedAtMs: 1_700_000_000_000 }
}

const documents = [
  document(
    'index:postgres.md',
    '# PostgreSQL releases\n\nVersion 18 was released.\n\n## Upgrading\n\nRun pg_upgrade on the old cluster.',
  ),
  document(
    'index:bread.md',
    '# Bread\n\nKnead the dough, let it rest, bake it. A release of steam keeps the crust soft.',
  ),
  document('https://wiki.example/kyoto', '# 京都\n\n京都大学は1897年に設立された。東京大学に次いで古い。'),
  document('https://wiki.example/beijing', '# 北京大学\n\n北京大学创办于1898年,是中国第一所国立综合性大学。猫喜欢鱼。'),
  document('index:naive.md', '# Café Müller\n\nLes élèves préparent des crêpes. Über die Straße läuft ein Hund.'),
  document('index:thai.md', '# ภาษาไทย\n\nแมวกินปลาในบ้าน'),
]

/** What an index must do, whatever store it lies in. */
export function describeIndex(open: () => Promise<SearchIndex>): void {
  const filled = async () => {
    const index = await open()
    for (const one of documents) await index.put(one)
    return index
  }
  const addressesFor = async (index: SearchIndex, query: string, limit = 10) => {
    const answer = await createEmbeddedProvider(index).search(query, { ...wishes, limit }, patience())
    return 'results' in answer ? answer.results.map(({ url }) => url) : answer.failure
  }

  it('finds nothing, and makes nothing, where nothing was added', async () => {
    const index = await open()
    expect(await index.isEmpty()).toBe(true)
    expect(await index.list(null, 10)).toEqual([])
    expect(await index.find('anything', 10)).toEqual([])
    expect(await index.remove('index:none')).toBe(false)
    expect(await createEmbeddedProvider(index).isReady()).toBe(false)
  })

  it.each([
    ['PostgreSQL release', 'index:postgres.md'],
    ['how do I upgrade the cluster with pg_upgrade?', 'index:postgres.md'],
    ['resting dough', 'index:bread.md'],
    ['京都大学', 'https://wiki.example/kyoto'],
    ['京都大学の設立はいつ?', 'https://wiki.example/kyoto'],
    ['北京大学是哪一年创办的', 'https://wiki.example/beijing'],
    ['猫', 'https://wiki.example/beijing'],
    ['cafe muller', 'index:naive.md'],
    ['CRÊPE', 'index:naive.md'],
    ['แมวกินปลา', 'index:thai.md'],
  ])('finds for "%s" first %s', async (query, address) => {
    expect((await addressesFor(await filled(), query))[0]).toBe(address)
  })

  it('ranks a rare word above a common one, and a title above a text', async () => {
    const index = await open()
    for (let at = 0; at < 30; at++)
      await index.put(document(`index:${at}`, `# Note ${at}\n\nThe gateway answers requests.`))
    await index.put(document('index:rare', '# Note\n\nThe gateway uses zeppelin mode.'))
    await index.put(document('index:title', '# Zeppelin\n\nA page about airships and nothing else at all.'))
    const found = await index.find('gateway zeppelin', 10)
    expect(new Set(found.slice(0, 2).map(({ address }) => address))).toEqual(new Set(['index:rare', 'index:title']))
    const [first] = await index.find('zeppelin', 10)
    expect(first?.address).toBe('index:title')
  })

  it('says that it found nothing rather than give what merely shares a word', async () => {
    const index = await filled()
    expect(await addressesFor(index, 'steam locomotives of the nineteenth century')).toBe('empty')
    expect(await addressesFor(index, 'the of and')).toBe('empty')
    expect(await addressesFor(index, '!!! ???')).toBe('empty')
  })

  it.each([
    ['orchids need light', 1],
    ['orchids need zeppelins', 2 / 3],
    ['兰花需要光', 3 / 4],
    ['光', 1],
    ['orchids 兰花', 1],
  ])('says what part of "%s" a text holds: %d', async (query, share) => {
    const index = await open()
    await index.put(document('index:orchids', '# Orchids\n\nThey need light. 兰花也需要光。'))
    expect((await index.find(query, 5)).map(found => found.share)).toEqual([share])
  })

  it.each([1, 6, 10, 11])('gives exactly %i results, each document once', async limit => {
    const index = await open()
    for (let at = 0; at < 12; at++)
      await index.put(document(`index:${at}`, `# Page ${at}\n\nOrchids bloom.\n\n## More\n\nOrchids need light.`))
    const found = await addressesFor(index, 'orchids', limit)
    expect(found).toHaveLength(limit)
    expect(new Set(found).size).toBe(limit)
  })

  it('replaces a document that is added again, and forgets one that is removed', async () => {
    const index = await filled()
    await index.put(document('index:bread.md', '# Cake\n\nWhisk the eggs.'))
    expect(await addressesFor(index, 'knead dough')).toBe('empty')
    expect(await addressesFor(index, 'whisk eggs')).toEqual(['index:bread.md'])
    expect(await index.list(null, 100)).toHaveLength(documents.length)
    expect(await index.remove('index:bread.md')).toBe(true)
    expect(await addressesFor(index, 'whisk eggs')).toBe('empty')
  })

  it('shows headings, and lists page by page', async () => {
    const index = await filled()
    const [chunk] = await index.find('pg_upgrade', 1)
    expect(chunk).toMatchObject({ title: 'PostgreSQL releases', heading: 'PostgreSQL releases › Upgrading' })
    const first = await index.list(null, 4)
    const rest = await index.list(first.at(-1)?.address ?? '', 4)
    expect([...first, ...rest].map(({ address }) => address)).toEqual(
      documents.map(({ address }) => address).toSorted(),
    )
    expect(first[0]).toMatchObject({ chunks: expect.any(Number), addedAtMs: 1_700_000_000_000 })
  })

  it('gives a document back as it was put', async () => {
    const index = await filled()
    for (const one of documents) expect(await index.read(one.address)).toEqual(one)
    expect(await index.read('index:none')).toBeNull()
    expect(await (await open()).read('index:none')).toBeNull()
  })

  it('takes any text for what it is', async () => {
    const index = await open()
    const hostile = "'); drop table chunks; -- \" OR * NEAR(a b) ':A & | ! <-> \u0000 \\ \u202e 𝕳𝖊𝖑𝖑𝖔"
    await index.put(
      document(
        'index:hostile',
        `# Odd ${hostile.replaceAll('\u0000', '')}\n\n${hostile.replaceAll('\u0000', '')} marmalade`,
      ),
    )
    for (const query of [hostile, '"', "'", '*', 'marmalade" OR "x', 'a:b', '\\', "marmalade' & !x"])
      await index.find(query, 5)
    expect((await index.find('marmalade', 5))[0]?.address).toBe('index:hostile')
  })
}

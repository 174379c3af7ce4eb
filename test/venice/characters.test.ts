import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useGateway } from '../support/gateway/index.ts'
import { makeCharacters } from '../support/venice/make-characters.ts'
import { waitFor } from '../support/wait-for.ts'

const gateway = useGateway({
  models: { 'demo/one': { traits: ['default'] }, 'demo/pro': { proOnly: true } },
  settings: { ownedBy: 'acme' },
  beforeServe: installation =>
    makeCharacters(installation, {
      'a-sage': {
        name: 'Demo Sage',
        description: 'Sits on a hill.',
        tags: ['Calm', 'wise'],
        modelId: 'demo/pro',
        contextMessages: [{ role: 'user', content: 'Hello' }],
      },
      'b-pirate': { description: 'A calm sea.', adult: true, featured: true, modelId: 'demo/one' },
      'c-robot': { webEnabled: true, tags: ['wise'] },
    }),
})

async function get(path: string, key?: string | null) {
  const { status, headers, text } = await gateway.client.send(`/api/v1/characters${path}`, {
    ...(key !== undefined && { key }),
  })
  return { status, headers, body: JSON.parse(text) }
}

async function slugsOf(query: string): Promise<string[]> {
  const { status, body } = await get(query)
  expect([status, body.object]).toEqual([200, 'list'])
  return body.data.map(({ slug }: { slug: string }) => slug)
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const sage = {
  id: expect.stringMatching(uuid),
  slug: 'a-sage',
  name: 'Demo Sage',
  description: 'Sits on a hill.',
  author: 'acme',
  tags: ['Calm', 'wise'],
  adult: false,
  featured: false,
  webEnabled: false,
  modelId: 'demo/pro',
  photoUrl: null,
  shareUrl: null,
  createdAt: expect.stringMatching(time),
  updatedAt: expect.stringMatching(time),
  stats: { averageRating: 0, imports: 0, ratingCount: 0, ratingSum: 0, userRating: null },
}

describe('GET /api/v1/characters: 200', () => {
  it('lists characters in the operator’s order, without their prompts', async () => {
    const { body } = await get('')
    expect(body.data[0]).toEqual(sage)
    expect(body.data[2]).toMatchObject({ slug: 'c-robot', description: null, modelId: 'demo/one' })
    expect(await slugsOf('')).toEqual(['a-sage', 'b-pirate', 'c-robot'])
  })

  it.each([
    ['search=SAGE', ['a-sage']],
    ['search=calm', ['a-sage', 'b-pirate']],
    ['search=%23calm', ['a-sage']],
    ['tags=calm&tags=none', ['a-sage']],
    ['tags=none,calm', ['a-sage']],
    ['tags=', ['a-sage', 'b-pirate', 'c-robot']],
    ['categories=wise', ['a-sage', 'c-robot']],
    ['modelId=demo/one', ['b-pirate']],
    ['modelId=demo/one,demo/pro', ['a-sage', 'b-pirate']],
    ['isAdult=true', ['b-pirate']],
    ['isAdult=false', ['a-sage', 'c-robot']],
    ['isPro=true', ['a-sage']],
    ['isPro=false', ['b-pirate', 'c-robot']],
    ['isWebEnabled=true', ['c-robot']],
    ['isWebEnabled=false', ['a-sage', 'b-pirate']],
    ['sortBy=featured', ['b-pirate', 'a-sage', 'c-robot']],
    ['sortBy=featured&sortOrder=asc', ['a-sage', 'c-robot', 'b-pirate']],
    ['sortBy=imports&sortOrder=desc', ['a-sage', 'b-pirate', 'c-robot']],
    ['limit=2', ['a-sage', 'b-pirate']],
    ['limit=1&offset=2', ['c-robot']],
    ['offset=3', []],
    ['unknown=field', ['a-sage', 'b-pirate', 'c-robot']],
  ])('?%s', async (query, slugs) => {
    expect(await slugsOf(`?${query}`)).toEqual(slugs)
  })
})

const many = (count: number, length = 1) => Array.from({ length: count }, () => 'x'.repeat(length)).join(',')

describe('GET /api/v1/characters: 400', () => {
  it.each([
    ['limit=0', 'limit', 'too_small'],
    ['limit=101', 'limit', 'too_big'],
    ['limit=ten', 'limit', 'invalid_type'],
    ['limit=1.5', 'limit', 'invalid_type'],
    ['offset=-1', 'offset', 'too_small'],
    ['sortBy=name', 'sortBy', 'invalid_enum_value'],
    ['sortOrder=up', 'sortOrder', 'invalid_enum_value'],
    ['isAdult=yes', 'isAdult', 'invalid_enum_value'],
    ['isPro=1', 'isPro', 'invalid_enum_value'],
    ['isWebEnabled=no', 'isWebEnabled', 'invalid_enum_value'],
    [`search=${many(1, 201)}`, 'search', 'too_big'],
    [`tags=${many(21)}`, 'tags', 'too_big'],
    [`tags=${many(1, 101)}`, 'tags', 'too_big'],
    [`categories=${many(21)}`, 'categories', 'too_big'],
    [`categories=${many(1, 101)}`, 'categories', 'too_big'],
    [`modelId=${many(21)}`, 'modelId', 'too_big'],
    [`modelId=${many(1, 201)}`, 'modelId', 'too_big'],
  ])('?%s', async (query, field, code) => {
    const { status, body } = await get(`?${query}`)
    expect(status).toBe(400)
    expect(body).toMatchObject({ error: 'Invalid request parameters', issues: [{ code }] })
    expect(body.issues[0].path[0]).toBe(field)
  })
})

describe('GET /api/v1/characters/{slug or id}', () => {
  it('200: finds one by its slug and by its id', async () => {
    const { body } = await get('/a-sage')
    expect(body).toEqual({ object: 'character', data: sage })
    expect((await get(`/${body.data.id}`)).body).toEqual(body)
    expect((await get(`/${body.data.id.toUpperCase()}`)).body).toEqual(body)
  })

  it.each(['/nobody', '/01234567-89ab-8def-8012-345670000000', '/nobody/reviews'])('404: %s', async path => {
    expect(await get(path)).toMatchObject({
      status: 404,
      body: { error: 'No character could be found from the provided character_slug' },
    })
  })
})

describe('GET /api/v1/characters/{slug}/reviews', () => {
  it.each([
    ['', 1, 20],
    ['?page=3&pageSize=100', 3, 100],
  ])('200: an empty list with all that clients page by %s', async (query, page, pageSize) => {
    const { status, headers, body } = await get(`/a-sage/reviews${query}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      object: 'list',
      data: [],
      pagination: { page, pageSize, total: 0, totalPages: 0 },
      summary: { averageRating: 0, totalReviews: 0 },
    })
    expect(headers).toMatchObject({
      'x-pagination-page': String(page),
      'x-pagination-limit': String(pageSize),
      'x-pagination-total': '0',
      'x-pagination-total-pages': '0',
    })
  })

  it.each(['page=0', 'pageSize=0', 'pageSize=101', 'page=x'])('400: ?%s', async query => {
    expect((await get(`/a-sage/reviews?${query}`)).status).toBe(400)
  })
})

describe('GET /api/v1/characters*: who may ask', () => {
  it('402: without a key everybody is told how to get one', async () => {
    expect(await get('', null)).toMatchObject({ status: 402, body: { accepts: [] } })
  })

  it('401: a key that does not count', async () => {
    expect(await get('', 'vk-unknown')).toMatchObject({ status: 401, body: { error: 'Authentication failed' } })
  })

  it('405: no other method', async () => {
    for (const path of ['', '/a-sage', '/a-sage/reviews'])
      expect((await gateway.client.send(`/api/v1/characters${path}`, { method: 'POST' })).status).toBe(405)
  })
})

it('a changed folder is read with the configuration, and a mistake in it changes nothing', async () => {
  const file = join(gateway.installation.folder, 'characters', 'b-pirate.yaml')
  await writeFile(file, 'slug: b-pirate\n')
  gateway.process.signal('SIGHUP')
  await waitFor('the refusal', () => gateway.process.output.includes('b-pirate.yaml:1:1'))
  expect(await slugsOf('')).toEqual(['a-sage', 'b-pirate', 'c-robot'])
  await rm(file)
  gateway.process.signal('SIGHUP')
  await waitFor('two characters', async () => (await slugsOf('')).length === 2)
})

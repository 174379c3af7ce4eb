import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openPostgresIndex } from '../../src/adapters/search/index/postgres/postgres-index.ts'
import { openSqliteIndex } from '../../src/adapters/search/index/sqlite/sqlite-index.ts'
import type { SearchIndex } from '../../src/domain/search/search-index.ts'
import { Secret } from '../../src/lib/secret.ts'
import { atEnd } from '../support/at-end.ts'
import { createDatabase, describePostgres } from '../support/postgres/index.ts'
import { describeIndex } from './index-suite.ts'

function closed(index: SearchIndex): SearchIndex {
  atEnd(() => index.close())
  return index
}

const newFile = async () => join(await mkdtemp(join(tmpdir(), 'rialto-index-')), 'search.db')

describe('the index beside a store in a file', () => {
  describeIndex(async () => closed(openSqliteIndex(await newFile())))

  it('is seen at once by a process that has it open', async () => {
    const path = await newFile()
    const gateway = closed(openSqliteIndex(path))
    expect(await gateway.isEmpty()).toBe(true)
    const command = closed(openSqliteIndex(path))
    const chunks = [{ heading: '', text: 'Halibut is a fish.' }]
    await command.put({ address: 'index:a', title: 'A', chunks, addedAtMs: 1 })
    expect(await gateway.isEmpty()).toBe(false)
    expect(await gateway.find('halibut', 1)).toHaveLength(1)
  })
})

describePostgres('the index in PostgreSQL', () => {
  describeIndex(async () => closed(openPostgresIndex(new Secret((await createDatabase()).url))))
})

import { sql as raw } from 'kysely'
import { StoreConflict } from '../../../../core/store-error.ts'
import type { SharedDocuments } from '../../../../domain/replicas/shared-documents.ts'
import { documentBytesMax, documentsMax } from '../../../../domain/replicas/types.ts'
import { fromDbBytes, fromDbNumber } from '../mapping.ts'
import type { Sql } from '../tables.ts'

export function createSharedDocumentStore(sql: Sql): SharedDocuments {
  /**
   * Whoever changes the head's row holds it until its commit, so that versions become visible in their order: a reader that
   * has seen one has seen all before it.
   */
  async function nextVersion(): Promise<number> {
    const { version } = await sql
      .updateTable('shared_head')
      .set({ version: raw<number>`version + 1` })
      .returning('version')
      .executeTakeFirstOrThrow()
    return fromDbNumber(version)
  }

  return {
    async readSince(version) {
      const head = await sql.selectFrom('shared_head').select('version').executeTakeFirstOrThrow()
      const rows = await sql
        .selectFrom('shared_documents')
        .select(['name', 'version', 'content'])
        .where('version', '>', version)
        .orderBy('version')
        .limit(documentsMax)
        .execute()
      const documents = rows.map(row => ({
        name: row.name,
        version: fromDbNumber(row.version),
        content: fromDbBytes(row.content),
      }))
      return { version: fromDbNumber(head.version), documents }
    },
    async write(name, content, seenVersion) {
      if (content.length > documentBytesMax) throw new RangeError(`${name} is longer than ${documentBytesMax} bytes`)
      const version = await nextVersion()
      const row = { name, version, content }
      const isWritten = seenVersion === 0 ? await insert(sql, row) : await replace(sql, row, seenVersion)
      if (!isWritten) throw new StoreConflict(`${name} was written by somebody else meanwhile`)
      return version
    },
  }
}

interface Row {
  readonly name: string
  readonly version: number
  readonly content: Buffer
}

async function insert(sql: Sql, row: Row): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await sql
    .insertInto('shared_documents')
    .values(row)
    .onConflict(conflict => conflict.column('name').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}

async function replace(sql: Sql, { name, ...row }: Row, seenVersion: number): Promise<boolean> {
  const { numUpdatedRows } = await sql
    .updateTable('shared_documents')
    .set(row)
    .where('name', '=', name)
    .where('version', '=', seenVersion)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

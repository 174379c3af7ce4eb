import type { Selectable } from 'kysely'
import type { PriceList } from '../../../../core/price.ts'
import { fromDbPriceList } from '../../sql/price-list.ts'
import type { Tables } from '../../sql/tables.ts'
import type { SqliteDatabase } from '../connection.ts'

/** Price lists by version. They never change, but they are few and seldom asked for here, so nothing is cached. */
export function createPriceRows(database: SqliteDatabase): { find(version: string): PriceList | null } {
  const select = database.prepare('select * from price_lists where version = ?')
  return {
    find(version) {
      const row = select.get([version]) as Selectable<Tables['price_lists']> | undefined
      return row === undefined ? null : fromDbPriceList(row)
    },
  }
}

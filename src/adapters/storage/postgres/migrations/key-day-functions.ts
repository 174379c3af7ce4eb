import type { Migration } from '../../sql/migrations/migration.ts'
import { replaceMoneyFunctions } from './currency-functions.ts'

/** Admission that counts the requests of a key's day too. */
export const keyDayFunctions: Pick<Migration, 'name' | 'up'> = { name: 'key-day-functions', ...replaceMoneyFunctions }

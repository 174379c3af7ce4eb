import type { Migration } from '../../sql/migrations/migration.ts'
import { replaceMoneyFunctions } from './currency-functions.ts'

/** Admission that counts requests per day too. */
export const dailyFunctions: Pick<Migration, 'name' | 'up'> = { name: 'daily-functions', ...replaceMoneyFunctions }

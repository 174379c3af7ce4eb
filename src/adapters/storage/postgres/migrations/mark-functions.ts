import type { Migration } from '../../sql/migrations/migration.ts'
import { replaceMoneyFunctions } from './currency-functions.ts'

/** Progress marks that say what is owed beside tokens. */
export const markFunctions: Pick<Migration, 'name' | 'up'> = { name: 'mark-functions', ...replaceMoneyFunctions }

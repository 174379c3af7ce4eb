import { initial } from './0001-initial.ts'
import type { Migration } from './migration.ts'

/** In order, without gaps; append only. */
export const migrations: readonly Migration[] = [initial]

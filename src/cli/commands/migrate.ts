import { defineCommand } from 'citty'
import { migrateSqliteToPostgres } from './migrate-sqlite-to-postgres.ts'
import { migrateUndo } from './migrate-undo.ts'

export const migrateCommand = defineCommand({
  meta: { description: 'Moves a deployment from one store to another.' },
  subCommands: { 'sqlite-to-postgres': migrateSqliteToPostgres, undo: migrateUndo },
})

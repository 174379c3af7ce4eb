import { expect, it } from 'vitest'
import { faultOf } from './sqlite-fault.ts'

it.each([
  ['SQLITE_BUSY', 'unavailable'],
  ['SQLITE_BUSY_SNAPSHOT', 'unavailable'],
  ['SQLITE_FULL', 'unavailable'],
  ['SQLITE_IOERR_FSYNC', 'fatal'],
  ['SQLITE_CORRUPT', 'fatal'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'taken'],
  ['SQLITE_CONSTRAINT_UNIQUE', 'taken'],
  ['SQLITE_CONSTRAINT_CHECK', 'refused'],
  ['SQLITE_CONSTRAINT_TRIGGER', 'refused'],
  ['SQLITE_TOOBIG', 'refused'],
  ['SQLITE_ERROR', 'unexplained'],
  ['SQLITE_SCHEMA', 'unexplained'],
  ['SQLITE_INTERRUPT', 'unexplained'],
  ['EACCES', 'other'],
] as const)('%s is %s', (code, fault) => {
  expect(faultOf(Object.assign(new Error(), { code }))).toBe(fault)
})

it('knows errors that are not from the database', () => {
  expect([faultOf(new Error()), faultOf('text'), faultOf(undefined)]).toEqual(['other', 'other', 'other'])
})

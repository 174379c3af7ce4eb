import { expect, it } from 'vitest'
import { StoreUnavailable } from '../../../core/store-error.ts'
import { faultOf, hideInnards, isTransient, losesConnection } from './postgres-fault.ts'

function serverError(code: string, fields: object = {}): Error {
  return Object.assign(new Error('what the server says, of 10.0.0.7'), { code, severity: 'ERROR', ...fields })
}

it.each([
  ['a broken connection', '08006', 'unavailable'],
  ['no room for clients', '53300', 'unavailable'],
  ['an end by the operator', '57P01', 'unavailable'],
  ['a deadlock', '40P01', 'unavailable'],
  ['a lock that was waited for too long', '55P03', 'unavailable'],
  ['a server that takes no writes', '25006', 'unavailable'],
  ['a password that is being changed', '28P01', 'unavailable'],
  ['damage', 'XX001', 'fatal'],
  ['a value that is taken', '23505', 'taken'],
  ['a foreign key', '23503', 'refused'],
  ['a check of ours', 'P0001', 'refused'],
  ['a number that is too large', '22003', 'refused'],
  ['a text that is too long for an index', '54000', 'refused'],
  ['a table that somebody renamed', '42P01', 'unavailable'],
  ['rights that were taken away', '42501', 'unavailable'],
  ['a database that is being restored', '3D000', 'unavailable'],
  ['a file that cannot be read', '58030', 'unavailable'],
  ['a plan of a table that was changed', '0A000', 'unavailable'],
  ['an error that nobody thought of', 'XX000', 'unavailable'],
])('%s (%s) means %s', (_, code, fault) => {
  expect(faultOf(serverError(code))).toBe(fault)
})

it.each([
  ['57P01', true],
  ['08006', true],
  ['25006', true],
  ['23505', false],
  ['40P01', false],
  ['53100', false],
])('after %s a connection is lost: %s', (code, lost) => {
  expect(losesConnection(serverError(code))).toBe(lost)
})

it.each([
  ['40P01', true],
  ['40001', true],
  ['40003', false],
  ['57014', false],
  ['08006', false],
])('%s asks for the same once more, at once: %s', (code, transient) => {
  expect(isTransient(hideInnards(serverError(code)))).toBe(transient)
})

it('a partition that was made meanwhile is found by trying again; a constraint that is named is not', () => {
  expect(faultOf(serverError('23514'))).toBe('unavailable')
  expect(isTransient(hideInnards(serverError('23514')))).toBe(true)
  expect(isTransient(hideInnards(serverError('23514', { constraint: 'cost_within_hold' })))).toBe(false)
  expect(faultOf(serverError('23514', { constraint: 'cost_within_hold' }))).toBe('refused')
})

it('of a store that cannot be used only a code is told', () => {
  const hidden = hideInnards(serverError('57P03'))
  expect(hidden).toBeInstanceOf(StoreUnavailable)
  expect(hidden).toMatchObject({ cause: { code: '57P03' } })
  expect(`${hidden} ${(hidden as Error).cause}`).not.toContain('10.0.0.7')
  const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' })
  expect(hideInnards(refused)).toMatchObject({ cause: { code: 'ECONNREFUSED' } })
})

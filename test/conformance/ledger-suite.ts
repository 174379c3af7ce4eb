import { describe } from 'vitest'
import { freeFailuresSuite } from './ledger/free-failures-suite.ts'
import { lateSettlementsSuite } from './ledger/late-settlements-suite.ts'
import { loweringSuite } from './ledger/lowered-holds-suite.ts'
import { recoverySuite } from './ledger/recovery-suite.ts'
import { settlementsSuite } from './ledger/settlements-suite.ts'
import { statementsSuite } from './ledger/statements-suite.ts'
import { transfersSuite } from './ledger/transfers-suite.ts'
import type { OpenStorage } from './open-test-storage.ts'

const propertyRunsDefault = process.env['RIALTO_TEST_LONG'] === '1' ? 10_000 : 1_000

export function ledgerSuite(open: OpenStorage, propertyRuns = propertyRunsDefault): void {
  describe('ledger: transfers', () => transfersSuite(open))
  describe('ledger: settlements', () => settlementsSuite(open, propertyRuns))
  describe('ledger: lowered holds', () => loweringSuite(open))
  describe('ledger: free failures', () => freeFailuresSuite(open))
  describe('ledger: marks, recovery, sweeper', () => recoverySuite(open))
  describe('ledger: late settlements', () => lateSettlementsSuite(open))
  describe('ledger: what it shows', () => statementsSuite(open))
}

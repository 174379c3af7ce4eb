import type { AdmissionDecision } from '../../../../domain/admission/types.ts'
import type { SettlementResult } from '../../../../domain/ledger/types.ts'
import type { Operation, OperationResult, PackedError } from '../operations.ts'
import { type AdmissionRequestWire, decodeAdmissionRequest, encodeAdmissionRequest } from './admission-wire.ts'
import {
  type BudgetWire,
  decodeBudget,
  decodeFailures,
  encodeBudget,
  encodeFailures,
  type FailuresWire,
} from './budget-wire.ts'
import { type DecisionWire, decodeDecision, encodeDecision } from './decision-wire.ts'
import {
  decodeSettlement,
  decodeSettlementResult,
  encodeSettlement,
  encodeSettlementResult,
  type SettlementResultWire,
  type SettlementWire,
} from './settlement-wire.ts'

/** Operations and results as they travel between threads: the frequent ones packed, the others as they are. */
export type OperationWire =
  | readonly ['admit', AdmissionRequestWire, BudgetWire]
  | readonly ['settle', SettlementWire]
  | readonly ['other', Operation]

export type ResultWire =
  | readonly ['admit', DecisionWire, FailuresWire]
  | readonly ['settle', SettlementResultWire]
  | readonly ['other', unknown]
  | readonly ['error', PackedError]

export function encodeOperation(operation: Operation): OperationWire {
  if (operation.kind === 'admit') {
    const { request } = operation
    return ['admit', encodeAdmissionRequest(request), encodeBudget(request.errorBudget)]
  }
  if (operation.kind === 'settle') return ['settle', encodeSettlement(operation.settlement)]
  return ['other', operation]
}

export function decodeOperation([kind, packed, budget]: OperationWire): Operation {
  if (kind === 'admit')
    return { kind, request: { ...decodeAdmissionRequest(packed), errorBudget: decodeBudget(budget) } }
  if (kind === 'settle') return { kind, settlement: decodeSettlement(packed) }
  return packed
}

/** `kind` is that of the operation, which decides what its value is. */
export function encodeResult(kind: Operation['kind'], result: OperationResult): ResultWire {
  if ('error' in result) return ['error', result.error]
  if (kind === 'admit') {
    const decision = result.value as AdmissionDecision
    return ['admit', encodeDecision(decision), encodeFailures(decision.failures)]
  }
  if (kind === 'settle') return ['settle', encodeSettlementResult(result.value as SettlementResult)]
  return ['other', result.value]
}

export function decodeResult([kind, packed, failures]: ResultWire): OperationResult {
  switch (kind) {
    case 'admit':
      return { value: { ...decodeDecision(packed), ...decodeFailures(failures) } }
    case 'settle':
      return { value: decodeSettlementResult(packed) }
    case 'error':
      return { error: packed }
    case 'other':
      return { value: packed }
  }
}

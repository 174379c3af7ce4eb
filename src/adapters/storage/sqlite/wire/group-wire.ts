import type { AdmissionDecision } from '../../../../domain/admission/types.ts'
import type { SettlementResult } from '../../../../domain/ledger/types.ts'
import type { Operation, OperationResult, PackedError } from '../protocol.ts'
import { type AdmissionRequestWire, decodeAdmissionRequest, encodeAdmissionRequest } from './admission-wire.ts'
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
  | readonly ['admit', AdmissionRequestWire]
  | readonly ['settle', SettlementWire]
  | readonly ['other', Operation]

export type ResultWire =
  | readonly ['admit', DecisionWire]
  | readonly ['settle', SettlementResultWire]
  | readonly ['other', unknown]
  | readonly ['error', PackedError]

export function encodeOperation(operation: Operation): OperationWire {
  if (operation.kind === 'admit') return ['admit', encodeAdmissionRequest(operation.request)]
  if (operation.kind === 'settle') return ['settle', encodeSettlement(operation.settlement)]
  return ['other', operation]
}

export function decodeOperation([kind, packed]: OperationWire): Operation {
  if (kind === 'admit') return { kind, request: decodeAdmissionRequest(packed) }
  if (kind === 'settle') return { kind, settlement: decodeSettlement(packed) }
  return packed
}

/** `kind` is that of the operation, which decides what its value is. */
export function encodeResult(kind: Operation['kind'], result: OperationResult): ResultWire {
  if ('error' in result) return ['error', result.error]
  if (kind === 'admit') return ['admit', encodeDecision(result.value as AdmissionDecision)]
  if (kind === 'settle') return ['settle', encodeSettlementResult(result.value as SettlementResult)]
  return ['other', result.value]
}

export function decodeResult([kind, packed]: ResultWire): OperationResult {
  switch (kind) {
    case 'admit':
      return { value: decodeDecision(packed) }
    case 'settle':
      return { value: decodeSettlementResult(packed) }
    case 'error':
      return { error: packed }
    case 'other':
      return { value: packed }
  }
}

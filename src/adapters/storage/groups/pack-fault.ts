import { StoreConflict, StoreUnavailable } from '../../../core/store-error.ts'
import type { PackedError } from './operations.ts'

/** What a failure of the engine means to those who asked; each engine tells it from its own codes. */
export type StoreFault = 'unavailable' | 'fatal' | 'taken' | 'refused' | 'other'

const unavailableText = 'the store cannot be written or read now'

/** Makes an error ready to travel. Faults of the database lose their text: it may quote statements and values. */
export function packFault(error: unknown, fault: StoreFault): PackedError {
  if (error instanceof StoreUnavailable) return { name: 'StoreUnavailable', message: error.message }
  if (error instanceof StoreConflict) return { name: 'StoreConflict', message: error.message }
  switch (fault) {
    case 'unavailable':
      return { name: 'StoreUnavailable', message: unavailableText }
    case 'fatal':
      return { name: 'Error', message: 'the database reports an input or output error, or damage' }
    case 'taken':
      return { name: 'StoreConflict', message: 'a unique value is taken' }
    case 'refused':
      return { name: 'Error', message: 'a constraint of the database forbids this' }
    case 'other':
      return { name: error instanceof RangeError ? 'RangeError' : 'Error', message: textOf(error) }
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : 'something that is no error was thrown'
}

import { StoreConflict, StoreUnavailable } from '../../../core/store-error.ts'
import type { PackedError } from './protocol.ts'
import { faultOf } from './sqlite-fault.ts'

const unavailableText = 'the store cannot be written or read now'

/** Makes an error ready to travel. Faults of the database lose their text: it may quote statements and values. */
export function packError(error: unknown): PackedError {
  if (error instanceof StoreUnavailable) return { name: 'StoreUnavailable', message: error.message }
  if (error instanceof StoreConflict) return { name: 'StoreConflict', message: error.message }
  switch (faultOf(error)) {
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

/** The error as the port promises it. */
export function unpackError({ name, message }: PackedError): Error {
  switch (name) {
    case 'StoreUnavailable':
      return new StoreUnavailable(message)
    case 'StoreConflict':
      return new StoreConflict(message)
    case 'RangeError':
      return new RangeError(message)
    case 'Error':
      return new Error(message)
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : 'something that is no error was thrown'
}

import { StoreConflict, StoreUnavailable } from '../../../core/store-error.ts'
import type { PackedError } from './operations.ts'

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

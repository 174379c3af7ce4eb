import { StoreConflict, StoreUnavailable } from '../../../core/store-error.ts'
import type { PackedError } from './operations.ts'

/** Makes an error of a port ready to travel. An engine's own faults have lost their text before (see its pack-error). */
export function packStoreError(error: unknown): PackedError {
  if (error instanceof StoreUnavailable) return { name: 'StoreUnavailable', message: error.message }
  if (error instanceof StoreConflict) return { name: 'StoreConflict', message: error.message }
  const message = error instanceof Error ? error.message : 'something that is no error was thrown'
  return { name: error instanceof RangeError ? 'RangeError' : 'Error', message }
}

import type { PackedError } from '../groups/operations.ts'
import { packFault } from '../groups/pack-fault.ts'
import { faultOf } from './sqlite-fault.ts'

/** Makes an error ready to travel. Whoever asked may try what is unexplained again, as when the store is away. */
export function packError(error: unknown): PackedError {
  const fault = faultOf(error)
  return packFault(error, fault === 'unexplained' ? 'unavailable' : fault)
}

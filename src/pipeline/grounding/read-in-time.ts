import type { PageReading } from '../../core/page-reader.ts'
import type { LookUpOptions } from './look-up.ts'

/** What became of a page within the time there is; null when that was too short. */
export async function readInTime(
  address: string,
  { tools, accountId }: LookUpOptions,
  within: AbortSignal,
): Promise<PageReading | null> {
  try {
    return await tools.pages.read(address, accountId, within)
  } catch (error) {
    if (within.aborted) return null
    throw error
  }
}

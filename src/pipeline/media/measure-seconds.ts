import { secondsMax } from '../../core/measure-media.ts'
import type { MediaPlace } from '../../core/media.ts'
import type { MediaWork } from './load-medium.ts'

interface Loaded {
  readonly place: MediaPlace
  readonly kind: 'audio' | 'video'
  readonly bytes: Buffer
}

/** Notes how long a medium is: as it was counted, and never above what so many bytes can hold. */
export async function measureSeconds({ place, kind, bytes }: Loaded, work: MediaWork): Promise<void> {
  const { tools, accountId, signal, sizes } = work
  const most = secondsMax(place, bytes.length)
  const counted = await tools.meter.secondsOf({ bytes, accountId }, signal)
  sizes.set(place.part, { kind, seconds: Math.min(most, counted ?? most) })
}

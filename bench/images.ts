import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import sharp from 'sharp'
import { openDocuments } from '../src/adapters/documents/open-documents.ts'
import { systemClock } from '../src/adapters/system/system-clock.ts'
import { systemTimers } from '../src/adapters/system/system-timers.ts'

/**
 * `npx tsx bench/images.ts [seconds]`: pictures that are decoded whole in a second, each in a child of its own as the
 * gateway does it, so many at a time as there are processors.
 */
const seconds = Number(process.argv[2] ?? 5)
const children = availableParallelism()
const signal = new AbortController().signal
const accountId = 'acct_bench'

const documents = openDocuments({
  childrenMax: children,
  memoryBytesMax: 536_870_912,
  cpuMsMax: 10_000,
  wallMsMax: 15_000,
  clock: systemClock,
  timers: systemTimers,
})

/** Like a photo: large shapes under a little noise. */
async function makePhoto(width: number, height: number, format: 'png' | 'jpeg' | 'webp' | 'avif'): Promise<Buffer> {
  const small = await sharp(randomBytes(48), { raw: { width: 4, height: 4, channels: 3 } })
    .png()
    .toBuffer()
  return sharp(small).resize(width, height, { kernel: 'cubic' }).toFormat(format).toBuffer()
}

/** Pictures in a second. */
async function measure(bytes: Buffer, to?: 'jpeg'): Promise<number> {
  let done = 0
  const endMs = systemClock.monotonic() + seconds * 1_000
  const worker = async () => {
    while (systemClock.monotonic() < endMs) {
      const decoded = await documents.decoder.decode({ bytes, accountId }, signal, to === undefined ? {} : { to })
      if (decoded.kind === 'failure') throw new Error(`a picture of the bench failed: ${decoded.reason}`)
      done += 1
    }
  }
  const beganMs = systemClock.monotonic()
  await Promise.all(Array.from({ length: children }, worker))
  return (done * 1_000) / (systemClock.monotonic() - beganMs)
}

const rows = [
  ['JPEG 640 × 480', await makePhoto(640, 480, 'jpeg')],
  ['JPEG 4032 × 3024 (12 MP)', await makePhoto(4_032, 3_024, 'jpeg')],
  ['PNG 1920 × 1080', await makePhoto(1_920, 1_080, 'png')],
  ['WebP 1920 × 1080', await makePhoto(1_920, 1_080, 'webp')],
  ['AVIF 1920 × 1080, as a JPEG', await makePhoto(1_920, 1_080, 'avif'), 'jpeg'],
] as const
process.stdout.write(`${children} children\n`)
for (const [name, bytes, to] of rows) {
  const rate = await measure(bytes, to)
  process.stdout.write(
    `${name.padEnd(30)} ${String(bytes.length).padStart(9)} bytes ${rate.toFixed(1).padStart(7)} images/s\n`,
  )
}
await documents.close()

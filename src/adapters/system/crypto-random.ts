import { randomFillSync } from 'node:crypto'
import type { Random } from '../../core/random.ts'

/** Asking the operating system costs more than the bytes themselves, so that small requests are served from a stock. */
const stockBytes = 4_096
const smallBytesMax = 64

/** Chance that nobody can foresee, from the operating system. No byte is given out twice. */
export const cryptoRandom: Random = createCryptoRandom()

function createCryptoRandom(): Random {
  const stock = Buffer.alloc(stockBytes)
  let used = stockBytes

  /** A view that is valid until the next call. */
  function draw(count: number): Buffer {
    if (count > smallBytesMax) return randomFillSync(Buffer.alloc(count))
    if (used + count > stockBytes) {
      randomFillSync(stock)
      used = 0
    }
    used += count
    return stock.subarray(used - count, used)
  }

  return {
    bytes: count => Buffer.from(draw(count)),
    hex: byteCount => draw(byteCount).toString('hex'),
  }
}

import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the range from which Linux takes the ports of outgoing connections (32,768 and up). */
const lowest = 20_000
const highest = 32_000
const triesMax = 100

/**
 * A port of 127.0.0.1 on which nobody listens and that no outgoing connection takes by chance, so that a server that was
 * stopped finds it free when it comes back. Throws when 100 tries find none.
 */
export async function findLastingPort(): Promise<number> {
  for (let tries = 0; tries < triesMax; tries += 1) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) return port
  }
  throw new Error(`no free port between ${lowest} and ${highest} in ${triesMax} tries`)
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise(resolve => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}

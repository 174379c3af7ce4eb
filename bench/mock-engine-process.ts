import { createMockEngine } from './mock-engine.ts'

/** The mock engine as its own process: `mock-engine-process.ts PORT`. It ends when its standard input is closed. */
const port = Number(process.argv[2] ?? 0)
const engine = createMockEngine()
engine.listen(port, '127.0.0.1', 4_096, () => console.log(JSON.stringify(engine.address())))
process.stdin.on('end', () => process.exit(0))
process.stdin.resume()

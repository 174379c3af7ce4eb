import { defineCommand } from 'citty'
import { configArgument } from '../common-arguments.ts'
import { parseCount, parsePort } from '../parse-values.ts'
import { serveAlone } from '../serve/serve-alone.ts'
import { serveGroup } from '../serve/serve-group.ts'
import { serveWorker } from '../serve/serve-worker.ts'

/** Each takes some 100 MB; more of them than any machine has processors help nobody. */
const workersMax = 64

/** The gateway itself; `npm start` is this. */
export const serveCommand = defineCommand({
  meta: { description: 'Runs the gateway.' },
  args: {
    ...configArgument,
    port: { type: 'string', valueHint: 'N', description: 'instead of server.port (8402); 0 takes any free one' },
    host: { type: 'string', valueHint: 'H', description: 'instead of server.host (127.0.0.1)' },
    workers: { type: 'string', valueHint: 'N', description: 'processes that serve on the port, 1 to 64; default 1' },
    gguf: { type: 'string', valueHint: 'FILE', description: 'also run this model with llama.cpp and sell it' },
  },
  async run({ args }) {
    const listen = {
      ...(args.host === undefined ? {} : { host: args.host }),
      ...(args.port === undefined ? {} : { port: parsePort('--port', args.port) }),
    }
    const workers = args.workers === undefined ? 1 : parseCount('--workers', args.workers, { min: 1, max: workersMax })
    const { connectPrimary, loadServer, loadWorkers, openInstallation, startGgufEngine } = await import('../../app.ts')
    const line = connectPrimary()
    if (line !== null) return serveWorker(line)
    const isAlone = workers === 1
    const logTo = isAlone ? 'stdout' : 'shared stdout'
    // The server's code is read from disk while engines are looked for.
    const loading = isAlone ? loadServer() : loadWorkers()
    const opening = openInstallation({ configFile: args.config ?? null, discover: true, logTo })
    const [installation] = await Promise.all([opening, loading])
    const running = new AbortController()
    const gguf = args.gguf === undefined ? null : await startGgufEngine(args.gguf, installation.ground, running.signal)
    try {
      await (isAlone ? serveAlone : serveGroup)({ installation, listen, gguf, workers })
    } finally {
      await gguf?.stop()
      await installation.flush()
    }
    return Number(process.exitCode ?? 0)
  },
})

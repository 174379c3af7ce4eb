import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineCommand } from 'citty'
import { packageFolder } from '../../lib/package-folder.ts'
import { CommandError } from '../command-error.ts'
import { jsonArgument } from '../common-arguments.ts'
import { printPiece } from '../output.ts'

const script = fileURLToPath(new URL('bench/run.ts', packageFolder))
const runner = fileURLToPath(new URL('node_modules/tsx/dist/cli.mjs', packageFolder))

/** Reruns the comparison of docs/performance.md. The bench is part of a checkout, not of an installed package. */
export const benchCommand = defineCommand({
  meta: { description: 'Measures the gateway beside the direct path and nginx (about a minute).' },
  args: {
    full: { type: 'boolean', description: 'all scenarios, as they are published (about seven minutes)' },
    ...jsonArgument,
  },
  async run({ args }) {
    for (const needed of [script, runner]) {
      if (!existsSync(needed))
        throw new CommandError('The bench runs in a checkout of Rialto after `npm ci`; it is not here.')
    }
    const words = args.full === true ? [] : ['--quick']
    return args.json === true ? benchToJson(words) : runBench(words, 'inherit')
  },
})

/** The tables go to stderr, and the figures that the bench wrote are the JSON on stdout. */
async function benchToJson(words: readonly string[]): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'rialto-bench-json-'))
  try {
    const file = join(folder, 'figures.json')
    const code = await runBench([...words, '--json', file], 2)
    if (existsSync(file)) printPiece(readFileSync(file, 'utf8'))
    return code
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function runBench(words: readonly string[], stdout: 'inherit' | 2): Promise<number> {
  const child = spawn(process.execPath, [runner, script, ...words], { stdio: ['ignore', stdout, 'inherit'] })
  // Ctrl-C reaches the bench as well, which then ends what it started.
  const wait = (): void => undefined
  process.on('SIGINT', wait)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', code => {
      process.off('SIGINT', wait)
      resolve(code ?? 1)
    })
  })
}

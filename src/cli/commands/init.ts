import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineCommand } from 'citty'
import { CommandError } from '../command-error.ts'
import { jsonArgument } from '../common-arguments.ts'
import { print, printJson } from '../output.ts'

/** The file may come to hold keys of engines: only its owner reads it. */
const fileMode = 0o600

/** Writes the file of `rialto.example.yaml`, every key explained, for the operator to change (operator.md §3). */
export const initCommand = defineCommand({
  meta: { description: 'Writes a commented rialto.yaml to start from. Never overwrites a file.' },
  args: {
    file: { type: 'positional', required: false, description: 'default: rialto.yaml' },
    ...jsonArgument,
  },
  async run({ args }) {
    const [{ renderSettings }, { exampleSettings }] = await Promise.all([
      import('../../config/publish/render-settings.ts'),
      import('../../config/publish/example-settings.ts'),
    ])
    const path = resolve(args.file ?? 'rialto.yaml')
    writeNew(path, renderSettings(exampleSettings))
    if (args.json === true) printJson({ file: path })
    else print(`${path} is written: two models over two engines, as an example. Change it, then run rialto doctor.`)
  },
})

function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: fileMode })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new CommandError(`${path} exists already and is not overwritten.`)
    throw new CommandError(`${path} cannot be written (${code ?? 'unknown reason'}).`)
  }
}

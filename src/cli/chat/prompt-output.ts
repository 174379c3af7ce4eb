import { Writable } from 'node:stream'
import type { Terminal } from '../output.ts'

const columnsUnknown = 80

/** A terminal's output that drops what is written while it is muted. Line editors ask it for the width. */
export class PromptOutput extends Writable {
  muted = true
  readonly #terminal: Terminal['output']

  constructor(terminal: Terminal['output']) {
    super({ decodeStrings: false })
    this.#terminal = terminal
    terminal.on('resize', () => this.emit('resize'))
  }

  get columns(): number {
    return this.#terminal.columns ?? columnsUnknown
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (!this.muted) this.#terminal.write(chunk)
    done()
  }
}

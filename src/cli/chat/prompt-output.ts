import { Writable } from 'node:stream'

/** Where a line editor draws, which can be told to draw nothing. */
export interface Prompter extends NodeJS.WritableStream {
  muted: boolean
}

/** A terminal's output that drops what is written while it is muted. Line editors ask it for the width. */
export class PromptOutput extends Writable implements Prompter {
  muted = true
  readonly #terminal: NodeJS.WriteStream

  constructor(terminal: NodeJS.WriteStream) {
    super({ decodeStrings: false })
    this.#terminal = terminal
    terminal.on('resize', () => this.emit('resize'))
  }

  get columns(): number {
    return this.#terminal.columns
  }

  override _write(chunk: string | Buffer, _encoding: BufferEncoding, done: () => void): void {
    if (!this.muted) this.#terminal.write(chunk)
    done()
  }
}

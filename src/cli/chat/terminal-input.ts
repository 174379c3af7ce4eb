import { createInterface, emitKeypressEvents, type Interface, type Key } from 'node:readline'
import type { Terminal } from '../output.ts'
import { createMessageAssembler } from './message-assembler.ts'
import { PromptOutput } from './prompt-output.ts'

const historyMax = 1_000
/** Messages that were typed while an answer came; more than these are not waiting for anything sensible. */
const waitingMax = 16
const prompt = '› '
const continuationPrompt = '… '
/** Asks the terminal to mark what is pasted, so that it can be told from what is typed. */
const pasteMode = { on: '\u001b[?2004h', off: '\u001b[?2004l' }

export interface TerminalInputOptions {
  readonly terminal: Terminal
  /** What fits a half-typed line, and the part that it replaces. */
  readonly complete: (line: string) => [string[], string]
  /** Ctrl-C while nobody waits for a message, or where nothing is typed. */
  readonly onInterrupt: () => void
}

/** Whole messages from a person at a terminal, with line editing, history and completion. */
export interface TerminalInput {
  /** Shows the prompt; resolves with the next message, and with null when there are no more. */
  next(): Promise<string | null>
  close(): void
}

export function createTerminalInput(options: TerminalInputOptions): TerminalInput {
  return new LineEditor(options)
}

/**
 * While nobody waits for a message, what is typed is kept and not shown: an answer is on the screen. Pasted lines are one
 * message, ended by the next Enter.
 */
class LineEditor implements TerminalInput {
  readonly #options: TerminalInputOptions
  readonly #output: PromptOutput
  readonly #lines: Interface
  readonly #assembler = createMessageAssembler()
  readonly #waiting: string[] = []
  #pasting = false
  #closed = false
  #deliver: ((message: string | null) => void) | null = null

  constructor(options: TerminalInputOptions) {
    const { terminal, complete } = options
    this.#options = options
    this.#output = new PromptOutput(terminal.output)
    // Registered before readline's own listener, so that a paste is known of before its lines come.
    emitKeypressEvents(terminal.input)
    terminal.input.on('keypress', this.#onKey)
    this.#lines = createInterface({
      ...{ input: terminal.input, output: this.#output, terminal: true, completer: complete },
      ...{ historySize: historyMax, removeHistoryDuplicates: true },
    })
    this.#lines.on('line', line => this.#onLine(line))
    this.#lines.on('SIGINT', () => this.#onInterrupt())
    this.#lines.on('close', () => this.#onClose())
    terminal.output.write(pasteMode.on)
  }

  next(): Promise<string | null> {
    const message = this.#waiting.shift()
    if (message !== undefined) {
      this.#options.terminal.output.write(`${prompt}${message}\n`)
      return Promise.resolve(message)
    }
    if (this.#closed) return Promise.resolve(null)
    return new Promise(resolve => {
      this.#deliver = resolve
      this.#output.muted = false
      this.#show()
    })
  }

  close(): void {
    this.#lines.close()
  }

  readonly #onKey = (_text: string | undefined, key: Key): void => {
    if (key.name === 'paste-start') this.#pasting = true
    if (key.name === 'paste-end') this.#pasting = false
  }

  #onLine(line: string): void {
    const message = this.#assembler.push(line, this.#pasting)
    if (message === null) this.#show()
    else this.#hand(message)
  }

  #onInterrupt(): void {
    const isTyping = this.#lines.line !== '' || !this.#assembler.isEmpty
    if (this.#output.muted || !isTyping) this.#options.onInterrupt()
    else {
      this.#assembler.reset()
      this.#options.terminal.output.write('^C\n')
      this.#lines.write(null, { ctrl: true, name: 'e' })
      this.#lines.write(null, { ctrl: true, name: 'u' })
    }
    if (!this.#closed && !this.#output.muted) this.#show()
  }

  #onClose(): void {
    const { input, output } = this.#options.terminal
    this.#closed = true
    input.off('keypress', this.#onKey)
    output.write(pasteMode.off)
    this.#hand(null)
  }

  #show(): void {
    this.#lines.setPrompt(this.#assembler.isEmpty ? prompt : continuationPrompt)
    this.#lines.prompt(true)
  }

  #hand(message: string | null): void {
    const deliver = this.#deliver
    this.#deliver = null
    this.#output.muted = true
    if (deliver !== null) deliver(message)
    else if (message !== null && this.#waiting.length < waitingMax) this.#waiting.push(message)
  }
}

import { createInterface, emitKeypressEvents, type Key } from 'node:readline'
import { createMessageAssembler } from './message-assembler.ts'
import { type Prompter, PromptOutput } from './prompt-output.ts'

const historyMax = 1_000
/** Messages that were typed while an answer came; more than these are not waiting for anything sensible. */
const waitingMax = 16
const prompt = '› '
const continuationPrompt = '… '
const pasteMode = { on: '\u001b[?2004h', off: '\u001b[?2004l' }

export interface TerminalInputOptions {
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

/**
 * While nobody waits for a message, what is typed is kept and not shown: an answer is on the screen. Pasted lines are
 * one message, ended by the next Enter.
 */
export function createTerminalInput({ complete, onInterrupt }: TerminalInputOptions): TerminalInput {
  const { stdin, stdout } = process
  const output: Prompter = new PromptOutput(stdout)
  const assembler = createMessageAssembler()
  const waiting: string[] = []
  let pasting = false
  let closed = false
  let deliver: ((message: string | null) => void) | null = null

  // This listener is there before readline's own, so that it knows of a paste before the pasted lines come.
  emitKeypressEvents(stdin)
  const onKey = (_text: string | undefined, key: Key): void => {
    if (key.name === 'paste-start') pasting = true
    if (key.name === 'paste-end') pasting = false
  }
  stdin.on('keypress', onKey)
  const lines = createInterface({
    ...{ input: stdin, output, terminal: true, completer: complete, historySize: historyMax },
    removeHistoryDuplicates: true,
  })
  stdout.write(pasteMode.on)

  function show(): void {
    lines.setPrompt(assembler.isEmpty ? prompt : continuationPrompt)
    lines.prompt(true)
  }

  function hand(message: string | null): void {
    output.muted = true
    const receiver = deliver
    deliver = null
    if (receiver !== null) receiver(message)
    else if (message !== null && waiting.length < waitingMax) waiting.push(message)
  }

  lines.on('line', line => {
    const message = assembler.push(line, pasting)
    if (message === null) show()
    else hand(message)
  })
  lines.on('SIGINT', () => {
    if (output.muted) return onInterrupt()
    if (lines.line === '' && assembler.isEmpty) onInterrupt()
    else {
      assembler.reset()
      stdout.write('^C\n')
      lines.write(null, { ctrl: true, name: 'e' })
      lines.write(null, { ctrl: true, name: 'u' })
    }
    if (!closed) show()
  })
  lines.on('close', () => {
    closed = true
    stdin.off('keypress', onKey)
    stdout.write(pasteMode.off)
    hand(null)
  })

  return {
    next() {
      const message = waiting.shift()
      if (message !== undefined) return Promise.resolve(message)
      if (closed) return Promise.resolve(null)
      return new Promise(resolve => {
        deliver = resolve
        output.muted = false
        show()
      })
    },
    close: () => lines.close(),
  }
}

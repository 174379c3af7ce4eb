import { styleText } from 'node:util'

/** The only place that writes to the terminal. Data goes to stdout; progress, notes and errors go to stderr. */
type Stream = NodeJS.WriteStream

type Style = Parameters<typeof styleText>[0]

/** Writes lines of data or text for people. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Writes a piece of text as it is, for what grows on the screen. */
export function printPiece(text: string): void {
  process.stdout.write(text)
}

/** Writes one JSON value: the only thing on stdout when a command was asked for `--json` (operator.md §6). */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

/** Writes what is worth knowing but is no data. */
export function note(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Text in a style, where the stream is a terminal that wants one: NO_COLOR and FORCE_COLOR are honoured. */
export function styled(style: Style, text: string, stream: Stream = process.stdout): string {
  return styleText(style, text, { stream })
}

/** Where a line editor reads keys and draws. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream & { readonly columns?: number }
}

/** The terminal of this process. */
export function ownTerminal(): Terminal {
  return { input: process.stdin, output: process.stdout }
}

/** Both ends are a terminal, so that questions can be asked and answered. */
export function isInteractive(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true
}

/** Whether text on stdout is read by people on a screen. */
export function isTerminal(): boolean {
  return process.stdout.isTTY === true
}

/** A reader that has seen enough (`rialto key list | head -1`) is no failure: there is nobody left to tell anything. */
export function endWhenNobodyReads(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
      throw error
    })
  }
}

/** Resolves when everything that was written has left the process. */
export async function flushOutput(): Promise<void> {
  await Promise.all([process.stdout, process.stderr].map(flush))
}

function flush(stream: Stream): Promise<void> {
  return new Promise(resolve => stream.write('', () => resolve()))
}

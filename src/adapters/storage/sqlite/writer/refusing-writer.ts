import type { Writer } from './create-writer.ts'

/** The writer of a store that may only be read any more: every operation is told why. */
export function createRefusingWriter(reason: string): Writer {
  return { run: group => Promise.resolve(group.map(() => ({ error: { name: 'Error', message: reason } }))) }
}

import type { GgufEngine, Installation } from '../../app.ts'

/** What the command line says to the gateway, with what was opened on the ground of it. */
export interface ServeOptions {
  readonly installation: Installation
  /** Wins over the file, also when the file is read again. */
  readonly listen: { readonly host?: string; readonly port?: number }
  readonly gguf: GgufEngine | null
  /** How many processes serve. */
  readonly workers: number
}

import { packageFolder } from './package-folder.ts'

/** What a build makes one program each of (see rolldown.config.ts). */
export type Program = 'main' | 'ledger-thread' | 'reader-thread' | 'index-thread' | 'document-child'

/**
 * The built file of a program. Threads and children run built files only: a module that itself runs as TypeScript, as under
 * the test runner, finds them in the build.
 */
export function programFile(program: Program): URL {
  return new URL(`dist/${program}.js`, packageFolder)
}

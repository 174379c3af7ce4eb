import { isBuiltin } from 'node:module'
import { defineConfig } from 'rolldown'
import type { Program } from './src/lib/program-file.ts'

/** What starts on its own: the command, the threads of the stores, and the child that reads files of strangers. */
const programs: Readonly<Record<Program, string>> = {
  main: 'src/main.ts',
  'ledger-thread': 'src/adapters/storage/sqlite/threads/ledger-worker.ts',
  'reader-thread': 'src/adapters/storage/sqlite/threads/reader-worker.ts',
  'index-thread': 'src/adapters/search/index/sqlite/index-worker.ts',
  'document-child': 'src/adapters/documents/child/main.ts',
}

/** Packages that look for machine code or WebAssembly beside themselves. */
const withFiles = ['@hyzyla/pdfium', 'libheif-js', 'libsql', 'sharp']
/** What packages try to load, and do without: nobody installs these. */
const optional = ['canvas', 'pg-native']

/**
 * One file for what is loaded together, libraries with it: two thousand modules would each be found, read and compiled at
 * every start (docs/decisions/0022).
 */
export default defineConfig({
  input: programs,
  platform: 'node',
  external: id => isBuiltin(id) || [...withFiles, ...optional].some(name => id === name || id.startsWith(`${name}/`)),
  output: { dir: 'dist', format: 'esm', sourcemap: true, chunkFileNames: '[name].js' },
  logLevel: 'warn',
})

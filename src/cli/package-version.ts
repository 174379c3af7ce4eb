import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isJsonObject, parseJson } from '../lib/json.ts'

/** Seen from `src/cli` and from `dist/cli` alike. */
export const packageFolder = fileURLToPath(new URL('../../', import.meta.url))

/** The version of this installation, as its package says. */
export function packageVersion(): string {
  const parsed = parseJson(readFileSync(`${packageFolder}package.json`, 'utf8'))
  return isJsonObject(parsed) ? String(parsed['version']) : ''
}

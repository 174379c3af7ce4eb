import { readFileSync } from 'node:fs'
import { isJsonObject, parseJson } from '../lib/json.ts'
import { packageFolder } from '../lib/package-folder.ts'

/** The version of this installation, as its package says. */
export function packageVersion(): string {
  const parsed = parseJson(readFileSync(new URL('package.json', packageFolder), 'utf8'))
  return isJsonObject(parsed) ? String(parsed['version']) : ''
}

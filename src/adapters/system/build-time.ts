import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** When this program was built, in wall-clock milliseconds: the same for all processes and replicas that run one build. */
export function buildTime(): number {
  return Math.floor(statSync(fileURLToPath(import.meta.url)).mtimeMs)
}

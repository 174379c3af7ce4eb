import { type Documents, openDocuments } from '../adapters/documents/open-documents.ts'
import { buildWalls, type Wall } from '../adapters/documents/pool/walls.ts'
import type { Config } from '../config/config.ts'
import type { Ground } from './ground.ts'

const bytesPerMiB = 1_048_576
const msPerSecond = 1_000

/** The reader of callers' files, in children within the configuration's walls (operator.md §3 `documents`). */
export function createDocuments(config: DocumentsSection, { clock, timers }: Ground): Documents {
  return openDocuments({ childrenMax: config.documents.maxChildren, ...limitsOf(config), clock, timers })
}

/** What keeps the children from doing harm, and whether it stands on this machine. */
export async function documentWalls(config: DocumentsSection): Promise<readonly Wall[]> {
  return (await buildWalls(limitsOf(config))).list
}

type DocumentsSection = Pick<Config, 'documents'>

function limitsOf({ documents }: DocumentsSection) {
  const { memoryMiB, cpuSeconds, wallSeconds } = documents
  return {
    memoryBytesMax: memoryMiB * bytesPerMiB,
    cpuMsMax: cpuSeconds * msPerSecond,
    wallMsMax: wallSeconds * msPerSecond,
  }
}

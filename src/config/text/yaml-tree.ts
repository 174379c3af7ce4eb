import { LineCounter, parseDocument } from 'yaml'
import { type Path, pathKey } from './path.ts'
import { hasShieldSigns, shieldReferences, unshieldReferences } from './shield-references.ts'
import { findYamlExcess } from './yaml-bounds.ts'
import { YamlWalk } from './yaml-walk.ts'

export interface Place {
  readonly line: number
  readonly column: number
}

interface YamlFault extends Place {
  readonly path: Path
  readonly message: string
}

export interface YamlTree {
  /** Plain objects, lists and scalars; null for an empty file. Undefined parts are faults. */
  readonly value: unknown
  readonly faults: readonly YamlFault[]
  /** The place of the key or entry at a path, or of the nearest one above it. */
  locate(path: Path): Place
}

const syntaxFaultsMax = 20

/**
 * Reads YAML 1.2 into plain values and remembers where each of them stood. Beyond what YAML itself forbids, duplicate
 * keys, keys that are not text, and numbers with more digits than a double keeps are faults.
 */
export function readYamlTree(text: string): YamlTree {
  const shielded = shieldReferences(text)
  const excess = hasShieldSigns(text) ? 'holds signs of the private use area U+F700' : findYamlExcess(shielded)
  if (excess !== null) return unreadable([{ path: [], message: excess, line: 1, column: 1 }])
  const lines = new LineCounter()
  // The library's own search for duplicate keys takes quadratic time; the walk does it in linear time.
  const options = { lineCounter: lines, uniqueKeys: false, prettyErrors: false, logLevel: 'error' } as const
  const document = parseDocument(shielded, options)
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const syntaxFaults = [...document.errors, ...document.warnings].slice(0, syntaxFaultsMax).map(({ pos, message }) => ({
    path: [],
    message: `is not valid YAML: ${unshieldReferences(message)}`,
    ...placeAt(pos[0]),
  }))
  if (syntaxFaults.length > 0) return unreadable(syntaxFaults)
  const walk = new YamlWalk()
  const value = walk.visit(document.contents, [])
  return {
    value,
    faults: walk.faults.map(({ path, message, offset }) => ({ path, message, ...placeAt(offset) })),
    locate: path => placeAt(nearestOffset(walk.offsets, path)),
  }
}

/** A tree with syntax faults is a guess; nothing that it seems to say is worth judging. */
function unreadable(faults: readonly YamlFault[]): YamlTree {
  return { value: null, faults, locate: () => ({ line: 1, column: 1 }) }
}

function nearestOffset(offsets: ReadonlyMap<string, number>, path: Path): number {
  for (let length = path.length; length > 0; length -= 1) {
    const offset = offsets.get(pathKey(path.slice(0, length)))
    if (offset !== undefined) return offset
  }
  return 0
}

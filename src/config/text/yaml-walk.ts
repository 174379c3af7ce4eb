import { isAlias, isMap, isScalar, isSeq, type Node, type Pair, type Scalar } from 'yaml'
import { isExactNumber } from './exact-number.ts'
import { type Path, pathKey } from './path.ts'
import { unshieldReferences } from './shield-references.ts'

interface WalkFault {
  readonly path: Path
  readonly offset: number
  readonly message: string
}

const depthMax = 32
/** Counts what aliases repeat, so that a small file cannot unfold into a large value. */
const nodesMax = 200_000
const faultsMax = 100

/** One walk over a parsed YAML document that collects plain values, the offsets of keys and entries, and faults. */
export class YamlWalk {
  readonly offsets = new Map<string, number>()
  readonly faults: WalkFault[] = []
  readonly #anchors = new Map<string, Node>()
  #nodes = 0

  /** The plain value of a node. Undefined stands for what is a fault. */
  visit(node: unknown, path: Path, keyOffset?: number): unknown {
    const offset = keyOffset ?? startOf(node)
    this.offsets.set(pathKey(path), offset)
    this.#nodes += 1
    if (this.#nodes > nodesMax) return this.#fault(path, offset, `holds more than ${nodesMax} values`)
    if (path.length > depthMax) return this.#fault(path, offset, `is nested deeper than ${depthMax} levels`)
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source)
      if (target === undefined)
        return this.#fault(path, offset, `refers to "${node.source}", which nothing above is called`)
      return this.visit(target, path, offset)
    }
    if (isMap(node) || isSeq(node) || isScalar(node)) if (node.anchor) this.#anchors.set(node.anchor, node)
    if (isMap(node)) return this.#visitPairs(node.items, path)
    if (isSeq(node)) return node.items.map((item, index) => this.visit(item, [...path, index]))
    if (isScalar(node)) return this.#visitScalar(node, path, offset)
    return null
  }

  #visitPairs(pairs: readonly Pair[], path: Path): Record<string, unknown> {
    const entries = new Map<string, unknown>()
    for (const { key, value } of pairs) {
      const offset = startOf(key)
      const name = isScalar(key) ? keyText(key) : null
      if (name === null || name === '__proto__') this.#fault(path, offset, 'has a key that is not plain text')
      else if (entries.has(name)) this.#fault([...path, name], offset, 'is set twice')
      else entries.set(name, this.visit(value, [...path, name], offset))
    }
    return Object.fromEntries(entries)
  }

  #visitScalar(node: Scalar, path: Path, offset: number): unknown {
    const { value } = node
    if (typeof value === 'number' && !isExactNumber(value, node.source ?? String(value))) {
      return this.#fault(path, offset, 'has more digits than a number can keep; write at most 15')
    }
    return typeof value === 'string' ? unshieldReferences(value) : value
  }

  #fault(path: Path, offset: number, message: string): undefined {
    if (this.faults.length < faultsMax) this.faults.push({ path, offset, message })
  }
}

/** Keys such as 8402 or true are text like any other key, as they were written. */
function keyText(key: Scalar): string | null {
  if (typeof key.value === 'string') return unshieldReferences(key.value)
  return key.source ?? null
}

function startOf(node: unknown): number {
  if (isMap(node) || isSeq(node) || isScalar(node) || isAlias(node)) return node.range?.[0] ?? 0
  return 0
}

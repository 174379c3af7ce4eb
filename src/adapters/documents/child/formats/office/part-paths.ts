import { posix } from 'node:path'
import { walkXml } from '../xml/walk-xml.ts'
import type { Container } from '../zip/open-container.ts'

export interface Relation {
  readonly type: string
  /** A path in the container. */
  readonly target: string
}

/** What a part of an Office container refers to, by id; parts outside of the container are left out. */
export function relationsOf(parts: Container, path: string): ReadonlyMap<string, Relation> {
  const relations = new Map<string, Relation>()
  const file = parts.get(posix.join(posix.dirname(path), '_rels', `${posix.basename(path)}.rels`))
  if (file === undefined) return relations
  walkXml(file, {
    open(name, { Id: id, Type: type = '', Target: target = '', TargetMode: mode }) {
      if (name !== 'Relationship' || id === undefined || mode === 'External') return
      relations.set(id, { type: type.slice(type.lastIndexOf('/') + 1), target: resolvePart(path, target) })
    },
  })
  return relations
}

/** A path that a part names, from the root of the container. */
export function resolvePart(from: string, target: string): string {
  return target.startsWith('/') ? target.slice(1) : posix.join(posix.dirname(from), target)
}

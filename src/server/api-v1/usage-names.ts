import type { KeyId } from '../../core/ids.ts'
import type { Model } from '../../core/model.ts'
import type { ApiKey } from '../../domain/identity/types.ts'

interface NamedModel {
  readonly name: string
  readonly type: Model['type'] | null
}

/** What models are called in reports: by name, and by id where two share a name or nobody offers it any more. */
export function nameModels(models: readonly Model[]): { of(id: string | null): NamedModel } {
  const byId = new Map(models.map(model => [model.id, model]))
  const counts = new Map<string, number>()
  for (const { name } of models) counts.set(name, (counts.get(name) ?? 0) + 1)
  return {
    of(id) {
      const model = byId.get(id ?? '')
      if (model === undefined) return { name: id ?? '', type: null }
      return { name: counts.get(model.name) === 1 ? model.name : model.id, type: model.type }
    },
  }
}

/** What keys are called in reports: as their makers did, or else by their last characters. */
export function nameKeys(keys: readonly ApiKey[]): { of(id: KeyId | null): string } {
  const names = new Map(keys.map(({ id, label, last6 }) => [id, label === '' ? `…${last6}` : label]))
  return { of: id => (id === null ? 'No key' : (names.get(id) ?? id)) }
}

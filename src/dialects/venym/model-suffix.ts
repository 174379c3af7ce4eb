/** Suffixes of a model id, read from the right; an unknown one is part of the id (venym.md §2.2). */
const knownSuffixes = new Set(['online'])

export interface SuffixedModel {
  readonly modelId: string
  readonly suffixes: ReadonlySet<string>
}

/** `venym/qwen-27b:online` → the id and the set `online`. A suffix with nothing before it stays part of the id. */
export function splitModelSuffix(model: string): SuffixedModel {
  const suffixes = new Set<string>()
  let modelId = model
  for (;;) {
    const colon = modelId.lastIndexOf(':')
    const suffix = modelId.slice(colon + 1)
    if (colon <= 0 || !knownSuffixes.has(suffix)) return { modelId, suffixes }
    suffixes.add(suffix)
    modelId = modelId.slice(0, colon)
  }
}

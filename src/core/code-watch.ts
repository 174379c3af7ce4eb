/** What stands in code and what does not, of a text in Markdown whose parts come in their order. */
export interface CodeWatch<Found> {
  /** Text without line ends, and without runs of ticks or tildes that were told. */
  text(text: string): void
  /** Something that counts outside of code. What is known to stand outside comes back, here and below, in its order. */
  keep(found: Found): readonly Found[]
  line(): readonly Found[]
  /** A run of ticks, or of three tildes and more. */
  ticks(run: string): readonly Found[]
  end(): readonly Found[]
}

interface Fence {
  readonly run: string
  isOpening: boolean
}

/** More of them between two ticks are no text. */
const keptMax = 1_000

/**
 * Code as CommonMark has it: between fences, and between runs of as many ticks within a paragraph. Lines that are indented
 * count as text, since lists indent theirs too.
 */
export function createCodeWatch<Found>(): CodeWatch<Found> {
  let isLineBlank = true
  let fence: Fence | null = null
  let span: { readonly length: number; readonly kept: Found[] } | null = null

  function closeParagraph(): readonly Found[] {
    const kept = span?.kept ?? []
    span = null
    return kept
  }

  function inText(run: string, isLineStart: boolean): readonly Found[] {
    if (isLineStart && run.length >= 3) {
      const kept = closeParagraph()
      fence = { run, isOpening: true }
      return kept
    }
    if (run.startsWith('~')) return []
    if (span === null) span = { length: run.length, kept: [] }
    else if (span.length === run.length) span = null
    return []
  }

  function inFence(open: Fence, run: string, isLineStart: boolean): readonly Found[] {
    if (isLineStart && run[0] === open.run[0] && run.length >= open.run.length) fence = null
    else if (open.isOpening && open.run.startsWith('`') && run.startsWith('`')) {
      // No fence has ticks behind it in its line.
      fence = null
      span = { length: open.run.length, kept: [] }
      return inText(run, false)
    }
    return []
  }

  return {
    text(text) {
      if (isLineBlank && text.trim() !== '') isLineBlank = false
    },
    keep(found) {
      isLineBlank = false
      if (fence !== null) return []
      if (span === null) return [found]
      if (span.kept.length < keptMax) span.kept.push(found)
      return []
    },
    line() {
      const kept = isLineBlank && fence === null ? closeParagraph() : []
      if (fence !== null) fence.isOpening = false
      isLineBlank = true
      return kept
    },
    ticks(run) {
      const isLineStart = isLineBlank
      isLineBlank = false
      return fence === null ? inText(run, isLineStart) : inFence(fence, run, isLineStart)
    },
    end: closeParagraph,
  }
}

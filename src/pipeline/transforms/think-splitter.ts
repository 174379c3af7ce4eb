const openTag = '<think>'
const closeTag = '</think>'

/** Text cut into what was said and what was thought. */
export interface SplitText {
  readonly content: string
  readonly reasoning: string
}

/**
 * Takes `<think>…</think>` out of text that arrives in pieces. What could be the beginning of a tag is held back until the
 * next piece decides, and nothing else is. A closing tag that nothing opened is taken out as well; a block that is never
 * closed is reasoning to its end.
 */
export class ThinkSplitter {
  private thinking = false
  private held = ''

  push(piece: string): SplitText {
    let rest = this.held + piece
    this.held = ''
    const split = { content: '', reasoning: '' }
    for (;;) {
      const tag = this.nextTag(rest)
      if (tag === null) break
      this.add(split, rest.slice(0, tag.at))
      rest = rest.slice(tag.at + tag.text.length)
      this.thinking = tag.text === openTag
    }
    const kept = rest.length - heldLength(rest)
    this.held = rest.slice(kept)
    this.add(split, rest.slice(0, kept))
    return split
  }

  /** What was held back and turned out to be no tag. */
  end(): SplitText {
    const split = { content: '', reasoning: '' }
    this.add(split, this.held)
    this.held = ''
    return split
  }

  private add(split: { content: string; reasoning: string }, text: string): void {
    if (this.thinking) split.reasoning += text
    else split.content += text
  }

  private nextTag(text: string): { readonly at: number; readonly text: string } | null {
    const found = [openTag, closeTag]
      .map(tag => ({ at: text.indexOf(tag), text: tag }))
      .filter(({ at }) => at !== -1)
      .sort((left, right) => left.at - right.at)
    return found[0] ?? null
  }
}

/** How many characters at the end of the text may become a tag. */
function heldLength(text: string): number {
  const start = text.lastIndexOf('<')
  if (start === -1) return 0
  const tail = text.slice(start)
  return openTag.startsWith(tail) || closeTag.startsWith(tail) ? tail.length : 0
}

const blockMark = '"""'

/** Makes messages out of typed lines. */
export interface MessageAssembler {
  /** Nothing is waiting for its end. */
  readonly isEmpty: boolean
  /** The whole message when this line ends it; null while more is to come. `pasted` lines never end one. */
  push(line: string, pasted: boolean): string | null
  reset(): void
}

/**
 * A line is a message, unless it ends with a backslash, or was pasted together with others, or stands in a block that
 * begins and ends with three double quotes.
 */
export function createMessageAssembler(): MessageAssembler {
  let lines: string[] = []
  let isBlock = false

  function take(): string {
    const text = lines.join('\n')
    lines = []
    isBlock = false
    return text
  }

  return {
    get isEmpty() {
      return lines.length === 0 && !isBlock
    },
    push(line, pasted) {
      let rest = line
      if (lines.length === 0 && !isBlock && line.trimStart().startsWith(blockMark)) {
        isBlock = true
        rest = line.trimStart().slice(blockMark.length)
        if (rest === '') return null
      }
      if (isBlock) {
        const ends = rest.trimEnd().endsWith(blockMark)
        lines.push(ends ? rest.trimEnd().slice(0, -blockMark.length) : rest)
        return ends ? take().trimEnd() : null
      }
      const continues = line.endsWith('\\')
      lines.push(continues ? line.slice(0, -1) : line)
      return pasted || continues ? null : take()
    },
    reset: () => void take(),
  }
}

import { SchemaRefused } from './schema-refused.ts'

export function refusePattern(problem: string): never {
  throw new SchemaRefused(`has a \`pattern\` that ${problem}; the test mode knows simple ones only`)
}

/** The source of a pattern, read code point by code point. */
export class PatternText {
  private readonly source: string
  private at = 0

  constructor(source: string) {
    this.source = source
  }

  get isOver(): boolean {
    return this.at >= this.source.length
  }

  sees(char: string): boolean {
    return this.source.startsWith(char, this.at)
  }

  /** Goes past the character if it is the next one. */
  take(char: string): boolean {
    if (!this.sees(char)) return false
    this.at += char.length
    return true
  }

  /** Goes past what the expression, which begins with `^`, finds here. */
  takeMatch(expression: RegExp): RegExpExecArray | null {
    const found = expression.exec(this.source.slice(this.at, this.at + 24))
    if (found !== null) this.at += found[0].length
    return found
  }

  /** The next code point. @throws SchemaRefused at the end */
  next(): string {
    const codePoint = this.source.codePointAt(this.at)
    if (codePoint === undefined) return refusePattern('breaks off')
    const char = String.fromCodePoint(codePoint)
    this.at += char.length
    return char
  }
}

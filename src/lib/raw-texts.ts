import type { JsonValue } from './json.ts'

/**
 * Long ASCII texts that go into JSON as the bytes that they are. A value holds a mark in the place of each; the texts
 * themselves are never strings that somebody has to look through for quotes, which would hold up everything else for tens of
 * milliseconds per 10 MB.
 */
export class RawTexts {
  readonly #prefix: string
  readonly #texts: Buffer[] = []

  /** `nonce` must be unguessable for whoever has a say in the values, or a caller could name another one's text. */
  constructor(nonce: string) {
    this.#prefix = `raw-${nonce}-`
  }

  /** Takes a text of ASCII without quotes, backslashes and control characters; gives the mark that stands for it. */
  add(text: Buffer): string {
    this.#texts.push(text)
    return `${this.#prefix}${this.#texts.length - 1}.`
  }

  /** The value as JSON, in pieces to be written one after the other. */
  encode(value: JsonValue): Buffer[] {
    const json = JSON.stringify(value)
    if (this.#texts.length === 0) return [Buffer.from(json)]
    const pieces: Buffer[] = []
    let copied = 0
    for (let at = json.indexOf(this.#prefix); at >= 0; at = json.indexOf(this.#prefix, copied)) {
      const end = json.indexOf('.', at)
      const text = this.#texts[Number(json.slice(at + this.#prefix.length, end))]
      if (text === undefined) throw new RangeError('a mark stands for a text')
      pieces.push(Buffer.from(json.slice(copied, at)), text)
      copied = end + 1
    }
    pieces.push(Buffer.from(json.slice(copied)))
    return pieces
  }
}

import { inspect } from 'node:util'

const mask = '[secret]'

/** A value that must never be printed: every way of showing it gives `[secret]`, and only `reveal` gives the text. */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return mask
  }

  toJSON(): string {
    return mask
  }

  [inspect.custom](): string {
    return mask
  }
}

/** A secret for text that says something, null for text that is missing or empty: an empty secret protects nothing. */
export function secretOrNull(text: string | undefined): Secret | null {
  return text === undefined || text === '' ? null : new Secret(text)
}

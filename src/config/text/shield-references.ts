/**
 * YAML forbids braces in unquoted text inside of braces, yet `{ token: ${NAME:-} }` is how people write it. So references
 * are put into signs that mean nothing to YAML before it reads the text, one sign for one, which keeps every place in the
 * file. The signs are from Unicode's private use area.
 */
const shieldBase = 0xf700
const asciiSize = 0x80
const shieldedSigns = /[\uf700-\uf77f]/g
/** Quotes and backslashes belong to a quoted text, where braces are no trouble: such a reference is left as it is. */
const references = /\$?\$\{[A-Za-z_][A-Za-z0-9_]*(?::-[^}"'\\\r\n\t]*)?\}/g

export function shieldReferences(text: string): string {
  return text.replace(references, reference =>
    reference.replace(/[\0-\x7f]/g, sign => String.fromCharCode(shieldBase + sign.charCodeAt(0))),
  )
}

/** Gives back what was shielded, in a text or in a part of one. */
export function unshieldReferences(text: string): string {
  return text.replace(shieldedSigns, sign => String.fromCharCode((sign.charCodeAt(0) - shieldBase) % asciiSize))
}

/** Whether a text holds such signs of its own, which could not be told from shielded ones. */
export function hasShieldSigns(text: string): boolean {
  return text.search(shieldedSigns) >= 0
}

const addressCharactersMax = 2_048
/** Beginnings of addresses that are looked at, so that a text made of them costs no more than any other. */
const startsMax = 500
/** What ends an address in running text, in any language. */
const end = /[\s<>"'`{}|\\^，。；！？、）】》」”]/
const start = /https?:\/\//gi
const trailing: ReadonlySet<string | undefined> = new Set('.,;:!?*_~]')

/**
 * The addresses of web pages in a text, in their order, at most `limit`. Two that differ in the place within a page are
 * one. Takes linear time.
 */
export function findAddresses(text: string, limit: number): readonly string[] {
  const found = new Map<string, string>()
  let looked = 0
  for (const { index } of text.matchAll(start)) {
    if (found.size >= limit || looked >= startsMax) break
    looked += 1
    const address = addressAt(text.slice(index, index + addressCharactersMax))
    if (address !== null && !found.has(pageOf(address))) found.set(pageOf(address), address)
  }
  return [...found.values()]
}

/** An address without the place within its page. */
export function pageOf(address: string): string {
  const { href, hash } = new URL(address)
  return hash === '' ? href : href.slice(0, -hash.length)
}

function addressAt(rest: string): string | null {
  const length = rest.search(end)
  const bare = withoutTrailing(length < 0 ? rest : rest.slice(0, length))
  if (!URL.canParse(bare)) return null
  const { href, hostname } = new URL(bare)
  return hostname === '' ? null : href
}

/** Marks behind an address are the sentence's; a closing bracket belongs to the address only where its opening one does. */
function withoutTrailing(text: string): string {
  let unopened = count(text, ')') - count(text, '(')
  let length = text.length
  for (; length > 0; length -= 1) {
    const last = text[length - 1]
    if (last === ')' && unopened > 0) unopened -= 1
    else if (!trailing.has(last)) break
  }
  return text.slice(0, length)
}

function count(text: string, character: string): number {
  return text.split(character).length - 1
}

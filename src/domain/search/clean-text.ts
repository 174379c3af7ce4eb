/**
 * What shows as nothing and can hide words from people that a model reads: controls but tabs and line ends, marks of
 * direction, joiners of no width, the tag characters, and halves of characters.
 */
const invisible =
  /(?![\t\n])[\p{Cc}\p{Cs}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

const tag = /<\/?[a-zA-Z][^<>]{0,300}>/g

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
}

/** Text from the web as plain text in one paragraph: without markup, without what cannot be seen, at most `max` characters. */
export function cleanText(text: string, max: number): string {
  // Markup and entities only make text longer, so that a few times the length is all that has to be looked at.
  const bounded = text.slice(0, max * 8)
  const plain = bounded
    .replace(tag, '')
    .replace(/&(#x?[0-9a-f]{1,6}|[a-z]{2,6});/gi, (whole, name: string) => decodeEntity(name) ?? whole)
    .replace(/[\s\u2028\u2029]+/gu, ' ')
    .replace(invisible, '')
    .trim()
  return cut(plain, max)
}

/** The text without what cannot be seen, in the same lines. */
export function withoutInvisible(text: string): string {
  return text.replace(invisible, '')
}

function decodeEntity(name: string): string | undefined {
  if (!name.startsWith('#')) return entities[name.toLowerCase()]
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  return Number.isNaN(code) || code > 0x10ffff ? undefined : String.fromCodePoint(code)
}

/** Cut at a border of characters, so that no half of one remains. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text
  return text
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()
}

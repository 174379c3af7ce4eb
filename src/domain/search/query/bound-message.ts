/** What is longer is a text, whose question stands in its first and last pages. */
const partCharacters = 8_000
/** A word that was cut could be a part of a key, which nothing would know for one any more. */
const wordCharacters = 200
const joint = '\n'
const fence = '```'
const jointInCode = `${joint}${fence}${joint}`
const boundedMax = 2 * partCharacters + jointInCode.length

/** A message by its beginning and its end, at most 16,005 characters. What is code in it stays between its marks. */
export function boundMessage(text: string): string {
  if (text.length <= boundedMax) return text
  const head = withoutLastWord(text.slice(0, partCharacters))
  const tail = withoutFirstWord(text.slice(-partCharacters))
  const leftOut = text.slice(head.length, -tail.length)
  return `${head}${count(leftOut, fence) % 2 === 0 ? joint : jointInCode}${tail}`
}

function withoutLastWord(text: string): string {
  return text.slice(0, -wordCharacters) + text.slice(-wordCharacters).replace(/\S+$/, '')
}

function withoutFirstWord(text: string): string {
  return text.slice(0, wordCharacters).replace(/^\S+/, '') + text.slice(wordCharacters)
}

function count(text: string, part: string): number {
  return text.split(part).length - 1
}

import { Parser } from 'htmlparser2'

/** How deep the elements of a page are nested. What makes a reader of trees slow is found without a tree. */
export function measureDepth(html: string): number {
  let depth = 0
  let deepest = 0
  const parser = new Parser({
    onopentag() {
      depth += 1
      deepest = Math.max(deepest, depth)
    },
    onclosetag() {
      depth -= 1
    },
  })
  parser.end(html)
  return deepest
}

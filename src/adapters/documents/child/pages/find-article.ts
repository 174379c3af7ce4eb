import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom/worker'
import { isHidden } from '../formats/html/is-hidden.ts'
import { measureDepth } from './measure-depth.ts'

/** Beyond these the time that finding takes grows with the square of the page. */
const htmlCharactersMax = 1_000_000
const depthMax = 200
const elementsMax = 20_000

export interface Article {
  readonly title: string
  /** The main text, as HTML. */
  readonly html: string
  /** When it was published; null where the page does not say. */
  readonly date: string | null
  /** As the page says, such as `de`; null where it does not. */
  readonly language: string | null
}

/** The main text of a page, without what stands around it and without what it hides. Null where none can be told. */
export function findArticle(html: string): Article | null {
  if (html.length > htmlCharactersMax || measureDepth(html) > depthMax) return null
  const { document } = parseHTML(html)
  for (const element of document.querySelectorAll('[style]'))
    if (isHidden(element.localName, { style: element.getAttribute('style') ?? '' })) element.remove()
  const article = new Readability(document, { maxElemsToParse: elementsMax, keepClasses: false }).parse()
  const { title, content, publishedTime, lang } = article ?? {}
  if (!content) return null
  return { title: title ?? '', html: content, date: publishedTime ?? null, language: lang ?? null }
}

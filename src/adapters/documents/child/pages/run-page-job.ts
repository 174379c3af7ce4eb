import { htmlToMarkdown } from '../formats/html/html-to-markdown.ts'
import { limitText } from '../limit-text.ts'
import type { ReceivedJob } from '../receive-job.ts'
import type { ChildAnswer } from '../write-answer.ts'
import { decodePage } from './decode-page.ts'
import { type Article, findArticle } from './find-article.ts'

const lineCharactersMax = 300
const title = /<title[^>]{0,200}>([^<]{0,1000})/i

/** The main text of a page as Markdown; all of its text where none of it is the main one. */
export function runPageJob({ head, bytes }: ReceivedJob): ChildAnswer {
  const { charset } = head
  const html = decodePage(bytes, typeof charset === 'string' ? charset : null)
  const article = articleOrNull(html)
  const { text } = limitText(htmlToMarkdown(article?.html ?? html))
  const shown = {
    title: line(article?.title || (title.exec(html)?.[1] ?? '')),
    date: article?.date == null ? null : line(article.date),
    language: article?.language == null ? null : line(article.language),
  }
  return { head: { kind: 'page', ...shown }, body: Buffer.from(text) }
}

/** Pages are written by anybody; what its reader trips over is read without it. */
function articleOrNull(html: string): Article | null {
  try {
    return findArticle(html)
  } catch {
    return null
  }
}

function line(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, lineCharactersMax)
}

import { z } from 'zod'
import type { Operation } from '../../openapi/operation.ts'
import { scrapeBody } from '../decode/decode-scrape.ts'
import { searchBody } from '../decode/decode-search.ts'
import { textParserForm } from '../decode/decode-text-parser.ts'
import { budgetHeaders, standingHeaders } from './headers.ts'
import { json } from './json-answer.ts'

const parsedText = z.object({
  text: z.string().describe('Markdown: headings, tables, and a mark for each page, slide or sheet.'),
  tokens: z.int().min(0).describe('Characters divided by 3.2, rounded up.'),
})

const found = z.object({
  query: z.string(),
  results: z.array(
    z.object({
      title: z.string(),
      url: z.string(),
      content: z.string().describe('What the provider shows of the page; text of strangers.'),
      date: z.string().describe('As the provider writes it; empty where it says none.'),
    }),
  ),
})

const scraped = z.object({
  url: z.string().describe('Where the page was found, after redirects.'),
  content: z.string().describe('Its main text as Markdown; text of strangers.'),
  format: z.literal('markdown'),
})

const ofAugment = {
  method: 'post',
  access: 'key',
  failures: [400, 401, 402, 405, 408, 413, 415, 429, '4XX', 500, 503],
} as const

const headers = { ...standingHeaders, ...budgetHeaders }
const { 200: parsed } = json(parsedText, headers)

/** What is sold outside of a conversation (venice.md §3). */
export const augmentOperations: readonly Operation[] = [
  {
    ...{ path: '/api/v1/augment/text-parser', id: 'parseText', tag: 'Files', ...ofAugment },
    summary: 'Read a document: PDF, DOCX, PPTX, XLSX, XLS, EPUB or text. Only what was read is charged.',
    body: { schema: textParserForm, required: true, mediaType: 'multipart/form-data' },
    answers: { 200: { ...parsed, content: { ...parsed.content, 'text/plain': z.string() } } },
  },
  {
    ...{ path: '/api/v1/augment/search', id: 'searchWeb', tag: 'Search', ...ofAugment },
    summary: 'Search the web. Only a search that found something is charged.',
    body: { schema: searchBody, required: true },
    answers: json(found, headers),
  },
  {
    ...{ path: '/api/v1/augment/scrape', id: 'readPage', tag: 'Search', ...ofAugment },
    summary: 'Read a page of the web. Only a page that was read is charged.',
    body: { schema: scrapeBody, required: true },
    answers: json(scraped, headers),
  },
]

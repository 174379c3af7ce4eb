import type { SearchQuestion } from './mock-search.ts'

/** Services whose documented answers are written here by hand. */
export type SearchService = keyof typeof answers

/** How many results the question asks for, where the service has a place for that. */
function asked({ url, body }: SearchQuestion, name: string): number {
  const inBody = (body as Record<string, unknown> | null)?.[name]
  return Number(inBody ?? url.searchParams.get(name))
}

function pages<Page>(count: number, page: (at: number) => Page): Page[] {
  return Array.from({ length: count }, (_, at) => page(at + 1))
}

const perPage = 10

/** SearXNG gives as many results as its engines do for a page. */
function pageOf({ url }: SearchQuestion, count: number): readonly number[] {
  const first = (Number(url.searchParams.get('pageno') ?? 1) - 1) * perPage
  return pages(Math.max(Math.min(count - first, perPage), 0), at => first + at)
}

const address = (at: number) => `https://site-${at}.example/page`

const answers = {
  searxng: (question: SearchQuestion, count: number) => ({
    query: question.url.searchParams.get('q'),
    number_of_results: 0,
    results: pageOf(question, count).map(at => ({
      url: address(at),
      title: `Title ${at}`,
      content: `Text ${at} with <em>marks</em>`,
      publishedDate: at % 2 === 0 ? null : '2024-05-01T00:00:00',
      engine: 'duckduckgo',
      engines: ['duckduckgo', 'brave'],
      parsed_url: ['https', `site-${at}.example`, '/page', '', '', ''],
      template: 'default.html',
      score: 1 / at,
      category: 'general',
    })),
    answers: [],
    corrections: [],
    infoboxes: [{ infobox: 'Box', content: 'not a result' }],
    suggestions: ['other'],
    unresponsive_engines: [['google', 'timeout']],
  }),
  brave: (question: SearchQuestion, count: number) => {
    const results = pages(Math.min(count, asked(question, 'count')), at => ({
      type: 'search_result',
      title: `Title ${at}`,
      url: address(at),
      description: `Text ${at} with <strong>marks</strong> &amp; more`,
      page_age: '2024-05-01T09:00:00',
      age: 'May 1, 2024',
      meta_url: { scheme: 'https', netloc: `site-${at}.example` },
      extra_snippets: ['more'],
    }))
    const query = { original: question.url.searchParams.get('q'), more_results_available: true }
    return { type: 'search', query, mixed: {}, ...(results.length === 0 ? {} : { web: { type: 'search', results } }) }
  },
  tavily: (question: SearchQuestion, count: number) => ({
    query: (question.body as { query: string }).query,
    follow_up_questions: null,
    answer: null,
    images: [],
    results: pages(Math.min(count, asked(question, 'max_results')), at => ({
      url: address(at),
      title: `Title ${at}`,
      content: `Text ${at}`,
      score: 0.9,
      raw_content: null,
    })),
    response_time: 0.7,
    request_id: 'r-1',
  }),
  exa: (question: SearchQuestion, count: number) => ({
    requestId: 'r-1',
    resolvedSearchType: 'neural',
    results: pages(Math.min(count, asked(question, 'numResults')), at => ({
      id: address(at),
      url: address(at),
      title: at === 2 ? null : `Title ${at}`,
      publishedDate: '2024-05-01T00:00:00.000Z',
      author: null,
      text: `Whole text ${at}`,
      highlights: [`Text ${at}`, 'and more'],
      highlightScores: [0.5, 0.4],
    })),
    costDollars: { total: 0.005 },
  }),
  serper: (question: SearchQuestion, count: number) => {
    const organic = pages(Math.min(count, asked(question, 'num')), at => ({
      title: `Title ${at}`,
      link: address(at),
      snippet: `Text ${at}`,
      date: 'May 1, 2024',
      position: at,
    }))
    const searchParameters = { ...(question.body as object), type: 'search', engine: 'google' }
    return { searchParameters, ...(organic.length === 0 ? {} : { organic }), credits: 1 }
  },
  kagi: (question: SearchQuestion, count: number) => ({
    meta: { id: 'm-1', node: 'us', ms: 100, api_balance: 1.5 },
    data: [
      ...pages(Math.min(count, asked(question, 'limit')), at => ({
        t: 0,
        url: address(at),
        title: `Title ${at}`,
        snippet: `Text ${at}`,
        published: '2024-05-01T00:00:00Z',
      })),
      { t: 1, list: ['related', 'searches'] },
    ],
  }),
  marginalia: (question: SearchQuestion, count: number) => ({
    license: 'CC-BY-NC-SA 4.0',
    query: question.url.searchParams.get('query'),
    results: pages(Math.min(count, asked(question, 'count')), at => ({
      url: address(at),
      title: `Title ${at}`,
      description: `Text ${at}`,
      quality: 2,
      details: [],
    })),
  }),
}

export function answerOf(service: SearchService, question: SearchQuestion, count: number): unknown {
  return answers[service](question, count)
}

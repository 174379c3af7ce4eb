/** Words of a query that are looked for; a query of 400 characters of Chinese has more pairs than help. */
export const wordsMax = 32

/** What a word counts for in a title, in headings and in the text. */
export const fieldWeights = { title: 4, heading: 2, text: 1 } as const

import type { Block, Page } from './markdown.ts'

/** A program of a page, and what the page says that it prints. */
export interface Example {
  readonly title: string
  readonly block: Block
  readonly output: Block | null
}

const programLanguages = ['sh', 'js', 'python'] as const
export type ProgramLanguage = (typeof programLanguages)[number]

export function isProgram({ language }: Block): boolean {
  return programLanguages.some(known => known === language)
}

/** The programs of a page in their order. The block behind one that is marked `output` shows what it prints. */
export function examplesOf({ blocks }: Page): Example[] {
  return blocks.flatMap((block, index) => {
    if (!isProgram(block) || block.notRun !== null) return []
    const next = blocks[index + 1]
    const output = next !== undefined && isOutput(next) ? next : null
    return { title: `line ${block.line}, ${block.language}`, block, output }
  })
}

export function isOutput({ words }: Block): boolean {
  return words.includes('output')
}

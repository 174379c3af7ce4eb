import { type Extracted, ReadingFailure } from '../../reading.ts'
import { joinBlocks } from '../markdown.ts'
import { walkXml } from '../xml/walk-xml.ts'
import { refuseDoctypes } from '../zip/office-kind.ts'
import type { Container } from '../zip/open-container.ts'
import { relationsOf } from './part-paths.ts'
import { readSlide } from './read-slide.ts'

/** Slides in the order of the presentation, each with its title, text, tables and notes. */
export function readPptx(parts: Container): Extracted {
  refuseDoctypes(parts)
  const main = [...relationsOf(parts, '').values()].find(({ type }) => type === 'officeDocument')?.target ?? ''
  const slides = slidePaths(parts, main)
  const texts = slides.map((path, at) => joinBlocks([`[Slide ${at + 1}]`, ...slideBlocks(parts, path)]))
  return { text: texts.join('\n\n'), pages: slides.length }
}

/** @throws ReadingFailure when the container has no presentation */
function slidePaths(parts: Container, main: string): readonly string[] {
  const presentation = parts.get(main)
  if (presentation === undefined) throw new ReadingFailure('unreadable')
  const relations = relationsOf(parts, main)
  const paths: string[] = []
  walkXml(presentation, {
    open(name, attributes) {
      const target = name === 'sldId' ? relations.get(attributes['r:id'] ?? '')?.target : undefined
      if (target !== undefined) paths.push(target)
    },
  })
  return paths
}

function slideBlocks(parts: Container, path: string): readonly string[] {
  const slide = parts.get(path)
  if (slide === undefined) return []
  const notesPath = [...relationsOf(parts, path).values()].find(({ type }) => type === 'notesSlide')?.target
  const notes = notesPath === undefined ? undefined : parts.get(notesPath)
  return [...readSlide(slide), ...(notes === undefined ? [] : notesBlocks(notes))]
}

function notesBlocks(notes: Buffer): readonly string[] {
  const text = joinBlocks(readSlide(notes))
  return text === '' ? [] : [`Notes:\n\n${text}`]
}

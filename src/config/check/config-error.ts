import { formatPath, type Path } from '../text/path.ts'
import type { Place } from '../text/yaml-tree.ts'

/** One thing that is wrong with a configuration, and where. Never holds a value of the file: it may be a secret. */
export interface ConfigProblem extends Place {
  readonly path: Path
  readonly message: string
  /** What was probably meant. */
  readonly suggestion: string | null
}

/** A configuration that was refused, with everything that is wrong with it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly fileName: string
  readonly problems: readonly ConfigProblem[]

  constructor(fileName: string, problems: readonly ConfigProblem[]) {
    const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`
    super([`${fileName} has ${count}:`, ...problems.map(problem => formatProblem(fileName, problem))].join('\n'))
    this.fileName = fileName
    this.problems = problems
  }
}

function formatProblem(fileName: string, { path, line, column, message, suggestion }: ConfigProblem): string {
  const place = `${fileName}:${line}:${column}`
  const subject = path.length === 0 ? 'the file' : formatPath(path)
  return `  ${place}  ${subject} ${message}${suggestion === null ? '' : `; did you mean "${suggestion}"?`}`
}

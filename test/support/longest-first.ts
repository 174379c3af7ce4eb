import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What takes longest, the longest first. Vitest knows only how large a file is until it has run it once. */
export const longFiles: readonly string[] = [
  'test/docs/examples.test.ts',
  'test/crash/crash.test.ts',
  'test/cluster/workers.test.ts',
  'test/faults/outages.test.ts',
  'test/races/admission-race.test.ts',
  'test/crash/store-faults.test.ts',
  'test/conformance/sqlite-faults.test.ts',
  'test/cli/migrate-refused.test.ts',
  'test/faults/journal.test.ts',
  'test/replicas/changes.test.ts',
  'test/cli/serve.test.ts',
  'test/media/images.test.ts',
  'test/cluster/deaths.test.ts',
]

/**
 * Begins the long files first, then goes on as Vitest does. One of them that was begun last would keep one worker busy while
 * all others have nothing left to do.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.sort((one, other) => placeOf(one) - placeOf(other))
  }
}

function placeOf({ project, moduleId }: TestSpecification): number {
  const place = longFiles.indexOf(relative(project.config.root, moduleId))
  return place < 0 ? longFiles.length : place
}

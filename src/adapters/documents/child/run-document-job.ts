import { readFormat } from './formats/read-format.ts'
import { imageType } from './images/image-type.ts'
import { limitText } from './limit-text.ts'
import { type ChildReading, ReadingFailure } from './reading.ts'
import type { ReceivedJob } from './receive-job.ts'
import type { ChildAnswer } from './write-answer.ts'

export async function runDocumentJob(job: ReceivedJob): Promise<ChildAnswer> {
  const reading = await readDocument(job)
  if (reading.kind !== 'text') return { head: { ...reading }, body: Buffer.alloc(0) }
  const { text, ...head } = reading
  return { head, body: Buffer.from(text) }
}

/** Whatever a library throws says that the file is not as it should be. */
async function readDocument({ head, bytes }: ReceivedJob): Promise<ChildReading> {
  try {
    const picture = await imageType(bytes)
    if (picture !== null) return { kind: 'image', mediaType: picture }
    const { text, pages, mediaType } = await readFormat({ bytes, ...declared(head) })
    return { kind: 'text', mediaType, pages, ...limitText(text) }
  } catch (error) {
    return { kind: 'failure', reason: error instanceof ReadingFailure ? error.reason : 'unreadable' }
  }
}

function declared({ name, mediaType }: ReceivedJob['head']): { name: string | null; mediaType: string | null } {
  return {
    name: typeof name === 'string' ? name : null,
    mediaType: typeof mediaType === 'string' ? mediaType.toLowerCase() : null,
  }
}

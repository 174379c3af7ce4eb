import { closeDescriptors } from './close-descriptors.ts'
import { type ReceivedJob, receiveJob } from './receive-job.ts'
import { type ChildAnswer, writeAnswer } from './write-answer.ts'

/** The whole life of a child: one job from stdin, one answer on stdout, and the end. Libraries are loaded by the job. */
closeDescriptors(process.argv.slice(2))
const job = await receiveJob(process.stdin)
if (job !== null) writeAnswer(process.stdout, await run(job))

async function run(received: ReceivedJob): Promise<ChildAnswer> {
  if (received.head.kind === 'image') {
    const { runImageJob } = await import('./images/run-image-job.ts')
    return runImageJob(received)
  }
  if (received.head.kind === 'page') {
    const { runPageJob } = await import('./pages/run-page-job.ts')
    return runPageJob(received)
  }
  if (received.head.kind === 'seconds') {
    const { runSecondsJob } = await import('./seconds/run-seconds-job.ts')
    return runSecondsJob(received)
  }
  const { runDocumentJob } = await import('./run-document-job.ts')
  return runDocumentJob(received)
}

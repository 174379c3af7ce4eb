import { beginRun, endRun } from './run-folder.ts'

/** The servers of a run start on first use, in whichever worker that is; here is only their common end. */
export default function setUp(): () => Promise<void> {
  beginRun()
  return endRun
}

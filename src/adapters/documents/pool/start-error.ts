/** No process can be started now: the machine has no memory, no descriptor or no number left for one. Passes. */
export class StartError extends Error {
  constructor() {
    super('No process can be started for a document now.')
    this.name = 'StartError'
  }
}

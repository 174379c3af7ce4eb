/** The stores do not agree with each other, or one of them not with itself. */
export class BooksDiffer extends Error {
  override readonly name = 'BooksDiffer'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super('the books do not agree: nothing was changed, and the gateway may go on with the SQLite store')
    this.problems = problems
  }
}

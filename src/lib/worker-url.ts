/**
 * The compiled file of a worker that is named by its source. Threads run compiled files only: a module that itself runs as
 * TypeScript, as under the test runner, finds its worker in the build.
 */
export function workerUrl(source: URL): URL {
  const compiled = source.href.replace(/\/src\/(adapters\/(?:storage|search)\/[^.]+)\.ts$/, '/dist/$1.js')
  return new URL(compiled.replace(/\.ts$/, '.js'))
}

/**
 * The file of a worker beside the module that starts it. Threads run compiled files only: when the module itself runs as
 * TypeScript, as it does under the test runner, its worker is taken from the build.
 */
export function workerUrl(name: string, moduleUrl: string): URL {
  const url = new URL(`./${name}.js`, moduleUrl)
  return moduleUrl.endsWith('.ts') ? new URL(url.href.replace('/src/adapters/', '/dist/adapters/')) : url
}

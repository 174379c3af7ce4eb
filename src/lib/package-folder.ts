/** The folder that holds `package.json`. Sources lie two folders below it here; the programs of a build lie one below it. */
export const packageFolder = new URL(import.meta.url.endsWith('.ts') ? '../../' : '../', import.meta.url)

#!/usr/bin/env node
import { existsSync } from 'node:fs'

const entry = new URL('../dist/main.js', import.meta.url)

if (existsSync(entry)) await import(entry.href)
else {
  console.error('rialto: this checkout is not built yet. Run `npm run build` first (`npm start` does it by itself).')
  process.exitCode = 1
}

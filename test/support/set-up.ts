import { afterAll } from 'vitest'
import { endFile } from './at-end.ts'

// This module alone is run anew for each file: all others are loaded once in a process that runs several files.
afterAll(endFile)

import { afterAll } from 'vitest'
import { cleanUpAll } from './at-end.ts'

afterAll(cleanUpAll)

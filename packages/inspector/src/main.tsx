import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { startKeyboard } from './around/keyboard/shortcuts.ts'
import { startTheme } from './around/theme/theme.ts'
import { takeCode } from './data/access.ts'
import './ui/theme.css'

// First of all: it is a secret, and the address is no place for one.
const code = takeCode()
startTheme()
startKeyboard()

const root = document.getElementById('root')
if (root === null) throw new Error('The page has no place to draw in.')
createRoot(root).render(
  <StrictMode>
    <App code={code} />
  </StrictMode>,
)

import type { CompileRegex, ConfigSection } from '@hookline/agent/config'
import { agentsSection } from './agents-section.ts'
import { daemonSection } from './daemon-section.ts'
import { modelsSection } from './models-section.ts'
import { pluginsSection } from './plugins-section.ts'
import { policySection } from './policy-section.ts'
import { storeSection } from './store-section.ts'

/**
 * What files say beside hooks, for whoever reads them; whoever only writes
 * their schema needs no engine for expressions.
 */
export function configSections(
  regex: CompileRegex = () => () => false,
): readonly ConfigSection[] {
  return [
    agentsSection,
    modelsSection,
    policySection(regex),
    pluginsSection,
    storeSection,
    daemonSection,
  ]
}

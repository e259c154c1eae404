import {
  setTheme,
  type ThemeChoice,
  useTheme,
} from '../../around/theme/theme.ts'
import { useAnswer, useDaemon } from '../../data/daemon-context.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/field.tsx'
import { HostileText } from '../../ui/hostile-text.tsx'
import { Page, Scroll } from '../../ui/page.tsx'
import { Age } from '../../ui/times.tsx'

const themes: readonly { value: ThemeChoice; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** How the page looks, which daemon it shows, and who looks. */
export function SettingsView() {
  const theme = useTheme()
  const { signOut } = useDaemon()
  const { data: info } = useAnswer('info', {})
  const choose = (value: string) => {
    const found = themes.find((one) => one.value === value)
    if (found !== undefined) setTheme(found.value)
  }
  return (
    <Page name="Settings" title="Settings">
      <Scroll>
        <div className="mx-auto flex max-w-2xl flex-col gap-8 p-6">
          <section>
            <h2 className="mb-2 text-sm font-semibold">Appearance</h2>
            <Row label="Theme">
              <SelectField
                label="Theme"
                value={theme}
                choices={themes}
                onChoose={choose}
              />
            </Row>
          </section>
          {info !== undefined && (
            <section>
              <h2 className="mb-2 text-sm font-semibold">Daemon</h2>
              <Row label="Project">
                <HostileText text={info.root} />
              </Row>
              <Row label="Store">{info.store}</Row>
              <Row label="Version">{info.version}</Row>
              <Row label="Process">{info.pid}</Row>
              <Row label="Running for">
                <Age at={info.startedAt} />
              </Row>
              <Row label="Hooks">
                {info.isSafe ? 'Safe mode: managed gates deny' : 'Running'}
              </Row>
            </section>
          )}
          {info !== undefined && (
            <section>
              <h2 className="mb-2 text-sm font-semibold">You</h2>
              <Row label="Name">
                <HostileText text={info.caller.id} />
              </Row>
              <Row label="Rights">
                {info.caller.rights.join(', ') || 'none'}
              </Row>
              <Row label="This browser">
                <Button size="small" onClick={signOut}>
                  Sign out
                </Button>
              </Row>
            </section>
          )}
        </div>
      </Scroll>
    </Page>
  )
}

interface RowProps {
  readonly label: string
  readonly children: React.ReactNode
}

function Row({ label, children }: RowProps) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-6 border-b border-line py-1.5">
      <span className="shrink-0 text-sm text-muted">{label}</span>
      <span className="min-w-0 truncate text-right text-sm">{children}</span>
    </div>
  )
}

import { Component, type ReactNode } from 'react'
import { ErrorState } from '../ui/states.tsx'

interface Props {
  readonly children: ReactNode
  /** Another one begins anew: for each view its own. */
  readonly name?: string | undefined
}

interface State {
  readonly error: Error | undefined
  readonly name: string | undefined
}

/** What breaks in a view stays in it. */
export class ErrorBoundary extends Component<Props, State> {
  override readonly state: State = { error: undefined, name: this.props.name }

  static getDerivedStateFromError(thrown: unknown): Partial<State> {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    return { error }
  }

  static getDerivedStateFromProps(props: Props, state: State): State | null {
    if (props.name === state.name) return null
    return { error: undefined, name: props.name }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return (
      <ErrorState
        title="This view broke"
        error={error}
        onRetry={() => this.setState({ error: undefined })}
      />
    )
  }
}

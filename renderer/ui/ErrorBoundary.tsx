// One around each pane: what fails in one of them is shown there and leaves the others usable.

import { Component, type ErrorInfo, type ReactNode } from "react";
import { Button } from "./Button";
import { Notice } from "./Notice";

interface Props {
  /** What is inside, as it is called in the window: "The conversation". */
  what: string;
  /** Draws again by itself when this changes, for example when another thread is chosen. */
  resetKey?: string | null;
  children: ReactNode;
}

interface State {
  error: Error | null;
  resetKey: string | null | undefined;
}

export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error(`${this.props.what} could not be drawn`, error, info.componentStack);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <div className="grid min-h-0 flex-1 content-center p-6">
        <Notice
          live
          tone="error"
          className="mx-auto w-full max-w-120"
          title={`${this.props.what} could not be drawn.`}
          hint="Nothing is lost: it is all kept outside this window, and the rest of the window still works."
          detail={error.stack ?? error.message}
          actions={
            <>
              <Button onClick={() => this.setState({ error: null })}>Draw it again</Button>
              <Button tone="quiet" onClick={() => window.location.reload()}>
                Reload the window
              </Button>
            </>
          }
        />
      </div>
    );
  }
}

// What fails in the composer leaves the conversation usable, and a draft that cannot be shown can be put aside.

import { Component, type ErrorInfo, type ReactNode } from "react";
import { faultOf } from "../state/callFault";
import { reveal } from "../state/threadActions";
import { showFault, toast } from "../state/toasts";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { drafts } from "./drafts";

interface Props {
  threadKey: string;
  children: ReactNode;
}

/** Into a file that the person is told of. False: it stays where it was. */
export async function putDraftAside(threadKey: string): Promise<boolean> {
  try {
    const path = await drafts.of(threadKey).park();
    toast("The draft was put aside", {
      tone: "ok",
      hint: path,
      actions: [{ label: "Show the file", run: () => void reveal(path) }],
    });
    return true;
  } catch (error) {
    showFault(faultOf(error));
    return false;
  }
}

export class ComposerBoundary extends Component<Props, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidCatch(error: Error, info: ErrorInfo): void {
    console.error("The composer could not be drawn", error, info.componentStack);
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <section data-pane="composer" aria-label="Composer" className="shrink-0 px-6 pb-3.5">
        <Notice
          live
          tone="error"
          className="mx-auto w-full max-w-190"
          title="The message field could not be drawn."
          hint="What you wrote is kept. If it is the reason, it can be put aside into a file."
          detail={error.stack ?? error.message}
          actions={
            <>
              <Button onClick={() => this.setState({ error: null })}>Draw it again</Button>
              <Button tone="quiet" onClick={() => void this.#putAside()}>
                Put the draft aside
              </Button>
            </>
          }
        />
      </section>
    );
  }

  async #putAside(): Promise<void> {
    if (await putDraftAside(this.props.threadKey)) this.setState({ error: null });
  }
}

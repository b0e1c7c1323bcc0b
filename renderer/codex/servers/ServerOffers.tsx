import type { ServerAnswer } from "../../../preload/contract/codexPage";
import { count } from "../../conversation/time/durations";
import { Fold } from "../../ui/Fold";
import { Scrolled } from "../Scrolled";

/** What a server offers, folded away: there may be hundreds of tools. */
export function ServerOffers({ answer }: { answer: ServerAnswer }) {
  const { tools, resources, more } = answer;
  return (
    <>
      {tools.length > 0 && (
        <Fold summary={count(tools.length, "tool")}>
          <ul aria-label="Tools" className="mt-1 grid grid-cols-1 gap-2 border-l border-line pl-3">
            {tools.map((tool) => (
              <li key={tool.name} className="grid grid-cols-1 text-s">
                <span className="font-mono break-words selectable">{tool.name}</span>
                {tool.description !== "" && (
                  <span className="text-pretty break-words whitespace-pre-line text-ink-2 selectable">
                    {tool.description}
                  </span>
                )}
                <Fold summary="What it takes">
                  <Scrolled
                    label={`What ${tool.name} takes`}
                    className="mt-1 max-h-72 rounded-s bg-panel p-2"
                  >
                    <pre className="font-mono text-xs selectable">{tool.schema}</pre>
                  </Scrolled>
                </Fold>
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {resources.length > 0 && (
        <Fold summary={count(resources.length, "resource")}>
          <ul aria-label="Resources" className="mt-1 grid grid-cols-1 gap-1 border-l border-line pl-3">
            {resources.map((resource) => (
              <li key={resource.uri} className="grid grid-cols-1 text-s">
                <span className="break-words selectable">
                  {resource.name} <span className="font-mono text-ink-3">{resource.uri}</span>
                </span>
                {resource.description !== "" && (
                  <span className="break-words text-ink-2 selectable">{resource.description}</span>
                )}
              </li>
            ))}
          </ul>
        </Fold>
      )}
      {more > 0 && <p className="text-s text-ink-3">{more} more are not listed here.</p>}
    </>
  );
}

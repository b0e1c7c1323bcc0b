import type { TriedPlace } from "../../preload/contract/app";

const origins: Record<string, string> = {
  environment: "HOLDFAST_CODEX",
  setting: "set by hand",
  loginPath: "PATH of your shell",
  wellKnownFolder: "usual folders",
  bundled: "comes with Holdfast",
};

/** Why a codex is looked for in a place, in words. */
export function originWords(origin: string): string {
  return origins[origin] ?? origin;
}

export function TriedPlaces({ tried }: { tried: readonly TriedPlace[] }) {
  return (
    <ol className="rounded-m border border-line bg-raised text-s *:not-first:border-t *:not-first:border-line">
      {tried.map((place) => (
        <li
          key={`${place.origin} ${place.place}`}
          className="grid grid-cols-[140px_minmax(0,1fr)] gap-x-3 px-3 py-2"
        >
          <span className="text-ink-3">{originWords(place.origin)}</span>
          <span className="grid">
            <code className="text-xs leading-[18px] break-all text-ink-2 selectable">{place.place}</code>
            <span className="text-ink selectable">{place.outcome}</span>
          </span>
        </li>
      ))}
    </ol>
  );
}

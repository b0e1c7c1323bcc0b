import { ImageOff } from "lucide-react";
import { useEffect, useState } from "react";
import { call } from "../../state/connection";
import { cx } from "../../ui/cx";

type Loaded = { state: "loading" } | { state: "shown"; dataUrl: string } | { state: "gone" };

// One small picture for each path, however often it is drawn. A file under one path is not written twice by Holdfast.
const known = new Map<string, string>();
const mostKnown = 60;

/** A small picture of an image file; a mark in its place while it is not there (any more). */
export function Thumbnail({ path, name, className }: { path: string; name: string; className?: string }) {
  const [loaded, setLoaded] = useState<Loaded>(() => {
    const dataUrl = known.get(path);
    return dataUrl === undefined ? { state: "loading" } : { state: "shown", dataUrl };
  });
  useEffect(() => {
    const dataUrl = known.get(path);
    if (dataUrl !== undefined) {
      setLoaded({ state: "shown", dataUrl });
      return;
    }
    let stale = false;
    call("attachments.thumbnail", { path }).then(
      (answer) => {
        if (answer.dataUrl !== null) remember(path, answer.dataUrl);
        if (!stale)
          setLoaded(
            answer.dataUrl === null ? { state: "gone" } : { state: "shown", dataUrl: answer.dataUrl },
          );
      },
      () => {
        // A picture that cannot be made is shown as one that is not there.
        if (!stale) setLoaded({ state: "gone" });
      },
    );
    return () => {
      stale = true;
    };
  }, [path]);
  if (loaded.state === "shown") {
    return (
      <img src={loaded.dataUrl} alt={name} draggable={false} className={cx("object-cover", className)} />
    );
  }
  return (
    <span
      role="img"
      aria-label={loaded.state === "gone" ? `${name}, no picture` : `${name}, loading`}
      className={cx("grid place-items-center bg-hover text-ink-3", className)}
    >
      {loaded.state === "gone" && <ImageOff aria-hidden size={14} />}
    </span>
  );
}

function remember(path: string, dataUrl: string): void {
  known.set(path, dataUrl);
  for (const oldest of known.keys()) {
    if (known.size <= mostKnown) break;
    known.delete(oldest);
  }
}

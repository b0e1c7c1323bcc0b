// What markdown's elements become. Headings start below the window's own; links and pictures never load anything.

import { type ComponentProps, createContext, type ReactNode, useContext } from "react";
import type { Components, ExtraProps } from "streamdown";
import type { FilePlace } from "../../files/filePlace";
import { namedPath } from "../../files/namedPath";
import { openPathInEditor } from "../../files/openInEditor";
import { openPath } from "../../files/openPath";
import { useIsPresent } from "../../files/presentFiles";
import { call } from "../../state/connection";
import { threadStore } from "../../state/threadStore";
import { attempt } from "../../state/toasts";
import { onMac } from "../../ui/keys";
import { CodeBlock } from "./CodeBlock";
import { linkTarget } from "./links";
import { plainPathTag } from "./rehypePlainPaths";

const headingTags = ["h3", "h4", "h5", "h6"] as const;

type Press = Pick<MouseEvent, "ctrlKey" | "metaKey">;

/** With the platform's command key in the person's editor. */
function openFile(press: Press, path: string, line: number | null): void {
  (onMac ? press.metaKey : press.ctrlKey) ? openPathInEditor(path, line) : openPath(path, line);
}

function fileTitle(path: string): string {
  return `Open ${path}; with ${onMac ? "⌘" : "Ctrl"} in my editor`;
}

function Link({ href, children }: ComponentProps<"a"> & ExtraProps) {
  const target = linkTarget(href);
  if (target.kind === "none") return <span title={href}>{children}</span>;
  const open = (press: Press) =>
    target.kind === "web"
      ? void attempt(call("shell.openLink", { url: target.url }))
      : openFile(press, target.path, target.line);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a link, but without an address that the window itself could go to
    <span
      role="link"
      tabIndex={0}
      className="link"
      title={target.kind === "web" ? target.url : fileTitle(target.path)}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        open(event);
      }}
    >
      {children}
    </span>
  );
}

/** What names a file leads to it. */
function InlineCode({ children }: ComponentProps<"code"> & ExtraProps) {
  const place = typeof children === "string" ? namedPath(children) : null;
  if (place === null) return <code>{children}</code>;
  return (
    <FileLink place={place}>
      <code>{children}</code>
    </FileLink>
  );
}

/** Words that may name a file of the workspace lead to it if it is there. The files of a thread that runs elsewhere are not here. */
function PlainPath({ children }: Record<string, unknown> & ExtraProps) {
  const place = typeof children === "string" ? namedPath(children) : null;
  const workspaceId = threadStore(({ shown }) =>
    shown.phase === "shown" && shown.copy.head.environment === null ? shown.copy.head.workspaceId : null,
  );
  const isPresent = useIsPresent(place === null ? null : workspaceId, place?.path ?? "");
  const words = children as ReactNode;
  if (place === null || !isPresent) return words;
  return <FileLink place={place}>{words}</FileLink>;
}

function FileLink({ place, children }: { place: FilePlace; children: ReactNode }) {
  const open = (press: Press) => openFile(press, place.path, place.line);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a link, but without an address that the window itself could go to
    <span
      role="link"
      tabIndex={0}
      className="file-link"
      title={fileTitle(place.path)}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== "Enter") return;
        event.preventDefault();
        open(event);
      }}
    >
      {children}
    </span>
  );
}

/** A picture is named, not fetched: an address in a message may tell its owner that the message was read. */
function Picture({ src, alt }: ComponentProps<"img"> & ExtraProps) {
  const address = typeof src === "string" ? src : "";
  return (
    <span className="picture">
      Picture{alt ? `: ${alt}` : ""} {address !== "" && <Link href={address}>{shortAddress(address)}</Link>}
    </span>
  );
}

function shortAddress(address: string): string {
  return address.length > 60 ? `${address.slice(0, 57)}…` : address;
}

type HastNode = NonNullable<ExtraProps["node"]>["children"][number];

function textOf(node: HastNode): string {
  if (node.type === "text") return node.value;
  return node.type === "element" ? node.children.map(textOf).join("") : "";
}

/** A fence inside a list or a quote; those at the outermost level are read without the parser. */
function Preformatted({ node }: ComponentProps<"pre"> & ExtraProps) {
  const code = node?.children[0];
  if (code?.type !== "element") return null;
  const { className } = code.properties;
  const classes = Array.isArray(className) ? className : [className];
  const language = classes.map(String).find((each) => each.startsWith("language-"));
  const text = textOf(code);
  return (
    <CodeBlock
      info={language?.slice("language-".length) ?? ""}
      code={text.endsWith("\n") ? text.slice(0, -1) : text}
      open={false}
    />
  );
}

function Table({ children }: ComponentProps<"table"> & ExtraProps) {
  return (
    <div className="table-frame">
      <table>{children}</table>
    </div>
  );
}

function TaskBox({ checked, type }: ComponentProps<"input"> & ExtraProps) {
  if (type !== "checkbox") return null;
  return (
    <span role="img" aria-label={checked ? "done" : "not done"} className="task-box">
      {checked ? "✓" : ""}
    </span>
  );
}

/** How deep the first heading of a message is. It comes next below the window's own, whatever it was written as. */
export const FirstRank = createContext(1);

/** Looks as deep as it was written, and is as deep as it stands in the message. */
function Heading({ rank, children }: { rank: number; children?: ReactNode }) {
  const Tag = headingTags[Math.max(rank - useContext(FirstRank), 0)] ?? "h6";
  return <Tag className={`rank-${rank}`}>{children}</Tag>;
}

export const markdownParts: Components = {
  a: Link,
  img: Picture,
  pre: Preformatted,
  table: Table,
  input: TaskBox,
  code: InlineCode,
  h1: ({ children }) => <Heading rank={1}>{children}</Heading>,
  h2: ({ children }) => <Heading rank={2}>{children}</Heading>,
  h3: ({ children }) => <Heading rank={3}>{children}</Heading>,
  h4: ({ children }) => <Heading rank={4}>{children}</Heading>,
  h5: ({ children }) => <Heading rank={5}>{children}</Heading>,
  h6: ({ children }) => <Heading rank={6}>{children}</Heading>,
  p: "p",
  ul: "ul",
  ol: "ol",
  li: "li",
  hr: "hr",
  strong: "strong",
  blockquote: "blockquote",
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
  th: "th",
  td: "td",
  sup: "sup",
  sub: "sub",
  section: "section",
  [plainPathTag]: PlainPath,
};

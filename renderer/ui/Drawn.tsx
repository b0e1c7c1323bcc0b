import { cx } from "./cx";

/**
 * Words that are drawn beside a label, such as an age, a count or a key. They are no part of the label: what they say, its
 * accessible name or description says in words of its own, so nobody needs to speak them to press it.
 */
export function Drawn({ text, className }: { text: string; className?: string }) {
  return (
    <span aria-hidden data-drawn={text} className={cx("before:content-[attr(data-drawn)]", className)} />
  );
}

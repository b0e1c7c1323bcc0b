import { useRef } from "react";

const pauseMs = 600;

/** What was typed into a list within a moment; one letter again and again stays that one letter. */
export function useTyped(): (letter: string, atMs: number) => string {
  const held = useRef({ text: "", atMs: 0 });
  return (letter, atMs) => {
    const { text, atMs: lastMs } = held.current;
    const goesOn = atMs - lastMs < pauseMs && text !== letter;
    held.current = { text: goesOn ? text + letter : letter, atMs };
    return held.current.text;
  };
}

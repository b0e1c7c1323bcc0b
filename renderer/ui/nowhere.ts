/** Nothing in particular has the keyboard: the page has it, or its middle, which holds it until something in it wants it. */
export function isNowhere(element: Element | null): boolean {
  return element === null || element === document.body || element.tagName === "MAIN";
}

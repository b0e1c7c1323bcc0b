const taken = new WeakSet<Event>();

/**
 * For what lies over each other and hears the same Escape or press: only the first that takes it has it. Who is asked first
 * differs with what was drawn last.
 */
export function take(event: Event): boolean {
  if (taken.has(event)) return false;
  taken.add(event);
  return true;
}

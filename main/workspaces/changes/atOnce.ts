/**
 * Does the task with every item, a few at a time, and gives the results in their order. After a failure none is begun any more;
 * those under way are waited for, then the first failure is thrown.
 */
export async function atOnce<Item, Result>(
  items: readonly Item[],
  task: (item: Item, index: number) => Promise<Result>,
  most = 16,
): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const work = async () => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await task(items[index] as Item, index);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}

import type { ComponentProps } from "react";

/** A cell of the grid of lines: a table could not be drawn in part. The grid around it has the keyboard. */
export function GridCell(props: ComponentProps<"div">) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a table could not be drawn in part
    // biome-ignore lint/a11y/useFocusableInteractive: the grid around it has the keyboard
    <div role="gridcell" {...props} />
  );
}

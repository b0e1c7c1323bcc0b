// One of many by typing: the field filters, the arrows choose, and what is chosen stays in view.

import { Command as Cmd } from "cmdk";
import { Check, Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { rank } from "../palette/rank";

export interface PickListProps<Value> {
  label: string;
  placeholder: string;
  values: readonly Value[];
  idOf: (value: Value) => string;
  wordsOf: (value: Value) => string;
  /** Other words that it may be found by. */
  besideOf?: (value: Value) => string;
  chosen: string | null;
  onChoose: (id: string) => void;
  children: (value: Value) => ReactNode;
}

/** More are found by typing. */
const mostShown = 60;

export function PickList<Value>(props: PickListProps<Value>) {
  const { label, placeholder, values, idOf, wordsOf, besideOf, chosen, onChoose, children } = props;
  const [typed, setTyped] = useState("");
  const isAll = typed.trim() === "";
  const chosenValue = values.find((value) => idOf(value) === chosen);
  const first = values.slice(0, mostShown);
  const withChosen =
    chosenValue === undefined || first.includes(chosenValue) ? first : [chosenValue, ...first];
  const found = isAll ? withChosen : rank(values, typed, wordsOf, mostShown, besideOf);
  const more = isAll ? values.length - found.length : 0;
  return (
    <Cmd
      label={label}
      shouldFilter={false}
      value={chosen ?? ""}
      onValueChange={(id) => id !== "" && onChoose(id)}
      className="overflow-hidden rounded-s border border-field-line bg-canvas focus-within:outline-2 focus-within:-outline-offset-1 focus-within:outline-focus"
    >
      <div className="flex h-(--h-control) items-center gap-2 border-b border-line px-2.5">
        <Search aria-hidden size={14} className="text-ink-3" />
        <Cmd.Input
          value={typed}
          onValueChange={setTyped}
          placeholder={placeholder}
          className="min-w-0 flex-1 bg-transparent text-m outline-none focus-visible:outline-none"
        />
      </div>
      <Cmd.List label={label} className="max-h-52 overflow-y-auto p-1 [scroll-padding-block:4px]">
        {found.length === 0 && (
          <p className="px-2 py-4 text-center text-s text-pretty text-ink-3">
            Nothing is called that.
            {chosenValue !== undefined && ` Still chosen: ${wordsOf(chosenValue)}`}
          </p>
        )}
        {found.map((value) => {
          const id = idOf(value);
          return (
            <Cmd.Item
              key={id}
              value={id}
              onSelect={() => onChoose(id)}
              className="flex min-h-7 items-center gap-2 rounded-s px-2 data-[selected=true]:bg-sel"
            >
              <span className="grid w-4 shrink-0 place-items-center">
                {id === chosen && <Check aria-hidden size={14} className="text-accent" />}
              </span>
              {children(value)}
            </Cmd.Item>
          );
        })}
        {more > 0 && <p className="px-2 py-1.5 text-s text-ink-3">{more} more: type to find them.</p>}
      </Cmd.List>
    </Cmd>
  );
}

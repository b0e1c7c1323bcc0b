import { useId } from "react";
import type { DiagnosticSection } from "../../../preload/contract/diagnostics";
import { CopyButton } from "../../conversation/CopyButton";
import { Fact, Facts } from "../../environments/overview/Facts";
import { cx } from "../../ui/cx";
import { Scrolled } from "../Scrolled";

/** One section: facts, a table, longer texts that can each be copied. */
export function DiagnosticPart({ section }: { section: DiagnosticSection }) {
  const { title, note, facts, table, texts } = section;
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid min-w-0 grid-cols-1 gap-2 border-t border-line pt-3">
      <h3 id={id} className="font-semibold">
        {title}
      </h3>
      {note !== null && <p className="text-s text-ink-2 selectable">{note}</p>}
      {facts.length > 0 && (
        <Facts>
          {facts.map(({ name, value }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same name may stand there several times.
            <Fact key={`${name} ${at}`} name={name} mono>
              {value}
            </Fact>
          ))}
        </Facts>
      )}
      {table !== null && table.rows.length > 0 && <Table title={title} table={table} />}
      {texts.map((each, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same title may stand there several times.
        <div key={`${each.title} ${at}`} className="grid grid-cols-1 rounded-s border border-line bg-raised">
          <div className="flex min-h-7 items-center gap-2 border-b border-line px-2">
            <h4 className="min-w-0 flex-1 truncate font-mono text-s selectable" title={each.title}>
              {each.title}
            </h4>
            <CopyButton label={`Copy: ${each.title}`} text={() => `${each.title}\n${each.text}`} />
          </div>
          <Scrolled label={each.title} className="max-h-60 p-2">
            <pre className="font-mono text-xs break-words whitespace-pre-wrap text-ink-2 selectable">
              {each.text}
            </pre>
          </Scrolled>
        </div>
      ))}
    </section>
  );
}

function Table({ title, table }: { title: string; table: NonNullable<DiagnosticSection["table"]> }) {
  return (
    <Scrolled label={`${title}, table`}>
      <table className="w-full border-collapse text-left text-s">
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column} scope="col" className="py-1 pr-4 font-medium whitespace-nowrap text-ink-3">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have nothing of their own that names them.
            <tr key={at} className="border-t border-line align-top">
              {row.map((cell, column) => (
                <td
                  key={table.columns[column]}
                  className={cx(
                    "max-w-120 py-1 pr-4 font-mono text-xs leading-[18px] break-words selectable",
                    // A time or a number is read as one.
                    cell.length <= 24 && "whitespace-nowrap",
                  )}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}
